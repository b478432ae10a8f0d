import { foldText } from '../../../../kernel/fold.ts'
import type { Payout } from '../payout.ts'
import { isOpen, PAID_WITHOUT_DEBIT, wasNotSent } from '../payout.ts'
import type { DoubtDecision, DoubtRow } from './store.ts'

/** The newest word of each person about the current sending, without those who have taken theirs back. */
export function currentOpinions({ submits }: Payout, all: DoubtDecision[]): DoubtDecision[] {
  const newest = new Map(all.filter((one) => one.submits === submits).map((one) => [one.operator, one]))
  return [...newest.values()].filter(({ verdict }) => verdict !== 'withdrawn')
}

/** About a completed payout; what was said before it was completed is another question. */
export const isAboutEnded = ({ verdict }: DoubtRow) => verdict === 'never_paid' || verdict === 'paid'

/** Found means one bank reference; two people may type it with other spaces, signs or case. */
export function isSameOpinion(one: Omit<DoubtRow, 'operator'>, other: Omit<DoubtRow, 'operator'>): boolean {
  return one.verdict === other.verdict && (one.verdict !== 'found' || plain(one.evidence) === plain(other.evidence))
}

/** Another person must agree with one of them. */
export function opinionsDiffer([first, ...others]: DoubtRow[]): boolean {
  return first !== undefined && others.some((other) => !isSameOpinion(first, other))
}

/** Nothing was decided by this word, and it may still count. */
export function isUndecided(payout: Payout, { verdict }: DoubtRow): boolean {
  if (verdict === 'never_paid') return payout.state === 'sent'
  return verdict === 'paid' ? payout.reason !== PAID_WITHOUT_DEBIT && !wasNotSent(payout) : isOpen(payout)
}

type Numbered = Omit<DoubtDecision, 'decidedAt'>

/** Neither was given when its person could see what the other had found about the same question. */
export function areIndependent(said: Numbered[], one: Numbered, other: Numbered): boolean {
  return !hasSeen(said, one, other) && !hasSeen(said, other, one)
}

/** Findings of others are shown to who holds an opinion: whether `other` had given one before that ended, or before this word. */
export function hasSeen(said: Numbered[], word: Numbered, other: Pick<DoubtRow, 'operator'>): boolean {
  const about = said.filter((one) => one.submits === word.submits)
  const isOpinion = (one: Numbered) => one.verdict !== 'withdrawn' && isAboutEnded(one) === isAboutEnded(word)
  const own = about.filter((one) => one.operator === word.operator && one.number < word.number)
  const held = own.map((one, at) => (isOpinion(one) ? (own[at + 1]?.number ?? word.number) : 0))
  const until = Math.max(0, ...held)
  return about.some((one) => one.operator === other.operator && isOpinion(one) && one.number < until)
}

/** Two have said the same without ending it: one of them had seen the other. */
export const awaitsThird = (opinions: DoubtRow[]): boolean =>
  opinions.some((one, at) => opinions.slice(at + 1).some((other) => isSameOpinion(one, other)))

/** Letters and digits. */
function plain(reference: string): string {
  return foldText(reference).replaceAll(' ', '') || reference
}
