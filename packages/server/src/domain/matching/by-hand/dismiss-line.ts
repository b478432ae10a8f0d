import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { openAndPost, suspenseReversal } from '../../ledger/index.ts'
import type { Authority, Word } from '../../people/index.ts'
import { authorizedByName, forged, lockEntitled, markWord, ofPeople } from '../../people/index.ts'
import type { LineDecision, LineReason, StoredLine } from '../../statements/index.ts'
import {
  decideLines,
  listLines,
  lockImport,
  lockLine,
  payoutReferences,
  replacementOf,
} from '../../statements/index.ts'
import { findWithdrawalById, selectExisting } from '../../withdrawals/index.ts'
import { recordDecision } from '../decisions/record-decision.ts'
import { decisionsOf } from '../decisions/store.ts'
import { isProposal } from './line-proposals.ts'
import { mustNotBeOfSeveral } from './named-payouts.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids }
type Reason = { field: string; verdict: string }

/**
 * Two people decide that the bank does not count this line: an error of the bank, or money shown twice. Money in
 * suspense is taken out of the books. Returns the line, unchanged until the second. `notPayouts`: whose debit it is not.
 */
export async function dismissLine(
  app: Deps,
  actor: Actor,
  lineId: string,
  why: string,
  notPayouts: readonly string[] = [],
): Promise<StoredLine> {
  mustGiveReason('why', why)
  return authorizedByName(app, actor, 'line.dismiss', async (tx, audit) => {
    await lockImport(tx)
    const line = mustBeFree(await lockLine(tx, lineId), lineId)
    await mustNameNoOpenPayout(tx, line)
    const named = await mustNotBeOfSeveral(tx, line, notPayouts)
    await mustNotBeReplaced(tx, lineId)
    const reasons = [{ field: 'why', verdict: why }, ...named.map((id) => ({ field: 'not_payout', verdict: id }))]
    const isAgreed = await agreedByTwo(app, tx, line, actor, 'dismissal_proposed', reasons)
    await audit(`line:${lineId}`, {
      before: { state: line.state },
      after: { state: isAgreed ? 'dismissed' : line.state },
      reason: 'see match_decisions',
    })
    if (!isAgreed) return line
    if (line.state === 'suspense') await openAndPost(app, tx, [{ ...suspenseReversal(line), actor }])
    return moveLine(app, tx, line, { state: 'dismissed', reason: 'dismissed' }, { why: 'dismissed', reasons, actor })
  })
}

function mustBeFree(line: StoredLine | undefined, id: string): StoredLine {
  if (!line) throw refuse('line_unknown', { line: id })
  mustBeIn(line, ['needs_review', 'suspense'])
  mustNotBeHeld(line)
  return line
}

export function mustBeIn({ id, state, reason }: StoredLine, needed: StoredLine['state'][]): void {
  if (!needed.includes(state)) throw refuse('line_not_in_state', { line: id, state, reason, needed })
}

export function mustNotBeHeld({ id, depositId }: StoredLine): void {
  if (depositId !== null) throw refuse('line_held', { line: id, deposit: depositId })
}

/** The bank's line is not booked because this one is: without both, the money would be in no account. */
export async function mustNotBeReplaced(tx: Tx, lineId: string, byId = ''): Promise<void> {
  const real = await replacementOf(tx, lineId)
  if (!real || real.id === byId) return
  throw refuse('line_stands_for_another', { line: lineId, other: real.id })
}

/** A line that names an open payout prevents that it is sent again. Ended payouts never open again, so no lock is needed. */
export async function mustNameNoOpenPayout(
  tx: Tx,
  { id: line, narrative, candidateWithdrawalId }: StoredLine,
  except: string[] = [],
): Promise<void> {
  const named = await selectExisting(tx, [...payoutReferences(narrative), candidateWithdrawalId ?? ''])
  for (const id of new Set(named)) {
    if (except.includes(id)) continue
    const status = (await findWithdrawalById(tx, id))?.status
    if (status === 'pending' || status === 'processing')
      throw refuse('line_names_open_withdrawal', { line, withdrawal: id, status })
  }
}

/**
 * True for the second person who says so while the first may still do so. The first is recorded as a decision that
 * leaves the line as it is; any other decision about the line in between makes that void.
 */
export async function agreedByTwo(
  app: Deps,
  tx: Tx,
  line: StoredLine,
  actor: Actor,
  proposal: 'dismissal_proposed' | 'restoring_proposed',
  reasons: Reason[] = [],
): Promise<boolean> {
  const decisions = await decisionsOf(tx, [line.id])
  const stored = decisions.slice(decisions.findLastIndex(({ why }) => why !== proposal) + 1)
  const standing = await ofPeople(app, tx, stored, wordOf)
  if (standing.some(({ decidedBy }) => decidedBy === actorName(actor)))
    throw refuse('line_second_person_needed', { line: line.id, name: actorName(actor) })
  const names = standing.map(({ decidedBy }) => decidedBy)
  const action = proposal === 'dismissal_proposed' ? 'line.dismiss' : 'line.restore'
  if ((await lockEntitled(app, tx, names, action)).size > 0) return true
  await recordDecision(app, tx, line.id, { verdict: line.state, why: proposal, by: actor, reasons })
  await markLast(app, tx, line.id)
  return false
}

/** Marks the newest decision about a line, on which a later one relies. */
export async function markLast(app: Deps, tx: Tx, lineId: string): Promise<void> {
  const last = (await decisionsOf(tx, [lineId])).at(-1)
  if (last) await markWord(app, tx, wordOf(last))
}

/** Those of these decisions that the service has recorded. */
export const decidedByPeople = (app: Pick<Deps, 'marks'>, tx: Tx, decisions: Decided[]): Promise<Decided[]> =>
  ofPeople(app, tx, decisions, wordOf)

/** Lines with a word of one person that waits for another, and that was written in SQL. */
export async function forgedDismissals(app: { db: Queryable; marks: Marks }, limit: number): Promise<string[]> {
  const states = ['needs_review', 'suspense', 'dismissed'] as const
  const lines = await Promise.all(states.map((state) => listLines(app.db, state, limit)))
  const ids = lines.flat().map(({ id }) => id)
  const byLine = Map.groupBy(await decisionsOf(app.db, ids), ({ lineId }) => lineId)
  const standing = [...byLine.values()].flatMap((all) => all.slice(all.findLastIndex((one) => !isProposal(one)) + 1))
  return forgedAmong(app, standing)
}

/** Lines of these words that Vezne has not recorded. */
export async function forgedAmong(app: { db: Queryable; marks: Marks }, words: Decided[]): Promise<string[]> {
  return [...new Set((await forged(app, app.db, words, wordOf)).map(({ lineId }) => lineId))]
}

type Decided = Awaited<ReturnType<typeof decisionsOf>>[number]

function wordOf({ lineId, number, why, reasons, decidedBy }: Decided): Word {
  return { row: ['match_decisions', lineId, String(number)], person: decidedBy, says: { why, reasons } }
}

type To = Pick<LineDecision, 'state' | 'reason'>

/** Moves a line that belongs to no transaction, and records who decided it and why. */
export async function moveLine(
  app: Deps,
  tx: Tx,
  line: StoredLine,
  to: To,
  { why, reasons = [], actor }: { why: LineReason; reasons?: Reason[]; actor: Actor },
): Promise<StoredLine> {
  const change = { ...to, merchantId: null, depositId: null }
  await decideLines(tx, [{ id: line.id, from: line.state, ...change }], app.clock.now())
  await recordDecision(app, tx, line.id, { verdict: to.state, why, by: actor, reasons })
  return { ...line, ...change }
}
