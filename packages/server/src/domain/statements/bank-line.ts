import { createHash } from 'node:crypto'
import { ERASED } from '../../kernel/erased.ts'
import { foldText, sameName } from '../../kernel/fold.ts'
import { ibanFault, normaliseIban } from '../../kernel/iban.ts'

type Direction = 'credit' | 'debit'

/** One line of a bank statement from any source: file, bank API, or a person. */
export type BankLine = {
  accountIban: string
  /** The bank's own number for the line (sorgu no, dekont no), if the source has one. */
  bankReference: string | null
  amount: bigint
  direction: Direction
  /** yyyy-mm-dd, as the bank wrote it. */
  valueDate: string
  bookedAt: Date
  senderName: string
  senderIban: string | null
  narrative: string
  /** As the bank wrote it, if it did. */
  currency?: string | undefined
  /** The bank gave a day and no time: `bookedAt` is its start in Istanbul. */
  wholeDay?: boolean
  /** Of a line that was opened out of a batch entry: the bank's number of the entry and its sum, negative for debits. */
  batch?: { reference: string; total: bigint } | null
  /** 2 for the second of equal numbered lines of a statement whose balances include both. */
  occurrence?: number
}

/** `dismissed`: a person decided that it is not separate money, e.g. a corrected repeat of another line. */
export const LINE_STATES = ['new', 'matched', 'suspense', 'needs_review', 'dismissed'] as const
export type LineState = (typeof LINE_STATES)[number]

/** `confirmed_by` of a line whose own source is final: a feed of the bank, or a statement of whole days. */
export const ITS_SOURCE = 'source'

export type StoredLine = Omit<BankLine, 'accountIban' | 'currency' | 'wholeDay' | 'batch' | 'occurrence'> & {
  id: string
  wholeDay: boolean
  collectingAccountId: string
  currency: string
  source: string
  state: LineState
  reason: string | null
  merchantId: string | null
  depositId: string | null
  /** The line whose number this one repeats with different data: a suspected correction. */
  correctsLineId: string | null
  statementId: string
  /** The payout that the line belongs to. */
  withdrawalId: string | null
  /** The payout that its text names. */
  candidateWithdrawalId: string | null
  createdAt: Date
  decidedAt: Date | null
  /** The journal entry that explains the line. */
  journalId: string | null
  /** An unexplained debit that the ledger has taken from the cash of its account. */
  isBooked: boolean
  /** `ITS_SOURCE`, or the file whose final statement contains it; null: none yet. See `isUnconfirmed`. */
  confirmedBy: string | null
}

type Facts = Omit<BankLine, 'accountIban' | 'wholeDay' | 'batch' | 'occurrence'>

/**
 * A key of all fields of a line. Equal lines with a number are one line read twice, unless balances prove both; equal
 * lines without a number within one reading are separate payments, and are counted.
 */
export function naturalKey(line: Facts): string {
  const { direction, amount, valueDate, bookedAt, senderName, senderIban, narrative } = line
  const written = [direction, amount.toString(), valueDate, bookedAt, senderName, senderIban, narrative]
  const hash = createHash('sha256').update(JSON.stringify(written)).digest('base64url')
  return line.bankReference ? `number|${line.bankReference}|${hash}` : `text|${hash}`
}

type Sender = Pick<Facts, 'senderIban' | 'senderName'>

/**
 * Numbers repeat between sending banks, so another sender is another payment. Without two IBANs, a name that is
 * missing, erased or possibly equal counts as the same sender: a person then decides, and nothing is credited twice.
 */
export function sameSender(a: Sender, b: Sender): boolean {
  if (a.senderIban && b.senderIban) return normaliseIban(a.senderIban) === normaliseIban(b.senderIban)
  if (a.senderName === ERASED || b.senderName === ERASED) return true
  const [nameA, nameB] = [foldText(a.senderName), foldText(b.senderName)]
  return nameA === '' || nameB === '' || nameA === nameB || sameName(a.senderName, b.senderName)
}

/** Same time, amount, date and text: the bank has corrected the sender. */
export function sameBooking(a: Facts, b: Facts): boolean {
  const [timeA, timeB] = [a.bookedAt.getTime(), b.bookedAt.getTime()]
  return timeA === timeB && a.amount === b.amount && a.valueDate === b.valueDate && a.narrative === b.narrative
}

/** Characters of the longest text that is read. The database function `ids_in` searches as many. */
export const MAX_NARRATIVE = 20_000

/**
 * Everything in a text that may be one of our payout references: 24 hex characters in any case, also inside a longer
 * run, because banks drop punctuation and `REF` and `IADE` end in hex letters. Finds candidates, decides nothing.
 */
export function payoutReferences(narrative: string): string[] {
  const text = narrative.slice(0, MAX_NARRATIVE).toLowerCase()
  const found = [...text.matchAll(/(?=([0-9a-f]{24}))/g)].filter(({ index }) => !isWithinIban(text, index))
  return [...new Set([...found.map(([, reference]) => reference as string), ...brokenReferences(text)])]
}

/** An id split by spaces, dots, dashes or line breaks: it begins or ends at a word boundary. Digits alone are dates and numbers. */
function brokenReferences(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u)
  const joined = words.join('')
  let end = 0
  const found = words.flatMap((word) => {
    const start = end
    end += word.length
    return [joined.slice(start, start + 24), joined.slice(Math.max(end - 24, 0), end)]
  })
  return found.filter((reference) => /^[0-9a-f]{24}$/.test(reference) && /[a-f]/.test(reference))
}

/** A Turkish IBAN is TR and 24 digits. They are frequent in statements. */
function isWithinIban(text: string, index: number): boolean {
  return ibanFault(text.slice(index - 2, index + 24).toUpperCase()) === null
}

type Decided = Pick<
  StoredLine,
  | 'state'
  | 'reason'
  | 'merchantId'
  | 'depositId'
  | 'withdrawalId'
  | 'candidateWithdrawalId'
  | 'createdAt'
  | 'decidedAt'
  | 'journalId'
  | 'isBooked'
>

/** Reason of a line that is the same booking as one that people had entered. */
export const ENTERED_BY_HAND = 'entered_by_hand'

export type NewLine = Omit<StoredLine, keyof Decided> & {
  state: LineState
  reason: string | null
  decidedAt: Date | null
  naturalKey: string
  occurrence: number
  /** Judged by payout matching first: a debit, or a credit whose text may name a payout. */
  forPayouts: boolean
  statementFileId: string | null
  batchReference: string | null
}

export type LineKey = Pick<NewLine, 'naturalKey' | 'occurrence'>

/** A new line before it is compared with stored ones. */
export type Draft = Omit<NewLine, 'correctsLineId' | 'statementId' | 'state' | 'reason' | 'decidedAt'> &
  Pick<BankLine, 'batch'>

export type LineDecision = {
  id: string
  /** The state in which it was read. */
  from: LineState
  state: LineState
  reason: LineReason | null
  /** Whose money it is, or for whom it is held. */
  deposit: { id: string; merchantId: string } | null
}

export type PayoutLineDecision = {
  state: 'matched' | 'needs_review' | 'suspense'
  reason: LineReason
  /** The payout whose debit or return it is. */
  payout: { withdrawalId: string; merchantId: string } | null
  candidateWithdrawalId: string | null
}

export type LineTotal = { currency: string; count: number; amount: bigint; oldest: Date }

export type StatementTotal = { statementId: string; lines: number; credits: bigint; debits: bigint }

/** Columns of a new line, in insertion order. */
export const NEW_LINE = {
  id: 'text',
  collectingAccountId: 'text',
  naturalKey: 'text',
  occurrence: 'int',
  source: 'text',
  bankReference: 'text',
  amount: 'bigint',
  currency: 'text',
  direction: 'text',
  valueDate: 'date',
  bookedAt: 'timestamptz',
  senderName: 'text',
  senderIban: 'text',
  narrative: 'text',
  forPayouts: 'boolean',
  correctsLineId: 'text',
  statementId: 'text',
  wholeDay: 'boolean',
  statementFileId: 'text',
  batchReference: 'text',
  state: 'text',
  reason: 'text',
  decidedAt: 'timestamptz',
  confirmedBy: 'text',
  mark: 'text',
} as const

/** Why a line is in its state, or what was decided about it. Beside these: the kind of the journal entry that explains it. */
export type LineReason =
  /** Credited without a person. */
  | ('exact' | 'rest_arrived' | 'within_tolerance' | 'received_accepted')
  /** Held for a deposit. */
  | ('short' | 'over' | 'third_party_sender' | 'late_review')
  /** In suspense. */
  | ('no_reference' | 'unknown_reference' | 'ambiguous' | 'uncertain_reference' | 'wrong_account' | 'duplicate')
  | ('deposit_cancelled' | 'deposit_failed' | 'too_late' | 'own_transfer' | 'refund_failed')
  /** Of a payout, or about one. */
  | ('payout_sent' | 'payout_returned' | 'payout_taken_back' | 'payout_no_debit' | 'payout_ambiguous')
  | ('payout_differs' | 'payout_line_twice' | 'payout_other_sender' | 'payout_other_recipient' | 'payout_second_debit')
  /** Needs a person. */
  | ('outgoing' | 'suspected_correction' | 'cannot_be_booked')
  /** Decided by people. */
  | ('by_hand' | 'same_money' | 'new_money' | 'replaces' | 'replaced' | 'restored' | 'retry' | 'dismissed')
  | 'import_undone'
  | 'entered_by_hand'

/** What a decision makes of a line. */
export type LineVerdict = 'complete' | 'hold' | 'matched' | 'suspense' | 'needs_review' | 'dismissed' | 'new'
