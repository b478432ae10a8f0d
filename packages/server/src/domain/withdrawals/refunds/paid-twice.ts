import { formatMoney } from '../../../kernel/money.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
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
  if (waiting === 0n) return
  throw new Refusal(
    'INVALID_STATE',
    `This deposit was paid twice. The second payment, ${formatMoney(waiting, deposit.currency)}, is not in the balance and waits for the operator, who sends it back; a refund would take the first. Repeat it when the second is decided, or refund the first on its page of the merchant console, which asks.`,
  )
}
