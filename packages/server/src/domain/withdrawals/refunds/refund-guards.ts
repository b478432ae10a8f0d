import { sumOf } from '../../../kernel/money.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { Deposit } from '../../deposits/index.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import type { StoredLine } from '../../statements/index.ts'
import {
  duplicatesInSuspense,
  linesOfDeposit,
  payoutReferences,
  selectUnconfirmed,
  unexplainedDebitsSince,
  waitingCorrections,
} from '../../statements/index.ts'

/** Far more than wait for people at a time. */
const MAX_READ = 1000

/**
 * A debit that no one has explained and that has the code or id of the deposit may take its payment back. Refunded meanwhile, the
 * money would leave twice.
 */
export async function mustNotBeTakenBack(tx: Tx, deposit: Deposit): Promise<void> {
  if (deposit.status !== 'completed') return
  const debits = await unexplainedDebitsSince(tx, since(deposit), MAX_READ)
  if (debits.some((debit) => namesDeposit(debit, deposit))) throw refuse('refund_debit_unexplained')
}

/** No line about the deposit is booked before: some banks book by day, at its beginning. */
const since = ({ createdAt }: Deposit) => new Date(createdAt.getTime() - DAY_MS)

function namesDeposit({ narrative }: StoredLine, { id, referenceCode }: Deposit): boolean {
  if (payoutReferences(narrative).includes(id)) return true
  return findReferenceCodes(narrative).some(({ code }) => code === referenceCode)
}

/** A line of the bank may say that another account has paid, or another amount; or the payment is not confirmed: no money goes back before. */
export async function mustNotBeSuspected(tx: Tx, { merchantId, id }: Deposit): Promise<void> {
  const ids = (await linesOfDeposit(tx, merchantId, id)).map((line) => line.id)
  if ((await selectUnconfirmed(tx, ids)).length > 0) throw refuse('refund_payment_not_confirmed')
  if ((await waitingCorrections(tx, ids)).length > 0) throw refuse('refund_correction_undecided')
}

/** What was paid for the deposit a second time and waits in suspense: no merchant has it. Zero: nothing. */
export async function waitingDuplicates(db: Queryable, deposit: Deposit): Promise<bigint> {
  // Set with the line's state, under the deposit's lock.
  if (!deposit.flags.includes('duplicate')) return 0n
  const lines = await duplicatesInSuspense(db, since(deposit), MAX_READ)
  return sumOf(lines.filter((line) => namesDeposit(line, deposit)))
}

/** Who refunds a deposit that was paid twice mostly means the second payment, which costs the merchant nothing. */
export async function mustNotBePaidTwice(db: Queryable, deposit: Deposit): Promise<void> {
  const waiting = await waitingDuplicates(db, deposit)
  if (waiting > 0n) throw refuse('refund_second_payment_waits', { waiting: money(waiting, deposit.currency) })
}
