import type { BankLine, UnreadLine } from '../statements/index.ts'

type ConnectionKind = 'http_api' | 'manual'

/** How we talk to one bank. What it answers is a fact of the world, so it is a value and never an exception of ours. */
export type Connection = {
  kind: ConnectionKind
  /** Names the connection in logs and as the source of its lines. */
  name: string
  /** Lines after the cursor (from the beginning without one, or with an empty one), and the cursor to go on from. */
  statement: (cursor: string | undefined) => Promise<StatementPage>
  /** Sends a transfer. Anything but a clear yes or no is unknown: it may have happened. */
  submit: (order: PayoutOrder) => Promise<SubmitAnswer>
  /** What became of a transfer. `never_seen` is the bank's definite word that there is none. */
  find: (asked: AskedTransfer) => Promise<FindAnswer>
}

export type PayoutOrder = {
  /** Ours, the same at every try: the bank carries out one transfer per reference. */
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

/** What an answer is compared with. */
export type AskedTransfer = Pick<PayoutOrder, 'reference' | 'amount' | 'toIban' | 'currency'>

export type SubmitAnswer =
  | { outcome: 'accepted'; bankReference: string }
  /** `why` has the bank's own words, where there is more than the reason. */
  | { outcome: 'rejected'; reason: string; why?: string }
  /** Taken on, to be told later: by asking, by a statement line, or by a person. */
  | { outcome: 'pending' }
  | { outcome: 'unknown'; why: string }

export type FindAnswer = SubmitAnswer | { outcome: 'returned'; bankReference: string } | { outcome: 'never_seen' }

export type StatementPage =
  | { outcome: 'read'; lines: BankLine[]; unread: UnreadLine[]; cursor: string; more: boolean }
  | { outcome: 'unreachable'; why: string }
