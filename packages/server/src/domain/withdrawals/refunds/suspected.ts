import type { Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Deposit } from '../../deposits/index.ts'
import { linesOfDeposit, selectUnproven, waitingCorrections } from '../../statements/index.ts'

/** A line of the bank may say that another account has paid, or another amount; or no bank has shown the payment: no money goes back before. */
export async function mustNotBeSuspected(tx: Tx, { merchantId, id }: Deposit): Promise<void> {
  const ids = (await linesOfDeposit(tx, merchantId, id)).map((line) => line.id)
  if ((await selectUnproven(tx, ids)).length > 0)
    throw new Refusal(
      'INVALID_STATE',
      'The operator entered the payment of this deposit by hand, and the bank has not shown it yet. Repeat the refund when it has.',
    )
  const waiting = await waitingCorrections(tx, ids)
  if (waiting.length === 0) return
  throw new Refusal(
    'INVALID_STATE',
    'A line of the bank may correct or repeat the payment of this deposit, and the operator has not decided about it yet. Repeat the refund when that is decided.',
  )
}
