import type { Queryable } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../../statements/index.ts'
import { listLines, payoutReferences } from '../../statements/index.ts'

/** More than a restored database holds. */
export const MAX_ROWS = 1_000_000

/** A debit without a payout. */
export function isOutgoing({ state, reason }: StoredLine): boolean {
  return state === 'needs_review' && reason === 'outgoing'
}

export async function outgoingLines(db: Queryable): Promise<StoredLine[]> {
  return (await listLines(db, 'needs_review', MAX_ROWS)).filter(isOutgoing)
}

/** Whether the text of the line contains the withdrawal's id. */
export function namesWithdrawal({ narrative }: StoredLine, withdrawalId: string): boolean {
  return payoutReferences(narrative).includes(withdrawalId)
}
