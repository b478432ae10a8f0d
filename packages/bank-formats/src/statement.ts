import type { FileProblem } from './file-problems.ts'

/** Where something stands in a file, for the person who has to look at it. Lines and columns start at 1. */
export type Position = { line: number; column?: number; sheet?: string }

export type StatementFormat = 'camt.052' | 'camt.053' | 'camt.054' | 'mt940' | 'mt942' | 'csv' | 'xlsx'

/** As the file names it: an IBAN, or the bank's own number. At least one is known, or the file cannot be attributed. */
export type StatementAccount = { iban: string | null; number: string | null; currency: string | null }

/** Signed, in minor units. */
export type Balance = { amount: bigint; currency: string; on: string }

/** Dates are `yyyy-mm-dd` as the file has them, without a time zone. Amounts are positive, in minor units. */
export type StatementLine = {
  position: Position
  direction: 'credit' | 'debit'
  amount: bigint
  currency: string
  bookedOn: string
  /** ISO 8601 with seconds and zone, where the file gives a time with the booking date. One without a zone is Istanbul's. */
  bookedAt: string | null
  valueOn: string | null
  /** `pending` lines are announcements: they come again when they are booked. */
  status: 'booked' | 'pending'
  /** The bank takes back an earlier line; `direction` is that of this line. */
  reversal: boolean
  /** The payment was sent back by its receiver: the bank's code for the reason, or '' if it gives none. */
  returned: string | null
  /** The bank's own number: sorgu no, dekont no, AcctSvcrRef. */
  bankReference: string | null
  /** What the payer or we gave as reference: EndToEndId, :61: customer reference. */
  endToEndReference: string | null
  counterpartyName: string | null
  counterpartyIban: string | null
  narrative: string
  /** The balance after this line, where the file gives it. */
  balance: bigint | null
  /** For a line opened out of a batch entry: the entry's own number of lines and its reference. */
  batch: { lines: number; bankReference: string | null } | null
}

export type StatementHead = {
  format: StatementFormat
  /** The bank's number of the statement. */
  id: string | null
  account: StatementAccount
  from: string | null
  to: string | null
  opening: Balance | null
  /** One page of several (camt): the balances and totals may be those of all. */
  page?: { number: number; isLast: boolean }
}

/**
 * What only the end of a statement tells. `lines`, `credits` and `debits` are counted; the sums are of lines in the account's
 * currency. With problems the statement was read whole, but lines may be missing: import it only if a person accepts them.
 */
export type StatementFoot = {
  closing: Balance | null
  lines: number
  credits: bigint
  debits: bigint
  problems: FileProblem[]
}

/** In the order of the file: a head, its lines, a foot, the next head. One line is in memory at a time. */
export type StatementEvent =
  | { kind: 'head'; head: StatementHead }
  | { kind: 'line'; line: StatementLine }
  | { kind: 'foot'; foot: StatementFoot }

/** The bytes of a file, in pieces of any size. */
export type Bytes = AsyncIterable<Uint8Array>

export type StatementReader = (bytes: Bytes) => AsyncGenerator<StatementEvent>

export type Statement = StatementHead & StatementFoot & { entries: StatementLine[] }

/** A whole file in memory, for previews and tests. */
export async function collectStatements(events: AsyncIterable<StatementEvent>): Promise<Statement[]> {
  const statements: Statement[] = []
  let head: StatementHead | null = null
  let entries: StatementLine[] = []
  for await (const event of events) {
    if (event.kind === 'head') [head, entries] = [event.head, []]
    else if (event.kind === 'line') entries.push(event.line)
    else if (head) statements.push({ ...head, ...event.foot, entries })
  }
  return statements
}
