import { parseExactly, writtenNumber } from '../../platform/json/exact-numbers.ts'
import { note } from '../../kernel/refusals/note.ts'
import type { LineField } from '../../kernel/refusals/unread.ts'
import type { Said } from '../../platform/refusal.ts'
import type { BankLine } from '../statements/index.ts'
import { MAX_NARRATIVE } from '../statements/index.ts'
import { MAX_TEXT, storable } from './cleaned-text.ts'
import type { StatementPage } from './connection.ts'

/** A hundred billion TL: more in one transfer is a mistake of the bank, and would leave no headroom in the ledger. */
const MAX_AMOUNT = 10_000_000_000_000

/** We request 500. A page larger than this is not imported at all. */
const MAX_LINES = 100_000

/** It is sent back in a URL. What is longer, or not plain ASCII, would make every later request fail. */
const CURSOR = /^[\x20-\x7e]*$/
const MAX_CURSOR = 1000

/** Why a line cannot be read. */
class Unreadable extends Error {
  readonly said: Said

  constructor(said: Said) {
    super(said.why)
    this.said = said
  }
}

type Page = { lines: unknown[]; cursor: string; more: boolean }

/** A line that cannot be read must neither stop the others nor be lost: it is passed on unchanged. */
export function readPage(body: unknown): StatementPage {
  const { lines, cursor, more } = (body ?? {}) as Partial<Page>
  if (!Array.isArray(lines) || typeof cursor !== 'string')
    return { outcome: 'unreachable', why: note('page_unreadable') }
  if (cursor.length > MAX_CURSOR || !CURSOR.test(cursor))
    return { outcome: 'unreachable', why: note('page_cursor_wrong', { most: MAX_CURSOR }) }
  if (lines.length > MAX_LINES)
    return { outcome: 'unreachable', why: note('page_too_long', { lines: lines.length, most: MAX_LINES }) }
  const page = { lines: [] as BankLine[], unread: [] as { raw: string; why: Said }[] }
  for (const wire of lines) {
    try {
      page.lines.push(readLine(wire))
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      page.unread.push({ raw: JSON.stringify(wire), why: error.said })
    }
  }
  return { outcome: 'read', ...page, cursor, more: more === true }
}

/** Parses a stored unread line again. */
export function rereadLine(raw: string): BankLine | null {
  try {
    return readLine(parseExactly(raw))
  } catch {
    return null
  }
}

function readLine(given: unknown): BankLine {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Unreadable(note('unread_no_object'))
  const wire = given as Record<string, unknown>
  const { amount, direction, valueDate, bookedAt } = wire
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0 || amount > MAX_AMOUNT)
    throw new Unreadable(note('unread_amount_wrong'))
  // Real statements contain zero amounts as remarks.
  if (amount === 0) throw new Unreadable(note('unread_amount_zero'))
  if (direction !== 'credit' && direction !== 'debit') throw new Unreadable(note('unread_direction_unknown'))
  if (typeof valueDate !== 'string' || !isDay(valueDate)) throw new Unreadable(note('unread_value_date_wrong'))
  if (
    typeof bookedAt !== 'string' ||
    !isDay(bookedAt.slice(0, 10)) ||
    !/(Z|[+-]\d{2}:?\d{2})$/.test(bookedAt) ||
    Number.isNaN(Date.parse(bookedAt))
  )
    throw new Unreadable(note('unread_booked_at_wrong'))
  return {
    accountIban: text(wire, 'account'),
    // Lines come in small pages: without the bank's number, two equal payments look like one line read twice.
    bankReference: referenceOf(wire),
    amount: BigInt(amount),
    direction,
    valueDate,
    bookedAt: new Date(bookedAt),
    senderName: text(wire, 'senderName', ''),
    senderIban: text(wire, 'senderIban', '') || null,
    narrative: text(wire, 'narrative', ''),
    currency: text(wire, 'currency', '') || undefined,
  }
}

/** The inverse of `readLine`: in the bank's format, so that it can be parsed again. */
export function writeLine({ accountIban, bankReference, amount, bookedAt, ...rest }: BankLine): string {
  return JSON.stringify({ account: accountIban, reference: bankReference, amount: Number(amount), bookedAt, ...rest })
}

/** A valid calendar day: Date alone parses 2026-02-30 as the second of March. */
function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** The bank's number, also if it is given as a JSON number: then as it is written. */
function referenceOf({ reference }: Record<string, unknown>): string {
  const written = writtenNumber(reference)
  if (written !== null && !/^\d+$/.test(written)) throw new Unreadable(note('unread_reference_odd'))
  return text({ reference: written ?? reference }, 'reference')
}

function text(wire: Record<string, unknown>, field: LineField, otherwise?: string): string {
  const value = wire[field] ?? otherwise
  if (typeof value !== 'string' || (value === '' && otherwise === undefined))
    throw new Unreadable(note('unread_field_missing', { field }))
  const whole = storable(value)
  // Not cut: what differs only in its end is two payments, and the end may have the id of a payout.
  const most = field === 'narrative' ? MAX_NARRATIVE : MAX_TEXT
  if (whole.length > most) throw new Unreadable(note('unread_field_long', { field, length: whole.length, most }))
  return whole
}
