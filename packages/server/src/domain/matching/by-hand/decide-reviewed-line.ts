import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import { openAndPost, suspenseReversal } from '../../ledger/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorize, authorized, mustBeApproved } from '../../people/index.ts'
import type { LineReason, StoredLine } from '../../statements/index.ts'
import {
  ENTERED_BY_HAND,
  enteredLike,
  findLine,
  isEnteredLine,
  listLines,
  lockImport,
  lockLine,
  moveCorrections,
  referTo,
} from '../../statements/index.ts'
import { decisionsOf } from '../decisions/store.ts'
import { decidedByPeople, markLast, moveLine, mustBeIn, mustNotBeHeld, mustNotBeReplaced } from './dismiss-line.ts'
import { mustBeOfTwo, mustNotHidePayout, statesOf } from './repeated-money.ts'
import { mustNotShowRefunded } from './shows-refunded.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids }

/**
 * A decision on a line that may repeat another. `new_money`: another payment, judged like any line. `same_money`: the first line is
 * kept, this one books nothing; of another amount two people dismiss it. `replaces`: this one replaces the first.
 */
export type Correction = 'new_money' | 'same_money' | 'replaces'

export async function decideCorrection(
  app: Deps,
  actor: Actor,
  lineId: string,
  found: Correction,
): Promise<StoredLine> {
  return authorized(app, actor, 'line.correct', async (tx, audit) => {
    await lockImport(tx)
    // A decision that the line is not separate money can be reversed.
    const line = await lockIn(tx, lineId, statesOf(found))
    if (line.state === 'suspense') mustNotBeHeld(line)
    if (line.correctsLineId === null && !(isSecondDebit(line) && found !== 'replaces'))
      throw refuse('line_not_repeat', { line: lineId })
    if (line.state === 'dismissed' && line.reason !== 'same_money' && line.reason !== ENTERED_BY_HAND)
      throw refuse('line_dismissed', { line: lineId, reason: line.reason })
    if (found !== 'replaces') await mustBeOfTwo(app, tx, lineId, { actor, said: found })
    if (found === 'same_money') {
      await mustHaveSameAmount(tx, line)
      await mustNotHidePayout(tx, line)
    }
    if (found === 'new_money') await mustNotShowRefunded(tx, line)
    if (found === 'replaces' && line.correctsLineId !== null) {
      await dismissFirst(app, tx, line.correctsLineId, line.id, actor)
      await moveCorrections(tx, line.correctsLineId, line.id)
    }
    if (line.state === 'suspense') await openAndPost(app, tx, [{ ...suspenseReversal(line), actor }])
    const next = found === 'same_money' ? ('dismissed' as const) : ('new' as const)
    await audit(`line:${lineId}`, { before: { state: line.state }, after: { state: next, found } })
    return move(app, tx, line, next, found, actor)
  })
}

/** The bank booked a payout's debit again under another date: the first is kept. Decided as new money, it is judged again. */
function isSecondDebit({ direction, state, reason }: StoredLine): boolean {
  return direction === 'debit' && reason === (state === 'needs_review' ? 'payout_line_twice' : 'same_money')
}

/**
 * Whether a dismissed line may be brought back, and by how many: one that was replaced by another person than who replaced it, by two if
 * the replacement was credited; one that two people dismissed, by two.
 */
export async function checkRestoring(app: Pick<Deps, 'marks'>, db: Queryable, lineId: string, name: string | null) {
  await mustNotBeEntered(db, lineId)
  const replacement = await replacementNow(app, db, lineId)
  return mayRestore(app, db, mustBeKnown(await findLine(db, lineId), lineId, ['dismissed']), { replacement, name })
}

type Restoring = { replacement: StoredLine | undefined; name: string | null }

async function mayRestore(app: Pick<Deps, 'marks'>, db: Queryable, line: StoredLine, { replacement, name }: Restoring) {
  if (line.reason === 'dismissed') return { line, takesTwo: true }
  if (line.reason === 'import_undone') throw refuse('line_import_undone', { line: line.id })
  if (line.reason !== 'replaced') throw refuse('line_not_replaced', { line: line.id })
  if (name !== null && (await replacements(app, db, line.id)).some(({ decidedBy }) => decidedBy === name))
    throw refuse('line_replaced_by_same_person', { line: line.id, name })
  mustNotStand(line, replacement)
  return { line, takesTwo: replacement?.state === 'matched' }
}

/** Returns the line to the matcher. */
export async function restoreLine(app: Deps, actor: Actor, lineId: string, why: string | null): Promise<StoredLine> {
  const reasons = why === null ? [] : [{ field: 'why', verdict: why }]
  return authorized(app, actor, 'line.restore', async (tx, audit) => {
    await mustNotBeEntered(tx, lineId)
    // People may be entering the same payment.
    await lockImport(tx)
    const replacement = await lockReplacement(app, tx, lineId)
    const line = await lockIn(tx, lineId, ['dismissed'])
    const { takesTwo } = await mayRestore(app, tx, line, { replacement, name: actorName(actor) })
    if (takesTwo) mustBeApproved(app, { always: true })
    const to = line.reason === 'dismissed' ? await afterDismissal(tx, line) : JUDGED_AGAIN
    const { state, reason } = line
    await audit(`line:${lineId}`, {
      before: { state, reason },
      after: { state: to.state },
      reason: 'see match_decisions',
    })
    return moveLine(app, tx, line, to, { why: 'restored', reasons, actor })
  })
}

const JUDGED_AGAIN = { state: 'new', reason: null } as const

/** The bank's own line may be in the books by now. Entering it again compares the two. */
async function mustNotBeEntered(db: Queryable, lineId: string): Promise<void> {
  if (await isEnteredLine(db, lineId)) throw refuse('line_was_entered', { line: lineId })
}

/** A suspected correction is decided again: the line that it repeats may be in the books by now. */
async function afterDismissal(tx: Tx, line: StoredLine) {
  const correctsLineId = line.correctsLineId ?? (await enteredLike(tx, line))
  if (correctsLineId !== line.correctsLineId) await referTo(tx, line.id, correctsLineId)
  const review = { state: 'needs_review' as const, reason: 'suspected_correction' as const }
  return correctsLineId === null ? JUDGED_AGAIN : review
}

const REPLACED_BY = 'replaced by'

/** What the service has recorded, not rows that were added in SQL. A version before recorded them without a mark. */
async function replacements(app: Pick<Deps, 'marks'>, tx: Queryable, lineId: string) {
  const all = (await decisionsOf(tx, [lineId])).filter(({ why }) => why === 'replaced')
  const marked = await decidedByPeople(app, tx, all)
  return marked.length > 0 ? marked : all
}

async function replacedBy(app: Pick<Deps, 'marks'>, tx: Queryable, lineId: string): Promise<string | undefined> {
  const decision = (await replacements(app, tx, lineId)).at(-1)
  const reasons = (decision?.reasons ?? []) as { field: string; verdict: string }[]
  return reasons.find(({ field }) => field === REPLACED_BY)?.verdict
}

/** The line that stands for this one, after any number of replacements. */
async function replacementNow(
  app: Pick<Deps, 'marks'>,
  db: Queryable,
  lineId: string,
): Promise<StoredLine | undefined> {
  const id = await replacedBy(app, db, lineId)
  const line = id === undefined ? undefined : await findLine(db, id)
  return line?.reason === 'replaced' ? replacementNow(app, db, line.id) : line
}

/** Locked before this one, as in `decideCorrection`. */
async function lockReplacement(app: Deps, tx: Tx, lineId: string): Promise<StoredLine | undefined> {
  const line = await replacementNow(app, tx, lineId)
  return line && lockLine(tx, line.id)
}

/** Else the money would be in the books twice. A replacement that was credited stays: two people say that the restored line is other money. */
function mustNotStand({ id: line }: StoredLine, replacement: StoredLine | undefined): void {
  if (!replacement || replacement.state === 'dismissed' || replacement.state === 'matched') return
  const { id, state } = replacement
  throw refuse('line_replacement_stands', { line, replacement: id, state })
}

/** Returns a line to the matcher after the cause of its failure was fixed. */
export async function retryLine(app: Deps, actor: Actor, lineId: string): Promise<StoredLine> {
  return authorized(app, actor, 'line.retry', async (tx, audit) => {
    const line = await lockIn(tx, lineId, ['needs_review'])
    const { state, reason, correctsLineId: first } = line
    if (reason === 'suspected_correction' && first !== null)
      throw refuse('line_may_repeat', { line: lineId, first, state })
    await audit(`line:${lineId}`, { before: { state: line.state, reason: line.reason }, after: { state: 'new' } })
    return move(app, tx, line, 'new', 'retry', actor)
  })
}

/** Retries every line that could not be booked. Returns how many. */
export async function retryAll(app: Deps, actor: Actor): Promise<number> {
  const lines = await app.db.transaction(async (tx) => {
    await authorize(app, tx, actor, 'line.retry')
    return listLines(tx, 'needs_review', null)
  })
  const stuck = lines.filter(({ reason }) => reason === 'cannot_be_booked')
  for (const { id } of stuck) await retryLine(app, actor, id)
  return stuck.length
}

async function lockIn(tx: Tx, lineId: string, states: StoredLine['state'][]): Promise<StoredLine> {
  return mustBeKnown(await lockLine(tx, lineId), lineId, states)
}

function mustBeKnown(line: StoredLine | undefined, lineId: string, states: StoredLine['state'][]): StoredLine {
  if (!line) throw refuse('line_unknown', { line: lineId })
  mustBeIn(line, states)
  return line
}

/** Only if the money is not attributed yet: dismissing a credited line would take money back from a merchant. */
async function dismissFirst(app: Deps, tx: Tx, firstId: string, byId: string, actor: Actor): Promise<void> {
  const first = await lockLine(tx, firstId)
  if (!first) throw new Error(`Bank line ${firstId} is gone.`)
  await mustNotBeReplaced(tx, firstId, byId)
  if (first.state === 'suspense' && first.depositId === null) {
    await openAndPost(app, tx, [{ ...suspenseReversal(first), actor }])
  } else if (first.state !== 'needs_review') {
    throw cannotBeReplaced(first, byId)
  }
  const dismissed = { state: 'dismissed' as const, reason: 'replaced' as const }
  await moveLine(app, tx, first, dismissed, {
    why: 'replaced',
    reasons: [{ field: REPLACED_BY, verdict: byId }],
    actor,
  })
  await markLast(app, tx, firstId)
}

function cannotBeReplaced({ id: first, ...stored }: StoredLine, line: string): Refusal {
  const { state, direction, depositId: deposit, withdrawalId: withdrawal, journalId: entry } = stored
  if (state === 'suspense' && deposit !== null) return refuse('line_held', { line: first, deposit })
  const lines = { line, first }
  if (state !== 'matched') return refuse('first_line_not_open', { ...lines, state })
  if (entry !== null) return refuse('first_line_in_journal', { ...lines, entry })
  if (deposit !== null) return refuse('first_line_credited', { ...lines, deposit })
  const about = { ...lines, withdrawal: withdrawal ?? '' }
  return refuse(direction === 'debit' ? 'first_line_debit' : 'first_line_return', about)
}

/** Else the books would keep an amount that the bank may not count, on the word of one person and unseen. */
async function mustHaveSameAmount(tx: Tx, line: StoredLine): Promise<void> {
  const first = line.correctsLineId === null ? undefined : await findLine(tx, line.correctsLineId)
  if (!first || first.amount === line.amount) return
  const [here, there] = [money(line.amount, line.currency), money(first.amount, first.currency)]
  throw refuse('lines_differ', { line: line.id, first: first.id, here, there })
}

function move(app: Deps, tx: Tx, line: StoredLine, state: 'new' | 'dismissed', why: LineReason, actor: Actor) {
  return moveLine(app, tx, line, { state, reason: state === 'new' ? null : why }, { why, actor })
}
