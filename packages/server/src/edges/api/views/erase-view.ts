import { ERASED, ERASED_IBAN, ERASED_METADATA } from '../../../kernel/erased.ts'

const MARKERS: Record<string, unknown> = {
  customer: { id: ERASED, name: ERASED, username: ERASED },
  iban: ERASED_IBAN,
  accountName: ERASED,
  userId: ERASED,
  userName: ERASED,
  name: ERASED,
  refundReason: ERASED,
  metadata: ERASED_METADATA,
}

/** The transaction in an event, as `GET /v1/transactions/{id}` shows it after erasure. Missing fields stay missing. */
export function eraseView(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).map(([field, value]) => [field, MARKERS[field] ?? value]))
}
