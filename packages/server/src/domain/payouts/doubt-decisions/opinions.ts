import type { Payout } from '../payout.ts'
import type { DoubtDecision, DoubtRow } from './store.ts'

/** The newest word of each person about the current sending, without those who have taken theirs back. */
export function currentOpinions({ submits }: Payout, all: DoubtDecision[]): DoubtDecision[] {
  const newest = new Map(all.filter((one) => one.submits === submits).map((one) => [one.operator, one]))
  return [...newest.values()].filter(({ verdict }) => verdict !== 'withdrawn')
}

/** About a completed payout; what was said before it was completed is another question. */
export const isAboutEnded = ({ verdict }: DoubtRow) => verdict === 'never_paid' || verdict === 'paid'

/** Found means one bank reference; two people may type it with other spaces or case. */
export function isSameOpinion(one: Omit<DoubtRow, 'operator'>, other: Omit<DoubtRow, 'operator'>): boolean {
  return one.verdict === other.verdict && (one.verdict !== 'found' || plain(one.evidence) === plain(other.evidence))
}

/** One must change its opinion, or another person agree with one of them. */
export function opinionsDiffer([first, ...others]: DoubtRow[]): boolean {
  return first !== undefined && others.some((other) => !isSameOpinion(first, other))
}

function plain(reference: string): string {
  return reference.replaceAll(/\s/g, '').toUpperCase()
}
