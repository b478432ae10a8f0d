import type { BookingNature, Listing } from './bookings.ts'
import type { FaultPlan } from './fault-plan.ts'
import type { OrderFile, OrderPayment } from './orders/order-file.ts'

/** The bank's persistent state: one journal line each. Everything else is computed from these. */
export type BankEvent =
  | { kind: 'customer'; iban: string; holder: string; wallet: string | null; amount: bigint }
  | { kind: 'world'; iban: string; amount: bigint }
  | ({ kind: 'moved'; bankReference: string } & Instruction)
  | ({ kind: 'held' } & Instruction)
  | ({ kind: 'rejected'; reason: RejectionReason } & Instruction)
  | ({ kind: 'given_back'; reference: string; bankReference: string; as: UndoKind; at: string } & ReturnTerms)
  | ({ kind: 'booked'; bankReference: string } & BankBooking)
  | ({ kind: 'corrected'; account: string; number: string; at: string } & Correction)
  | { kind: 'listed'; account: string; number: string; listing: Listing; at: string }
  | ({ kind: 'ordered' } & OrderFile)
  | { kind: 'reported'; receipt: string; status: 'first' | 'final' }
  | { kind: 'delivered'; name: string; account: string; at: string }
  | { kind: 'clock'; offsetMs: number }
  | { kind: 'closed'; iban: string; at: string }
  | { kind: 'faults'; plan: FaultPlan }

/** Currency of entries that name none. */
export const HOME_CURRENCY = 'TRY'

/** An instruction to the bank, as shown on the receiver's statement. */
export type Instruction = {
  /** A payment is a customer's, a transfer is a client's; each has its own references. */
  book: 'payment' | 'transfer'
  reference: string
  from: string
  to: string
  senderName: string
  receiverName: string
  amount: bigint
  currency: string
  narrative: string
  at: string
}

/** How a returned transfer comes back, where not whole and to the account that it left. */
export type ReturnTerms = { to?: string; costs?: bigint; narrative?: string; code?: string }

/** A booking of the bank itself: charges, interest, storno, transfers between accounts of one client. */
export type BankBooking = {
  nature: BookingNature
  from: string
  to: string
  senderName: string
  receiverName: string
  amount: bigint
  currency: string
  narrative: string
  at: string
  /** The statement names no other side, as for charges. */
  anonymous?: boolean
  reversal?: boolean
  foreign?: { currency: string; amount: bigint }
}

/** The bank changes a booking and keeps its number. */
export type Correction = { amount?: bigint; bookedAt?: string }

/** returned: the receiver's bank sent it back. reversed: this bank undid a transfer that it had accepted. */
export type UndoKind = 'returned' | 'reversed'

export type RejectionReason =
  | 'insufficient_funds'
  | 'invalid_iban'
  | 'account_closed'
  | 'name_mismatch'
  | 'limit_exceeded'
  | 'wrong_currency'
  | 'reversed'

/** The journal is the bank's own file: only amounts are converted. Old entries have no currency. */
export function readBankEvent(entry: object): BankEvent {
  const event = withAmounts(entry) as BankEvent
  switch (event.kind) {
    case 'ordered':
      return { ...event, payments: event.payments.map((payment) => withAmounts(payment) as OrderPayment) }
    case 'booked':
      return event.foreign ? { ...event, foreign: withAmounts(event.foreign) as typeof event.foreign } : event
    default:
      return 'amount' in event ? ({ currency: HOME_CURRENCY, ...event } as BankEvent) : event
  }
}

function withAmounts(entry: object): object {
  const amounts = Object.entries(entry).filter(([name]) => name === 'amount' || name === 'costs')
  return { ...entry, ...Object.fromEntries(amounts.map(([name, value]) => [name, BigInt(value as number)])) }
}
