import { addDays, startOfDay } from '../../../kernel/istanbul.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { note } from '../../../kernel/refusals/note.ts'
import type { LineField } from '../../../kernel/refusals/unread.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { BankLine } from '../bank-line.ts'
import { MAX_NARRATIVE } from '../bank-line.ts'
import type { NotBooked } from '../import-lines.ts'
import type { UnreadLine } from '../unread/store.ts'
import type { ReadLine } from './read-in-parts.ts'

/** A hundred billion TL: more in one transfer is a mistake of the bank, and would leave no headroom in the ledger. */
const MAX_AMOUNT = 10_000_000_000_000n
/** The size of the banks' fields, with a margin. */
const MAX_TEXT = 500

/** What PostgreSQL stores. */
const storable = (text: string | null) => (text ?? '').replaceAll('\0', '').toWellFormed()

/** A booked line of a file as a line of the account. */
export function toBankLine(line: ReadLine, accountIban: string): BankLine {
  const reference = storable(line.bankReference)
  const batch = storable(line.batch?.bankReference ?? null)
  return {
    accountIban,
    bankReference: reference || null,
    amount: line.amount,
    direction: line.direction,
    valueDate: line.valueOn ?? line.bookedOn,
    ...bookedAtOf(line),
    senderName: storable(line.counterpartyName),
    senderIban: storable(line.counterpartyIban) || null,
    narrative: narrativeOf(line),
    currency: line.currency,
    batch: batch && line.batchTotal !== null ? { reference: batch, total: line.batchTotal } : null,
  }
}

/** A time counts only if it is on the booking day in Istanbul: the bank may write another zone. */
function bookedAtOf({ bookedAt, bookedOn }: ReadLine): Pick<BankLine, 'bookedAt' | 'wholeDay'> {
  const time = bookedAt === null ? null : new Date(bookedAt)
  if (time && time >= startOfDay(bookedOn) && time < startOfDay(addDays(bookedOn, 1)))
    return { bookedAt: time, wholeDay: false }
  return { bookedAt: startOfDay(bookedOn), wholeDay: true }
}

/** With the reference that the payer gave: for a payout of ours it is the withdrawal's id. */
function narrativeOf({ narrative, endToEndReference }: ReadLine): string {
  const [text, reference] = [storable(narrative), storable(endToEndReference)]
  return reference === '' || text.includes(reference) ? text : `${text} ${reference}`.trim()
}

/** Why the line cannot be booked, whatever its account, or null. */
export function lineProblem({ amount, bankReference, senderName, narrative }: BankLine): Said | null {
  if (amount === 0n) return note('unread_amount_zero')
  if (amount < 0n || amount > MAX_AMOUNT) return note('unread_amount_wrong')
  const tooLong = (field: LineField, text: string | null, most: number) => {
    const { length } = text ?? ''
    return length > most ? note('unread_field_long', { field, length, most }) : null
  }
  return (
    tooLong('reference', bankReference, MAX_TEXT) ??
    tooLong('senderName', senderName, MAX_TEXT) ??
    tooLong('narrative', narrative, MAX_NARRATIVE)
  )
}

/** For people: day, amount and why it is not booked. */
export function tellUnread({ line: { direction, amount, currency, valueDate }, why }: NotBooked): Said {
  return note('unread_line', { day: valueDate, amount: money(direction === 'debit' ? -amount : amount, currency), why })
}

/** Kept for a person: in the form of other unread lines, with the place in the file. */
export function unreadLine(line: BankLine, why: Said, place: { file: string; line: number }): UnreadLine {
  const { accountIban, bankReference, amount, batch: _, ...rest } = line
  return {
    raw: JSON.stringify({ account: accountIban, reference: bankReference, amount: Number(amount), ...rest, ...place }),
    why,
  }
}
