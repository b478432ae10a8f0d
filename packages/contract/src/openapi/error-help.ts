import type { ErrorCode } from '../errors.ts'

/** What each code means and what to do about it. */
export const ERROR_HELP: Record<ErrorCode, { why: string; fix: string }> = {
  INVALID_API_KEY: {
    why: 'X-API-Key is missing, sent twice, unknown or revoked.',
    fix: 'Send the key of this deployment, once. A sandbox key does not work live.',
  },
  MISSING_SIGNATURE: { why: 'X-Signature is missing.', fix: 'Sign the request and send the header.' },
  MISSING_TIMESTAMP: { why: 'X-Timestamp is missing.', fix: 'Send the Unix time that you signed, in whole seconds.' },
  TIMESTAMP_EXPIRED: {
    why: 'X-Timestamp is not ten digits, or differs by more than 300 seconds from our clock.',
    fix: 'Synchronise the clock of your machine (NTP), use seconds, and sign just before sending.',
  },
  INVALID_SIGNATURE: {
    why: 'The signature is not the expected one.',
    fix: 'Sign timestamp + METHOD + path with query + the exact bytes of the body. A sandbox returns the string it signed and names the usual mistakes.',
  },
  IP_NOT_WHITELISTED: {
    why: 'The address of the caller is not on your list.',
    fix: 'Add the address that the message names, or call from a listed one.',
  },
  ACCOUNT_SUSPENDED: {
    why: 'The operator has frozen your account: no new deposits, withdrawals or refunds.',
    fix: 'Contact the operator. Everything else still works.',
  },
  VALIDATION_ERROR: {
    why: 'A field or the body is missing, malformed or not allowed.',
    fix: 'Correct the fields in `details`. Meanings are checked after types, so a corrected request may be refused for another field.',
  },
  DUPLICATE_TRANSACTION: {
    why: 'The processId was used before. Nothing was created.',
    fix: 'If `details.differs` is empty, it was your own retry: read `details.transactionId`. Otherwise use a new processId.',
  },
  AMOUNT_OUT_OF_RANGE: {
    why: 'The bank does not accept this amount, or a refund is larger than what is left of the deposit.',
    fix: 'Keep to `details.minAmount` and `details.maxAmount`.',
  },
  INVALID_IBAN: {
    why: 'The IBAN is not a valid Turkish one.',
    fix: 'Ask the customer again; the message says what is wrong.',
  },
  INSUFFICIENT_BALANCE: {
    why: 'Amount and fee exceed your available balance.',
    fix: 'Compare `details.available` with `details.needed`. Wait for deposits, or order less.',
  },
  NOT_FOUND: {
    why: 'Nothing is at this path, or you have no such transaction, event or endpoint.',
    fix: 'Check the path and the id. Look a processId up with GET /v1/transactions?processId=….',
  },
  METHOD_NOT_ALLOWED: { why: 'The path exists with another method.', fix: 'Use a method of the header Allow.' },
  INVALID_STATE: {
    why: 'The transaction is no longer in a state that allows this, or no endpoint can receive the event.',
    fix: 'Read the transaction, and decide again.',
  },
  REQUEST_REPEATED: {
    why: 'A call without a processId was received again with the same signature. It ran at most once.',
    fix: 'Look the result up with GET. To repeat the call, sign it again.',
  },
  PAYLOAD_TOO_LARGE: { why: 'The body is larger than 64 kB.', fix: 'Send less. `metadata` takes 4096 bytes.' },
  UNSUPPORTED_MEDIA_TYPE: { why: 'The body is not sent as JSON.', fix: 'Send `content-type: application/json`.' },
  RATE_LIMITED: {
    why: 'Too many requests, failed authentications, lists at once or pending deposits.',
    fix: 'Wait for the seconds in Retry-After.',
  },
  INTERNAL_ERROR: {
    why: 'A fault of the service.',
    fix: 'Look up whether it took effect, then repeat it. Report the requestId.',
  },
  SERVICE_UNAVAILABLE: {
    why: 'The service cannot write at this moment. The message says that nothing was saved, or that the outcome is unknown.',
    fix: 'Wait for the seconds in Retry-After, then send the same request again with a new signature.',
  },
}
