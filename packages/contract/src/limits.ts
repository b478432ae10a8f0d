/** What a request may hold. Lengths of texts are in characters. */
export const LIMITS = {
  bodyBytes: 64 * 1024,
  /** Room for a merchant's own references; larger things belong in the merchant's own database. */
  metadataBytes: 4096,
  processId: 50,
  /** The largest whole number that every JSON reader keeps exactly. */
  amount: Number.MAX_SAFE_INTEGER,
  bankId: 24,
  customerId: 100,
  username: 100,
  personName: 140,
  /** The rails take names of 3 to 140 characters. */
  accountName: { min: 3, max: 140 },
  /** With room for spaces; what counts is the compact form. */
  iban: 64,
  returnUrl: 2048,
  refundReason: 200,
  time: 40,
  pageSize: { default: 20, max: 100 },
} as const
