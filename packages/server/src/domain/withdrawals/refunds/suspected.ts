import type { Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Deposit } from '../../deposits/index.ts'
import { linesOfDeposit, selectUnconfirmed, waitingCorrections } from '../../statements/index.ts'

/** A line of the bank may say that another account has paid, or another amount; or the payment is not confirmed: no money goes back before. */
export async function mustNotBeSuspected(tx: Tx, { merchantId, id }: Deposit): Promise<void> {
  const ids = (await linesOfDeposit(tx, merchantId, id)).map((line) => line.id)
  if ((await selectUnconfirmed(tx, ids)).length > 0)
    throw new Refusal(
      'INVALID_STATE',
      'No final statement of the bank contains the payment of this deposit yet. Repeat the refund when one does.',
    )
  const waiting = await waitingCorrections(tx, ids)
  if (waiting.length === 0) return
  throw new Refusal(
    'INVALID_STATE',
    'A line of the bank may correct or repeat the payment of this deposit, and the operator has not decided about it yet. Repeat the refund when that is decided.',
  )
}
