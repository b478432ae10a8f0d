import type { Desk } from '../bank-bookings.ts'
import type { Booking } from '../bookings.ts'
import { bookingDay, bookingsBetween } from '../bookings.ts'
import type { Random } from './random.ts'

export const DISCREPANCY_KINDS = [
  'transfer_charge',
  'monthly_charge',
  'interest',
  'own_transfer',
  'wrong_account',
  'foreign_currency',
  'paid_twice',
  'listed_twice',
  'late_listing',
  'correction_amount',
  'correction_date',
  'return',
  'return_less_costs',
  'return_other_account',
  'storno',
] as const

export type DiscrepancyKind = (typeof DISCREPANCY_KINDS)[number]

/** What a person has to find on the statement. Amounts are positive. */
export type Discrepancy = {
  kind: DiscrepancyKind
  account: string
  day: string
  direction: 'credit' | 'debit'
  /** Of the first booking; a charge also has its tax as a second one. */
  amount: bigint
  /** Numbers of the bookings that were made or changed. */
  bankNumbers: string[]
  /** Number of the booking that it is about, and the client's reference if that was a payout. */
  original: string | null
  reference: string | null
  /** The other account of the client, of a transfer between both or of a return that went there. */
  otherAccount: string | null
  /** Amount and day before a correction, or amount of the payout before costs. */
  before: { amount: bigint; day: string } | null
  text: string
}

/** One account on one day; `used` are bookings that already have a discrepancy, so that each can be told from the others. */
export type Scene = { desk: Desk; random: Random; account: string; others: string[]; day: string; used: Set<string> }

/** Credits of the day that people paid. */
export function creditsOf(scene: Scene): Booking[] {
  return unused(scene).filter(({ direction, nature }) => direction === 'credit' && nature === 'transfer')
}

/** Payouts of the day that can still come back. */
export function payoutsOf(scene: Scene): Booking[] {
  const { transfer } = scene.desk.ledger.outcomes
  return unused(scene).filter(
    ({ direction, endToEnd }) =>
      direction === 'debit' && endToEnd !== null && transfer.get(endToEnd)?.status === 'accepted',
  )
}

export function transfersOf(scene: Scene): Booking[] {
  return unused(scene).filter(({ nature }) => nature === 'transfer')
}

function unused({ desk, account, day, used }: Scene): Booking[] {
  return bookingsBetween(desk.ledger.bookings, account, day, day).filter(({ number }) => !used.has(number))
}

/** A discrepancy about a booking, as far as the booking tells. */
export function about(kind: DiscrepancyKind, booking: Booking): Discrepancy {
  const { account, direction, amount, number, endToEnd, text } = booking
  return {
    ...{ kind, account, day: bookingDay(booking), direction, amount, bankNumbers: [number] },
    ...{ original: number, reference: endToEnd, otherAccount: null, before: null, text },
  }
}
