import { localTime } from '../time.ts'

export type BookingNature = 'transfer' | 'own_transfer' | 'charge' | 'tax' | 'interest' | 'return' | 'storno'

/** `twice`: files without balances list it two times. `late`: files of a part of the day leave it out. */
export type Listing = 'once' | 'twice' | 'late'

/** A line of an account in the bank's own ledger; the sums of these are its balances. */
export type Booking = {
  account: string
  /** The bank's number. A correction keeps it. */
  number: string
  nature: BookingNature
  direction: 'credit' | 'debit'
  amount: bigint
  currency: string
  bookedAt: string
  /** The other side; both '' where a statement names none. */
  name: string
  iban: string
  text: string
  /** The client's reference of a transfer out. */
  endToEnd: string | null
  /** The payment order of a file that it belongs to. */
  batch: { number: string; asOne: boolean } | null
  reversal: boolean
  /** Reason code of a return. */
  returned: string | null
  foreign: { currency: string; amount: bigint } | null
  listing: Listing
}

export type Bookings = Map<string, Booking[]>

export function addBooking(bookings: Bookings, booking: Booking): void {
  const list = bookings.get(booking.account)
  if (list) list.push(booking)
  else bookings.set(booking.account, [booking])
}

/** The newest with this number. */
export function findBooking(bookings: Bookings, account: string, number: string): Booking | null {
  return bookings.get(account)?.findLast((booking) => booking.number === number) ?? null
}

export function signed({ direction, amount }: Pick<Booking, 'direction' | 'amount'>): bigint {
  return direction === 'credit' ? amount : -amount
}

export function bookingDay({ bookedAt }: Pick<Booking, 'bookedAt'>): string {
  return localTime(bookedAt).slice(0, 10)
}

/** Booked before the start of this day. */
export function openingBalance(bookings: Bookings, account: string, day: string): bigint {
  return (bookings.get(account) ?? []).reduce((sum, one) => (bookingDay(one) < day ? sum + signed(one) : sum), 0n)
}

/** From the first to the last day, both included, in the order of their times. */
export function bookingsBetween(bookings: Bookings, account: string, from: string, to: string): Booking[] {
  const within = (bookings.get(account) ?? []).filter((one) => bookingDay(one) >= from && bookingDay(one) <= to)
  return within.toSorted((a, b) => (a.bookedAt < b.bookedAt ? -1 : a.bookedAt > b.bookedAt ? 1 : 0))
}
