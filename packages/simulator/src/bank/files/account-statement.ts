import { UTC_OFFSET, localTime } from '../../time.ts'
import type { Books } from '../bank.ts'
import type { Booking } from '../bookings.ts'
import { bookingsBetween, openingBalance, signed } from '../bookings.ts'
import type { FileFormat } from './formats.ts'
import { isInterim, showsBalances } from './formats.ts'

/** What a file lists: a booking, or all bookings of a payment order as one with these as details. */
export type FileEntry = Booking & { details: Booking[] }

/** What a file says, whatever its format. */
export type AccountStatement = {
  account: string
  holder: string
  bank: string
  currency: string
  from: string
  to: string
  /** Local time at which the file was made. */
  createdAt: string
  opening: bigint
  closing: bigint
  entries: FileEntry[]
  /** Bookings with their time, or only with their day. */
  withTimes: boolean
}

export type StatementRequest = {
  account: string
  from: string
  to: string
  format: FileFormat
  /** Only what was booked before this instant. */
  until: string | null
  /** Payment orders as one entry each; null as the orders ask for. */
  batch: boolean | null
  withTimes: boolean
}

export function accountStatement({ ledger, now }: Books, request: StatementRequest): AccountStatement {
  const { account, from, to, format, until, batch, withTimes } = request
  const { holder = '', bank = '', currency = 'TRY' } = ledger.accounts.get(account) ?? {}
  const booked = bookingsBetween(ledger.bookings, account, from, to).filter(
    ({ bookedAt }) => until === null || bookedAt < until,
  )
  const opening = openingBalance(ledger.bookings, account, from)
  const closing = booked.reduce((sum, one) => sum + signed(one), opening)
  const entries = inBatches(listed(booked, format), batch)
  return {
    ...{ account, holder, bank, currency, from, to, opening, closing, withTimes },
    createdAt: `${localTime(now().toISOString())}${UTC_OFFSET}`,
    entries: format === 'camt.054' ? entries.filter(({ direction }) => direction === 'credit') : entries,
  }
}

/** A file with balances cannot list a booking twice: they would not fit. */
function listed(bookings: Booking[], format: FileFormat): Booking[] {
  return bookings.flatMap((booking) => {
    if (booking.listing === 'late' && isInterim(format)) return []
    return booking.listing === 'twice' && !showsBalances(format) ? [booking, booking] : [booking]
  })
}

/** An entry stands where its first booking is. */
function inBatches(bookings: Booking[], batch: boolean | null): FileEntry[] {
  const entries: FileEntry[] = []
  const open = new Map<string, FileEntry>()
  for (const booking of bookings) {
    const asOne = batch ?? booking.batch?.asOne ?? false
    const key = booking.batch && asOne ? `${booking.batch.number} ${booking.bookedAt}` : null
    const known = key === null ? undefined : open.get(key)
    if (known) {
      known.amount += booking.amount
      known.details.push(booking)
      continue
    }
    const entry = { ...booking, details: [booking] }
    entries.push(entry)
    if (key !== null) open.set(key, entry)
  }
  return entries.map((entry) => (entry.details.length > 1 ? asBatch(entry) : entry))
}

function asBatch(entry: FileEntry): FileEntry {
  const text = `TOPLU ÖDEME ${entry.details.length} ADET`
  return { ...entry, number: entry.batch?.number ?? entry.number, name: '', iban: '', text, endToEnd: null }
}
