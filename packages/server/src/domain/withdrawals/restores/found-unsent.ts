import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { PayoutCall } from '../bank-calls/store.ts'
import { insertCall, callsOf } from '../bank-calls/store.ts'
import type { Restore } from './store.ts'
import { namesWithdrawal, outgoingLines } from './unexplained.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** In the record of calls, with every answer of a check. Another mark makes another stamp: answers from before it do not count. */
const stampOf = ({ number, markedAt }: Restore) => `restore ${number}, marked ${markedAt.toISOString()}`

const UNSENT = new Set(['never_seen', 'not_sent'])

/** What the checks of this restore were told about the withdrawal: by the bank, or by a person. */
async function answersOf(db: Queryable, restore: Restore, { merchantId, id }: Withdrawal): Promise<string[]> {
  const calls = await callsOf(db, merchantId, id)
  return calls.filter(({ detail }) => detail?.startsWith(stampOf(restore))).map(({ outcome }) => outcome)
}

/**
 * Two checks may record in another order than they asked: once the bank has said that it has it, *never seen* counts no more. Nor
 * does it when a debit that was read since names the withdrawal.
 */
export async function isFoundUnsent(db: Queryable, restore: Restore, withdrawal: Withdrawal): Promise<boolean> {
  const answers = await answersOf(db, restore, withdrawal)
  if (answers.length === 0 || !answers.every((one) => UNSENT.has(one))) return false
  return !(await outgoingLines(db)).some((line) => namesWithdrawal(line, withdrawal.id))
}

/** The caller has locked the withdrawal. An answer that was recorded before is not recorded again. */
export async function recordAnswer(
  app: { clock: Clock },
  tx: Tx,
  restore: Restore,
  withdrawal: Withdrawal,
  { kind, outcome, detail }: PayoutCall,
): Promise<void> {
  if ((await answersOf(tx, restore, withdrawal)).includes(outcome)) return
  const call = { kind, outcome, detail: [stampOf(restore), detail].filter(Boolean).join(': ') }
  await insertCall(tx, { merchantId: withdrawal.merchantId, withdrawalId: withdrawal.id }, call, app.clock.now())
}
