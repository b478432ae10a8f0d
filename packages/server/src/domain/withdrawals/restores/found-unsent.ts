import { note } from '../../../kernel/refusals/note.ts'
import type { Notices } from '../../../kernel/refusals/note.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { CallDetail, PayoutCall } from '../bank-calls/store.ts'
import { insertCall, callsOf } from '../bank-calls/store.ts'
import type { StoredLine } from '../../statements/index.ts'
import { listLines, payoutReferences, selectLinesNaming } from '../../statements/index.ts'
import type { Restore } from './store.ts'
import { findOpenRestore } from './store.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** Stored with every check result. Marking the restore again changes the marker, so that earlier results do not count. */
const markerOf = ({ number, markedAt }: Restore) => ({ restore: number, marked: markedAt.toISOString() })

function isOf(restore: Restore, detail: CallDetail): boolean {
  const wanted = markerOf(restore)
  if (detail === null || typeof detail === 'string' || detail.why !== CHECKED) return false
  return detail.facts['restore'] === wanted.restore && detail.facts['marked'] === wanted.marked
}

const CHECKED = 'call_restore_check' satisfies keyof Notices

const UNSENT = new Set(['never_seen', 'not_sent'])

/** Results that checks of this restore got about the withdrawal, from the bank or from a person. */
async function checkResultsOf(db: Queryable, restore: Restore, { merchantId, id }: Withdrawal): Promise<string[]> {
  const calls = await callsOf(db, merchantId, id)
  return calls.filter(({ detail }) => isOf(restore, detail)).map(({ outcome }) => outcome)
}

/**
 * Two checks may record out of order: *never seen* does not count once the bank has confirmed the payout, nor when a
 * debit read since then names the withdrawal.
 */
export async function isFoundUnsent(db: Queryable, restore: Restore, withdrawal: Withdrawal): Promise<boolean> {
  const results = await checkResultsOf(db, restore, withdrawal)
  if (results.length === 0 || !results.every((result) => UNSENT.has(result))) return false
  const naming = await selectLinesNaming(db, withdrawal.id, MAX_ROWS)
  return !naming.some((line) => isOutgoing(line) && namesWithdrawal(line, withdrawal.id))
}

/** The caller has locked the withdrawal. A result that exists already is not recorded again. */
export async function recordCheckResult(
  app: { clock: Clock },
  tx: Tx,
  restore: Restore,
  withdrawal: Withdrawal,
  { kind, outcome, detail }: PayoutCall,
): Promise<void> {
  if ((await checkResultsOf(tx, restore, withdrawal)).includes(outcome)) return
  const call = { kind, outcome, detail: note(CHECKED, { ...markerOf(restore), said: detail }) }
  await insertCall(tx, { merchantId: withdrawal.merchantId, withdrawalId: withdrawal.id }, call, app.clock.now())
}

/** More than a restored database holds. */
export const MAX_ROWS = 1_000_000

/** A debit without a payout. */
function isOutgoing({ state, reason }: StoredLine): boolean {
  return state === 'needs_review' && reason === 'outgoing'
}

export async function outgoingLines(db: Queryable): Promise<StoredLine[]> {
  return (await listLines(db, 'needs_review', MAX_ROWS)).filter(isOutgoing)
}

/** Whether the text of the line contains the withdrawal's id. */
export function namesWithdrawal({ narrative }: StoredLine, withdrawalId: string): boolean {
  return payoutReferences(narrative).includes(withdrawalId)
}

/** Ending a withdrawal returns its money. The bank may have paid one that is older than the mark, until a check finds it unsent. */
export async function mustNotAwaitCheck(db: Queryable, withdrawal: Withdrawal): Promise<void> {
  const open = await findOpenRestore(db)
  if (!open || withdrawal.createdAt > open.markedAt || (await isFoundUnsent(db, open, withdrawal))) return
  throw refuse('withdrawal_unchecked_after_restore')
}
