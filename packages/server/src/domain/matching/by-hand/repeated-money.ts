import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Authority } from '../../people/index.ts'
import { mustBeApproved } from '../../people/index.ts'
import type { EnteredLine, StoredLine } from '../../statements/index.ts'
import { balancesHaveRoom, findEnteredOf, findLine, fitsBooking, payoutReferences } from '../../statements/index.ts'
import { mustBeIn, mustNameNoOpenPayout } from './dismiss-line.ts'

/** What people say of a line that may repeat another: it is other money, or the same. */
export type SaidOfRepeat = 'new_money' | 'same_money'

/** What people entered, if the line may repeat that, directly or as a correction of the bank's line of it. */
async function enteredBefore(db: Queryable, line: StoredLine): Promise<EnteredLine | undefined> {
  const seen = new Set([line.id])
  for (let id = line.correctsLineId; id !== null && !seen.has(id);) {
    const entered = await findEnteredOf(db, id)
    if (entered) return entered
    seen.add(id)
    id = (await findLine(db, id))?.correctsLineId ?? null
  }
  return undefined
}

/** A line that may repeat another. `first`: that one; `entered`: what people had entered of it; `hasRoom`: the bank's balances include both. */
export async function readRepeat(db: Queryable, lineId: string) {
  const line = await findLine(db, lineId)
  if (!line) throw refuse('line_unknown', { line: lineId })
  const first = line.correctsLineId === null ? undefined : await findLine(db, line.correctsLineId)
  const hasRoom = await balancesHaveRoom(db, [line, ...(first ? [first] : [])])
  return { line, first: first ?? null, entered: (await enteredBefore(db, line)) ?? null, hasRoom }
}

export type Repeat = Awaited<ReturnType<typeof readRepeat>>

/**
 * One person could have one payment credited twice, or a payment set aside for which another one stands. So two people say that it is
 * other money if the first was entered or credited or has its number, unless the bank's balances include both, and that it is the same if sender, codes or payouts differ.
 */
export function repeatTakesTwo({ line, first, entered, hasRoom }: Repeat, said: SaidOfRepeat): boolean {
  if (said === 'new_money') return entered !== null || (isCredit(line) && isRiskyFirst(line, first) && !hasRoom)
  const before = entered ?? first
  // One that was called other money by mistake: as many people take it back.
  return line.state === 'suspense' || (before !== null && !fitsBooking(before, line))
}

/** Its money may be credited twice, or sent back twice. */
function isRiskyFirst({ bankReference }: StoredLine, first: StoredLine | null): boolean {
  if (!first || !isCredit(first)) return false
  return first.state === 'matched' || (bankReference !== null && first.bankReference === bankReference)
}

const isCredit = ({ direction }: StoredLine) => direction === 'credit'

/** Who entered the first line is neither of the two. */
function mustNotHaveEntered({ line, entered }: Repeat, name: string): void {
  if (entered?.proposedBy !== name) return
  throw refuse('first_line_entered_by', { line: line.id, name })
}

export async function mustBeOfTwo(
  app: Authority,
  db: Queryable,
  lineId: string,
  { actor, said }: { actor: Actor; said: SaidOfRepeat },
): Promise<void> {
  const repeat = await readRepeat(db, lineId)
  if (!repeatTakesTwo(repeat, said)) return
  mustBeApproved(app, { always: true })
  for (const name of [actorName(actor), app.approval?.proposedBy ?? '']) mustNotHaveEntered(repeat, name)
}

/** States in which that can be said. */
export const statesOf = (said: SaidOfRepeat | 'replaces'): StoredLine['state'][] =>
  said === 'same_money' ? ['needs_review', 'dismissed', 'suspense'] : ['needs_review', 'dismissed']

/** Refuses to propose what `decideCorrection` would not do. */
export async function mayProposeRepeat(
  db: Queryable,
  lineId: string,
  { name, said }: { name: string; said: SaidOfRepeat },
): Promise<void> {
  const repeat = await readRepeat(db, lineId)
  mustNotHaveEntered(repeat, name)
  mustBeIn(repeat.line, statesOf(said))
}

/** A debit that names an open payout shows that it left; the first line may show that only if it names it, too. */
export async function mustNotHidePayout(tx: Tx, line: StoredLine): Promise<void> {
  const first = line.correctsLineId === null ? undefined : await findLine(tx, line.correctsLineId)
  const shown = first
    ? [first.withdrawalId ?? '', first.candidateWithdrawalId ?? '', ...payoutReferences(first.narrative)]
    : []
  await mustNameNoOpenPayout(tx, line, shown)
}
