import type { RejectionReason } from '../bank-event.ts'

/** Codes of ISO 20022 for the reason of a rejection. */
export type StatusCode =
  | 'AC01'
  | 'AC02'
  | 'AC04'
  | 'AG01'
  | 'AM01'
  | 'AM02'
  | 'AM03'
  | 'AM04'
  | 'AM10'
  | 'AM18'
  | 'BE01'
  | 'DU01'
  | 'DU04'
  | 'FF01'
  | 'MS03'

export const CODE_OF: Record<RejectionReason, StatusCode> = {
  insufficient_funds: 'AM04',
  invalid_iban: 'AC01',
  account_closed: 'AC04',
  name_mismatch: 'BE01',
  limit_exceeded: 'AM02',
  wrong_currency: 'AM03',
  reversed: 'MS03',
}

/** A payment of a file and what the bank did with it. */
export type OrderPayment = {
  paymentInfoId: string
  instructionId: string | null
  endToEnd: string
  from: string
  to: string
  toName: string
  amount: bigint
  currency: string
  narrative: string
  /** The number of the booking, or why there is none. */
  number: string | null
  code: StatusCode | null
}

/** Number of the booking of all payments of one PmtInf. */
type OrderBatch = { paymentInfoId: string; number: string; asOne: boolean }

export type ReportTerms = {
  version: '03' | '10' | '11'
  level: 'group' | 'payment' | 'transaction'
  /** `later`: the first report says ACSP, the one of the next exchange ACSC. */
  settle: 'now' | 'later'
}

/** A pain.001 that was received, with all its effects: one journal line, so that it is executed whole or not at all. */
export type OrderFile = {
  /** The bank's own number of the receipt: the same file sent again has another. */
  receipt: string
  name: string
  folder: string
  /** Null if the file could not be read so far. */
  messageId: string | null
  messageName: string
  at: string
  /** The whole file is refused. */
  refused: { code: StatusCode; text: string } | null
  batches: OrderBatch[]
  payments: OrderPayment[]
  report: ReportTerms
}
