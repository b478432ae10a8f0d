import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Deposit } from '../../deposits/index.ts'
import { linesOfDeposit, selectUnconfirmed, waitingCorrections } from '../../statements/index.ts'

/** A line of the bank may say that another account has paid, or another amount; or the payment is not confirmed: no money goes back before. */
export async function mustNotBeSuspected(tx: Tx, { merchantId, id }: Deposit): Promise<void> {
  const ids = (await linesOfDeposit(tx, merchantId, id)).map((line) => line.id)
  if ((await selectUnconfirmed(tx, ids)).length > 0) throw refuse('refund_payment_not_confirmed')
  if ((await waitingCorrections(tx, ids)).length > 0) throw refuse('refund_correction_undecided')
}
