import { money } from '../../../kernel/refusals/facts.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Deposit } from '../../deposits/index.ts'
import { duplicatesInSuspense } from '../../statements/index.ts'
import { MAX_READ, namesDeposit, since } from './taken-back.ts'

/** What was paid for the deposit a second time and waits in suspense: no merchant has it. Zero: nothing. */
export async function waitingDuplicates(db: Queryable, deposit: Deposit): Promise<bigint> {
  // Set with the line's state, under the deposit's lock.
  if (!deposit.flags.includes('duplicate')) return 0n
  const lines = await duplicatesInSuspense(db, since(deposit), MAX_READ)
  return lines.filter((line) => namesDeposit(line, deposit)).reduce((sum, { amount }) => sum + amount, 0n)
}

/** Who refunds a deposit that was paid twice mostly means the second payment, which costs the merchant nothing. */
export async function mustNotBePaidTwice(db: Queryable, deposit: Deposit): Promise<void> {
  const waiting = await waitingDuplicates(db, deposit)
  if (waiting > 0n) throw refuse('refund_second_payment_waits', { waiting: money(waiting, deposit.currency) })
}
