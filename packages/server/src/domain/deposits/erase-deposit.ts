import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { DAY_MS } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Deposit } from './deposit.ts'
import { LATE_PAYMENT_DAYS } from './deposit.ts'
import { eraseCustomer, lockDeposits } from './store.ts'

/** Refuses while money may still arrive for it. */
export async function lockEndedDeposit(
  { clock }: { clock: Clock },
  tx: Tx,
  merchantId: string,
  id: string,
): Promise<Deposit> {
  const [deposit] = await lockDeposits(tx, [merchantId], [id])
  if (!deposit) throw refuse('deposit_unknown', { deposit: id })
  const { status, expiresAt } = deposit
  if (status === 'pending' || status === 'processing') throw refuse('deposit_not_ended', { status })
  const lateUntil = new Date(expiresAt.getTime() + LATE_PAYMENT_DAYS * DAY_MS)
  if (status === 'expired' && lateUntil > clock.now())
    throw refuse('deposit_awaits_late_money', { until: lateUntil.toISOString() })
  return deposit
}

/** Returns the number of changed rows by table. */
export async function eraseDeposit(tx: Tx, deposit: Deposit): Promise<{ deposits: number }> {
  return { deposits: await eraseCustomer(tx, deposit) }
}
