import { note } from '../../../kernel/refusals/note.ts'
import type { Notices } from '../../../kernel/refusals/note.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { CallDetail, PayoutCall } from '../bank-calls/store.ts'
import { insertCall, callsOf } from '../bank-calls/store.ts'
import { selectLinesNaming } from '../../statements/index.ts'
import type { Restore } from './store.ts'
import { isOutgoing, MAX_ROWS, namesWithdrawal } from './unexplained.ts'
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
