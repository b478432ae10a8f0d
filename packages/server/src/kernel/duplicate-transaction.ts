import { isDeepStrictEqual } from 'node:util'
import type { Refusal } from '../platform/refusal.ts'
import { refuse } from './refusals/refuse.ts'

/** A field of the request, spelled as in the API, with its values in the first request and in this one. */
export type Compared = Record<string, [first: unknown, again: unknown]>

/** Names the differences, so that the caller can tell its own retry from a processId used for something else. */
export function duplicateTransaction(
  kind: 'deposit' | 'withdrawal',
  first: { id: string; processId: string },
  compared: Compared,
): Refusal {
  const differs = Object.keys(compared).filter(
    (field) => !isDeepStrictEqual(...(compared[field] as [unknown, unknown])),
  )
  const { id: transaction, processId } = first
  const details = { transactionId: transaction, differs }
  return refuse('transaction_exists', { kind, processId, transaction, differs }, { details })
}
