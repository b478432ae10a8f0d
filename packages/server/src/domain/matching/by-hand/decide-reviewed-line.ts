import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { openAndPost, suspenseReversal } from '../../ledger/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorize, authorized } from '../../people/index.ts'
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
import { agreedByTwo, decidedByPeople, markLast, moveLine, mustNotBeHeld, mustNotBeReplaced } from './dismiss-line.ts'
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
      throw new Refusal('INVALID_STATE', 'The line is not a suspected correction.')
    if (line.state === 'dismissed' && line.reason !== 'same_money' && line.reason !== ENTERED_BY_HAND)
      throw new Refusal('INVALID_STATE', `The line is dismissed (${line.reason}). See: vezne line restore`)
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
 * Returns a dismissed line to the matcher. One that was replaced is restored by another person than who replaced it, by two if the
 * replacement was credited; one that two people dismissed, by two: until the second it is returned unchanged.
 */
export async function restoreLine(app: Deps, actor: Actor, lineId: string, why?: string): Promise<StoredLine> {
  if (why !== undefined) mustGiveReason('why', why, 'must say why the line counts again')
  const reasons = why === undefined ? [] : [{ field: 'why', verdict: why }]
  return authorized(app, actor, 'line.restore', async (tx, audit) => {
    await mustNotBeEntered(tx, lineId)
    // People may be entering the same payment.
    await lockImport(tx)
    const replacement = await lockReplacement(app, tx, lineId)
    const line = await lockIn(tx, lineId, ['dismissed'])
    const restored = await (line.reason === 'dismissed'
      ? restoreDismissed(app, tx, line, { actor, reasons })
      : restoreReplaced(app, tx, line, replacement, { actor, reasons }))
    const { state, reason } = line
    await audit(`line:${lineId}`, {
      before: { state, reason },
      after: { state: restored.state },
      reason: 'see match_decisions',
    })
    return restored
  })
}

type Restoring = { actor: Actor; reasons: { field: string; verdict: string }[] }
const JUDGED_AGAIN = { state: 'new', reason: null } as const

async function restoreReplaced(
  app: Deps,
  tx: Tx,
  line: StoredLine,
  replacement: StoredLine | undefined,
  { actor, reasons }: Restoring,
): Promise<StoredLine> {
  if (line.reason === 'import_undone')
    throw new Refusal(
      'INVALID_STATE',
      'The import of its file was undone. To book the line, import the file again: vezne statement import',
    )
  if (line.reason !== 'replaced')
    throw new Refusal('INVALID_STATE', 'The line was not replaced. See: vezne line correction')
  if ((await replacements(app, tx, line.id)).some(({ decidedBy }) => decidedBy === actorName(actor)))
    throw new Refusal('INVALID_STATE', `${actorName(actor)} has replaced the line; another person must bring it back.`)
  mustNotStand(replacement)
  if (replacement?.state === 'matched' && !(await restoredByTwo(app, tx, line, { actor, reasons }))) return line
  return moveLine(app, tx, line, JUDGED_AGAIN, { why: 'restored', reasons, actor })
}

/** The bank's own line may be in the books by now. Entering it again compares the two. */
async function mustNotBeEntered(tx: Tx, lineId: string): Promise<void> {
  if (await isEnteredLine(tx, lineId))
    throw new Refusal('INVALID_STATE', 'People had entered this line. Enter it again: vezne line enter')
}

async function restoredByTwo(app: Deps, tx: Tx, line: StoredLine, { actor, reasons }: Restoring): Promise<boolean> {
  await authorize(app, tx, actor, 'line.restore', { named: true })
  return agreedByTwo(app, tx, line, actor, 'restoring_proposed', reasons)
}

/** A suspected correction is decided again: the line that it repeats may be in the books by now. */
async function restoreDismissed(
  app: Deps,
  tx: Tx,
  line: StoredLine,
  { actor, reasons }: Restoring,
): Promise<StoredLine> {
  if (!(await restoredByTwo(app, tx, line, { actor, reasons }))) return line
  const correctsLineId = line.correctsLineId ?? (await enteredLike(tx, line))
  if (correctsLineId !== line.correctsLineId) await referTo(tx, line.id, correctsLineId)
  const review = { state: 'needs_review' as const, reason: 'suspected_correction' as const }
  const to = correctsLineId === null ? JUDGED_AGAIN : review
  return moveLine(app, tx, line, to, { why: 'restored', reasons, actor })
}

const REPLACED_BY = 'replaced by'

/** What the service has recorded, not rows that were added in SQL. A version before recorded them without a mark. */
async function replacements(app: Deps, tx: Tx, lineId: string) {
  const all = (await decisionsOf(tx, [lineId])).filter(({ why }) => why === 'replaced')
  const marked = await decidedByPeople(app, tx, all)
  return marked.length > 0 ? marked : all
}

async function replacedBy(app: Deps, tx: Tx, lineId: string): Promise<string | undefined> {
  const decision = (await replacements(app, tx, lineId)).at(-1)
  const reasons = (decision?.reasons ?? []) as { field: string; verdict: string }[]
  return reasons.find(({ field }) => field === REPLACED_BY)?.verdict
}

/** The line that stands for this one, after any number of replacements. Locked before this one, as in `decideCorrection`. */
async function lockReplacement(app: Deps, tx: Tx, lineId: string): Promise<StoredLine | undefined> {
  const id = await replacedBy(app, tx, lineId)
  const line = id === undefined ? undefined : await findLine(tx, id)
  if (line?.reason === 'replaced') return lockReplacement(app, tx, line.id)
  return line && lockLine(tx, line.id)
}

/** Else the money would be in the books twice. A replacement that was credited stays: two people say that the restored line is other money. */
function mustNotStand(replacement: StoredLine | undefined): void {
  if (!replacement || replacement.state === 'dismissed' || replacement.state === 'matched') return
  throw new Refusal(
    'INVALID_STATE',
    `Line ${replacement.id}, which replaced it, is ${replacement.state}. Two people dismiss it first: vezne line dismiss ${replacement.id}`,
  )
}

/** Returns a line to the matcher after the cause of its failure was fixed. */
export async function retryLine(app: Deps, actor: Actor, lineId: string): Promise<StoredLine> {
  return authorized(app, actor, 'line.retry', async (tx, audit) => {
    const line = await lockIn(tx, lineId, ['needs_review'])
    if (line.reason === 'suspected_correction')
      throw new Refusal('INVALID_STATE', 'A suspected correction is decided with: vezne line correction')
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
  const line = await lockLine(tx, lineId)
  if (!line) throw new Refusal('NOT_FOUND', `There is no bank line ${lineId}.`)
  if (states.includes(line.state)) return line
  throw new Refusal(
    'INVALID_STATE',
    `The line is ${line.state} (${line.reason ?? 'not judged yet'}), not in needs_review.`,
  )
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

function cannotBeReplaced(first: StoredLine, byId: string): Refusal {
  const { id, state, direction, depositId, withdrawalId, journalId } = first
  if (state === 'suspense')
    return new Refusal(
      'INVALID_STATE',
      `The first line ${id} is held for deposit ${depositId}. Free it first: vezne line suspend ${id}`,
    )
  if (state !== 'matched') return new Refusal('INVALID_STATE', `The first line ${id} is ${state}.`)
  const replace = `vezne line correction ${byId} --replaces`
  const others = `If the bank counts the first, and not this one, two people dismiss this one: vezne line dismiss ${byId}. If it counts both: vezne line correction ${byId} --new-money`
  if (journalId !== null)
    return new Refusal(
      'INVALID_STATE',
      `The first line ${id} belongs to journal entry ${journalId}. If the bank counts this one instead, two people take that back: vezne journal reverse ${journalId}, then ${replace}. ${others}`,
    )
  if (depositId !== null)
    return new Refusal(
      'INVALID_STATE',
      `The first line ${id} was credited to deposit ${depositId}. If the bank counts this one instead, two people take that back: vezne journal propose unmatch --deposit ${depositId} --to processing, then ${replace}, then vezne line match ${byId} ${depositId}. ${others}`,
    )
  if (direction === 'debit')
    return new Refusal('INVALID_STATE', `The first line ${id} is the debit of payout ${withdrawalId}. ${others}`)
  return new Refusal(
    'INVALID_STATE',
    `The first line ${id} is the return of payout ${withdrawalId}. If the bank counts this one instead, two people take that back: vezne journal propose unmatch --withdrawal ${withdrawalId}, then ${replace}. ${others}`,
  )
}

/** Else the books would keep an amount that the bank may not count, on the word of one person and unseen. */
async function mustHaveSameAmount(tx: Tx, line: StoredLine): Promise<void> {
  const first = line.correctsLineId === null ? undefined : await findLine(tx, line.correctsLineId)
  if (!first || first.amount === line.amount) return
  const [here, there] = [line, first].map(({ amount, currency }) => formatMoney(amount, currency))
  throw new Refusal(
    'INVALID_STATE',
    `The lines differ: ${here} here, ${there} on the first, ${first.id}. Look up which one the bank counts. If this one, it replaces the first: vezne line correction ${line.id} --replaces. If the first, two people dismiss this one: vezne line dismiss ${line.id}`,
  )
}

function move(app: Deps, tx: Tx, line: StoredLine, state: 'new' | 'dismissed', why: LineReason, actor: Actor) {
  return moveLine(app, tx, line, { state, reason: state === 'new' ? null : why }, { why, actor })
}
