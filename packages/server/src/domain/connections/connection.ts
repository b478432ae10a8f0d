import type { Said } from '../../platform/refusal.ts'
import type { BankLine, UnreadLine } from '../statements/index.ts'

export type ConnectionKind = 'http_api' | 'file_exchange' | 'manual'

/** How we talk to one bank. A bank's response is a value, never an exception. */
export type Connection = {
  kind: ConnectionKind
  /** Identifies the connection in logs and as the source of its lines. */
  name: string
  /** Payouts cannot leave over it: they wait until it is configured to send. */
  sendsNothing?: true
  /** Lines after the cursor (from the beginning if it is absent or empty), and the next cursor. */
  statement: (cursor: string | undefined) => Promise<StatementPage>
  /** Sends a transfer. Anything but a definite yes or no is unknown: it may have happened. */
  submit: (order: PayoutOrder) => Promise<SubmitAnswer>
  /** Queries a transfer. `never_seen` is the bank's definite response that there is none. */
  find: (asked: AskedTransfer) => Promise<FindAnswer>
}

/** One rule that a connection must keep, and what was found. Those of a bank's API are English, for its engineers. */
export type ConnectionCheck = { check: string; ok: boolean; expected: string | Said; found: string | Said }

/** Read every second and called for each payout. With `file_exchange` both happen in files, in other workers. */
export function isPolled({ kind }: Pick<Connection, 'kind'>): boolean {
  return kind !== 'file_exchange'
}

export type PayoutOrder = {
  /** Ours, the same at every attempt: the bank executes one transfer per reference. */
  reference: string
  fromIban: string
  toIban: string
  toName: string
  amount: bigint
  currency: string
  rail: string
  description: string
  purposeCode: string
}

/** What a response is compared with. */
export type AskedTransfer = Pick<PayoutOrder, 'reference' | 'amount' | 'toIban' | 'currency'>

export type SubmitAnswer =
  /** Executed: the money has left the account. */
  | { outcome: 'accepted'; bankReference: string }
  /** `why` has what the bank wrote, if it says more than the reason. */
  | { outcome: 'rejected'; reason: string; why?: Said }
  /** The bank has the order; the outcome follows from a query, a statement line, or a person. */
  | { outcome: 'pending' }
  /** The bank says that it has the order, and something else that does not fit: only people or a plain *accepted* decide. */
  | { outcome: 'contradictory'; why: Said }
  | { outcome: 'unknown'; why: Said }

export type FindAnswer = SubmitAnswer | { outcome: 'returned'; bankReference: string } | { outcome: 'never_seen' }

export type StatementPage =
  | { outcome: 'read'; lines: BankLine[]; unread: UnreadLine[]; cursor: string; more: boolean }
  | { outcome: 'unreachable'; why: Said }
