import type { Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Deposit } from '../../deposits/index.ts'
import { linesOfDeposit, waitingCorrections } from '../../statements/index.ts'

/** A line of the bank may say that another account has paid, or another amount: no money goes back before a person has looked. */
export async function mustNotBeSuspected(tx: Tx, { merchantId, id }: Deposit): Promise<void> {
  const lines = await linesOfDeposit(tx, merchantId, id)
  const waiting = await waitingCorrections(
    tx,
    lines.map((line) => line.id),
  )
  if (waiting.length === 0) return
  throw new Refusal(
    'INVALID_STATE',
    'A line of the bank may correct or repeat the payment of this deposit, and the operator has not decided about it yet. Repeat the refund when that is decided.',
  )
}
