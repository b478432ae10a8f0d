import type { Queryable } from '../../../platform/postgres/db.ts'
import { NO_MERCHANT } from '../../ledger/index.ts'
import type { Withdrawal } from '../../withdrawals/index.ts'
import { listWithdrawals } from '../../withdrawals/index.ts'

const ANY_TIME = {
  before: 'g',
  notBefore: '',
  from: new Date(0),
  to: new Date(8.64e15),
  limit: 1,
}

/** The withdrawal that a posted refund made. */
export async function refundOf(db: Queryable, journalId: string): Promise<Withdrawal | undefined> {
  const [withdrawal] = await listWithdrawals(db, NO_MERCHANT, { ...ANY_TIME, processId: journalId })
  return withdrawal
}
