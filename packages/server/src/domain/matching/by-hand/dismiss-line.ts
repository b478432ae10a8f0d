import type { Actor } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { openAndPost, suspenseReversal } from '../../ledger/index.ts'
import type { Authority, Word } from '../../people/index.ts'
import { authorizedByName, markWord, mustBeApproved, ofPeople } from '../../people/index.ts'
import type { LineDecision, LineReason, StoredLine } from '../../statements/index.ts'
import { decideLines, findLine, lockImport, lockLine, payoutReferences, replacementOf } from '../../statements/index.ts'
import { findWithdrawalById, selectExisting } from '../../withdrawals/index.ts'
import { recordDecision } from '../decisions/record-decision.ts'
import { decisionsOf } from '../decisions/store.ts'
import { mustNotBeOfSeveral } from './named-payouts.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids }
type Reason = { field: string; verdict: string }

/** What two people say of a line that the bank does not count: an error of the bank, or money shown twice. `notPayouts`: whose debit it is not. */
export type Dismissal = { lineId: string; notPayouts: readonly string[] }

/** Refuses what cannot be dismissed. `named`: the payouts that it names and whose debit it is not. */
export async function checkDismissal(db: Queryable, { lineId, notPayouts }: Dismissal) {
  return mayDismiss(db, await findLine(db, lineId), { lineId, notPayouts })
}

async function mayDismiss(db: Queryable, known: StoredLine | undefined, { lineId, notPayouts }: Dismissal) {
  const line = mustBeFree(known, lineId)
  await mustNameNoOpenPayout(db, line)
  const named = await mustNotBeOfSeveral(db, line, notPayouts)
  await mustNotBeReplaced(db, lineId)
  return { line, named }
}

/** Once a second person has agreed. Money in suspense is taken out of the books. */
export async function dismissLine(app: Deps, actor: Actor, dismissal: Dismissal, why: string): Promise<StoredLine> {
  return authorizedByName(app, actor, 'line.dismiss', async (tx, audit) => {
    mustBeApproved(app, { always: true })
    await lockImport(tx)
    const { line, named } = await mayDismiss(tx, await lockLine(tx, dismissal.lineId), dismissal)
    const reasons = [{ field: 'why', verdict: why }, ...named.map((id) => ({ field: 'not_payout', verdict: id }))]
    await audit(`line:${line.id}`, {
      before: { state: line.state },
      after: { state: 'dismissed' },
      reason: 'see match_decisions',
    })
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
export async function mustNotBeReplaced(tx: Queryable, lineId: string, byId = ''): Promise<void> {
  const real = await replacementOf(tx, lineId)
  if (!real || real.id === byId) return
  throw refuse('line_stands_for_another', { line: lineId, other: real.id })
}

/** A line that names an open payout prevents that it is sent again. Ended payouts never open again, so no lock is needed. */
export async function mustNameNoOpenPayout(
  tx: Queryable,
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

/** Marks the newest decision about a line, on which a later one relies. */
export async function markLast(app: Deps, tx: Tx, lineId: string): Promise<void> {
  const last = (await decisionsOf(tx, [lineId])).at(-1)
  if (last) await markWord(app, tx, wordOf(last))
}

/** Those of these decisions that the service has recorded. */
export const decidedByPeople = (app: Pick<Deps, 'marks'>, tx: Queryable, decisions: Decided[]): Promise<Decided[]> =>
  ofPeople(app, tx, decisions, wordOf)

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
  await decideLines(tx, [{ id: line.id, from: line.state, ...to, deposit: null }], app.clock.now())
  await recordDecision(app, tx, line.id, { verdict: to.state, why, by: actor, reasons })
  return { ...line, ...to, merchantId: null, depositId: null }
}
