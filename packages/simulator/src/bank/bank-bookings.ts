import type { BankBooking, Correction } from './bank-event.ts'
import { HOME_CURRENCY } from './bank-event.ts'
import type { Books } from './bank.ts'
import type { Booking, Listing } from './bookings.ts'
import { findBooking, signed } from './bookings.ts'
import { newBankReference } from './decide.ts'
import { available, currencyOf } from './ledger.ts'
import { WORLD_HOLDER, WORLD_IBAN } from './seed-customers.ts'

// What the bank books by itself. Each returns the numbers of its bookings, or a code for why there are none.

/** When it is booked, and where numbers come from: a day with a seed has its own. */
export type Desk = Books & { at: string; newNumber: () => string }

export type Booked = { numbers: string[] } | { refused: 'insufficient_funds' | 'unknown_booking' | 'not_a_credit' }

export function deskOf(books: Books): Desk {
  return { ...books, at: books.now().toISOString(), newNumber: () => newBankReference(books.ledger) }
}

/** Banking and insurance transactions tax on a charge. */
const TAX_PERCENT = 5n

/** A fee and, in a line of its own, the tax on it. */
export function charge(desk: Desk, account: string, amount: bigint, text: string): Booked {
  const tax = (amount * TAX_PERCENT + 50n) / 100n
  if (amount + tax > available(desk.ledger, account)) return { refused: 'insufficient_funds' }
  const fee = book(desk, { ...fromAccount(desk, account), nature: 'charge', amount, narrative: text })
  if (tax === 0n) return { numbers: [fee] }
  const taxed = { ...fromAccount(desk, account), nature: 'tax', amount: tax, narrative: `BSMV ${text}` } as const
  return { numbers: [fee, book(desk, taxed)] }
}

export function interest(desk: Desk, account: string, amount: bigint, text: string): Booked {
  const number = book(desk, {
    ...toAccount(desk, account, WORLD_HOLDER),
    ...{ nature: 'interest', amount, narrative: text, anonymous: true },
  })
  return { numbers: [number] }
}

/** Between two accounts of one client: a debit and a credit with one number. */
export function ownTransfer(
  desk: Desk,
  { from, to, amount, text }: { from: string; to: string; amount: bigint; text: string },
): Booked {
  if (amount > available(desk.ledger, from)) return { refused: 'insufficient_funds' }
  const { accounts } = desk.ledger
  const names = { senderName: accounts.get(from)?.holder ?? '', receiverName: accounts.get(to)?.holder ?? '' }
  const currency = currencyOf(desk.ledger, from) ?? HOME_CURRENCY
  return {
    numbers: [
      book(desk, { nature: 'own_transfer', from, to, ...names, amount, currency, narrative: text, at: desk.at }),
    ],
  }
}

type Incoming = {
  account: string
  from?: string
  senderName: string
  amount: bigint
  text: string
  foreign?: { currency: string; amount: bigint }
}

/** Money from outside, unless it has a payer's account. */
export function incoming(
  desk: Desk,
  { account, from = WORLD_IBAN, senderName, amount, text, foreign }: Incoming,
): Booked {
  if (amount > available(desk.ledger, from)) return { refused: 'insufficient_funds' }
  const number = book(desk, {
    ...toAccount(desk, account, senderName),
    ...{ from, nature: 'transfer', amount, narrative: text, ...(foreign && { foreign }) },
  })
  return { numbers: [number] }
}

/** Takes a credit back and gives it to who paid it. */
export function storno(desk: Desk, account: string, number: string): Booked {
  const credit = findBooking(desk.ledger.bookings, account, number)
  if (!credit) return { refused: 'unknown_booking' }
  if (credit.direction !== 'credit' || credit.reversal) return { refused: 'not_a_credit' }
  if (credit.amount > available(desk.ledger, account)) return { refused: 'insufficient_funds' }
  const { amount, name, iban } = credit
  const booking: BankBooking = {
    ...fromAccount(desk, account),
    ...{ to: iban || WORLD_IBAN, receiverName: name, anonymous: iban === '', amount, reversal: true },
    nature: 'storno',
    narrative: `STORNO ${number} ${credit.text}`.trim(),
  }
  return { numbers: [book(desk, booking)] }
}

/** The same number with another amount or time. */
export function correct(desk: Desk, account: string, number: string, correction: Correction): Booked {
  const booking = findBooking(desk.ledger.bookings, account, number)
  if (!booking) return { refused: 'unknown_booking' }
  const loss = signed(booking) - signed({ ...booking, amount: correction.amount ?? booking.amount })
  if (loss > available(desk.ledger, account)) return { refused: 'insufficient_funds' }
  desk.record([{ kind: 'corrected', account, number, ...correction, at: desk.at }])
  return { numbers: [number] }
}

export function setListing(desk: Desk, account: string, number: string, listing: Listing): Booked {
  if (!findBooking(desk.ledger.bookings, account, number)) return { refused: 'unknown_booking' }
  desk.record([{ kind: 'listed', account, number, listing, at: desk.at }])
  return { numbers: [number] }
}

function book(desk: Desk, booking: BankBooking): string {
  const bankReference = desk.newNumber()
  desk.record([{ kind: 'booked', bankReference, ...booking }])
  return bankReference
}

type Sides = Pick<Booking, 'currency'> & Pick<BankBooking, 'from' | 'to' | 'senderName' | 'receiverName' | 'at'>

/** A debit that names no other side. */
function fromAccount({ ledger, at }: Desk, account: string): Sides & { anonymous: boolean } {
  const { holder = '', currency = HOME_CURRENCY } = ledger.accounts.get(account) ?? {}
  const sides = { from: account, to: WORLD_IBAN, senderName: holder, receiverName: WORLD_HOLDER }
  return { ...sides, currency, at, anonymous: true }
}

function toAccount({ ledger, at }: Desk, account: string, senderName: string): Sides {
  const { holder = '', currency = HOME_CURRENCY } = ledger.accounts.get(account) ?? {}
  return { from: WORLD_IBAN, to: account, senderName, receiverName: holder, currency, at }
}
