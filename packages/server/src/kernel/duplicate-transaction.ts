import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../platform/refusal.ts'

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
  const comparison =
    differs.length === 0 ? 'It is the same request.' : `This request differs from the first in ${differs.join(', ')}.`
  return new Refusal(
    'DUPLICATE_TRANSACTION',
    `A ${kind} with processId ${JSON.stringify(first.processId)} already exists. ${comparison} See GET /v1/transactions/${first.id}.`,
    { details: { transactionId: first.id, differs } },
  )
}
