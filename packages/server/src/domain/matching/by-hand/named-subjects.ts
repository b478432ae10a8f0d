import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { selectByReferenceCodes } from '../../deposits/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { payoutReferences } from '../../statements/index.ts'
import { selectPayoutsById } from '../../withdrawals/index.ts'

/** Ids of the deposits and payouts of ours that the text of a line names. */
export async function subjectsNamedBy(
  db: Queryable,
  { narrative, candidateWithdrawalId }: Pick<StoredLine, 'narrative' | 'candidateWithdrawalId'>,
): Promise<Set<string>> {
  const deposits = await selectByReferenceCodes(
    db,
    findReferenceCodes(narrative).map(({ code }) => code),
  )
  const payouts = await selectPayoutsById(db, payoutReferences(narrative))
  const kept = candidateWithdrawalId === null ? [] : [candidateWithdrawalId]
  return new Set([...deposits.map(({ id }) => id), ...payouts.map(({ withdrawalId }) => withdrawalId), ...kept])
}
