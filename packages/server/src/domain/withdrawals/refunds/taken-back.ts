import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Deposit } from '../../deposits/index.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import type { StoredLine } from '../../statements/index.ts'
import { payoutReferences, unexplainedDebitsSince } from '../../statements/index.ts'

/** Far more than wait for people at a time. */
export const MAX_READ = 1000
/** Some banks book by day: at its beginning. */
const DAY_MS = 86_400_000

/**
 * A debit that no one has explained and that has the code or id of the deposit may take its payment back. Refunded meanwhile, the
 * money would leave twice.
 */
export async function mustNotBeTakenBack(tx: Tx, deposit: Deposit): Promise<void> {
  if (deposit.status !== 'completed') return
  const debits = await unexplainedDebitsSince(tx, since(deposit), MAX_READ)
  if (debits.some((debit) => namesDeposit(debit, deposit))) throw refuse('refund_debit_unexplained')
}

/** No line about the deposit is booked before. */
export const since = ({ createdAt }: Deposit) => new Date(createdAt.getTime() - DAY_MS)

export function namesDeposit({ narrative }: StoredLine, { id, referenceCode }: Deposit): boolean {
  if (payoutReferences(narrative).includes(id)) return true
  return findReferenceCodes(narrative).some(({ code }) => code === referenceCode)
}
