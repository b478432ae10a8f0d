import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import { merchantActor } from '../../kernel/actor.ts'
import { NO_FEE } from '../../kernel/money.ts'
import type { lockAccounts } from '../ledger/index.ts'
import { NO_MERCHANT, placeHolds } from '../ledger/index.ts'
import { draft, setMarks } from './create-withdrawals.ts'
import { insertWithdrawals } from './store.ts'

export type Refund = { processId: string; amount: bigint; currency: string; iban: string; accountName: string }

/**
 * A withdrawal of the house merchant, without a fee, in the caller's transaction. The caller has locked the accounts of its
 * hold, and has put the money there. Its journal entry took one person or two, so no rule holds it up.
 */
export async function createRefund(
  app: { clock: Clock; ids: Ids; marks: Marks },
  tx: Tx,
  accounts: Awaited<ReturnType<typeof lockAccounts>>,
  refund: Refund,
): Promise<string> {
  const now = app.clock.now()
  const person = { userId: 'house', userName: 'house', name: refund.accountName }
  const request = { ...refund, ...person, bankId: null, actor: merchantActor(NO_MERCHANT) }
  const feeTerms = [{ effectiveFrom: now, deposit: NO_FEE, withdraw: NO_FEE }]
  const withdrawal = draft(app, { ...request, feeTerms }, now)
  await setMarks(app, [withdrawal])
  await insertWithdrawals(tx, [withdrawal], now)
  const { id: subjectId, amount, currency } = withdrawal
  await placeHolds(app, tx, accounts, [{ merchantId: NO_MERCHANT, subjectId, currency, amount }])
  return subjectId
}
