import { createHash } from 'node:crypto'

type Direction = 'credit' | 'debit'

/** One line of a bank statement, whichever source it came from: file, bank API, or a person. */
export type BankLine = {
  accountIban: string
  /** The bank's own number for it (sorgu no, dekont no), when the source has one. */
  bankReference: string | null
  amount: bigint
  direction: Direction
  /** yyyy-mm-dd, as the bank wrote it. */
  valueDate: string
  bookedAt: Date
  senderName: string
  senderIban: string | null
  narrative: string
}

export type LineState = 'new' | 'matched' | 'suspense' | 'queue'

export type StoredLine = Omit<BankLine, 'accountIban'> & {
  id: string
  collectingAccountId: string
  currency: string
  source: string
  state: LineState
  reason: string | null
  merchantId: string | null
  depositId: string | null
  createdAt: Date
  decidedAt: Date | null
}

/**
 * What makes a line the same line when it is seen again: the bank's number with amount, date and direction. Without a
 * number, everything that is written on it; then several equal lines of one reading are genuine, and are counted.
 */
export function naturalKey(line: BankLine): string {
  const fixed = [line.direction, line.amount.toString(), line.valueDate]
  if (line.bankReference) return ['ref', line.bankReference, ...fixed].join('|')
  const written = JSON.stringify([...fixed, line.bookedAt, line.senderName, line.senderIban, line.narrative])
  return `text|${createHash('sha256').update(written).digest('base64url')}`
}

/** Our own payouts carry their reference: `REF:` on the way out, `IADE` (return) on the way back. */
export function payoutReference(narrative: string): string | null {
  return /\b(?:REF:|IADE )([0-9a-f]{24})\b/.exec(narrative)?.[1] ?? null
}
