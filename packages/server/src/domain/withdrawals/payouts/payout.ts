import { isManual } from '../../connections/index.ts'
import type { PayoutCall } from '../bank-calls/store.ts'
import type { StateReason } from '../withdrawal.ts'

/** `ready` to be handed over, `calling` while a worker does so, `asking` until the bank gives a definite answer; then as its withdrawal. */
export type PayoutState = 'ready' | 'calling' | 'asking' | 'sent' | 'failed' | 'returned'

/** `sent` from `ready`: a statement line, or two people, may confirm it before it is sent again; from `returned`: two people take a return back. */
export const NEXT: Record<PayoutState, readonly PayoutState[]> = {
  ready: ['calling', 'asking', 'sent', 'failed'],
  calling: ['asking', 'sent', 'failed'],
  asking: ['asking', 'ready', 'sent', 'failed'],
  sent: ['returned'],
  failed: [],
  returned: ['sent'],
}

/** Every state change is checked here; a step that is not in the table is a bug. */
export function mustBeNext(from: PayoutState, to: PayoutState, which = 'A payout'): void {
  if (!NEXT[from].includes(to)) throw new Error(`${which} cannot go from ${from} to ${to}.`)
}

export const PAYOUT_STATES = Object.keys(NEXT) as PayoutState[]

/** The outcome is not known yet. */
export const OPEN_STATES: readonly PayoutState[] = ['ready', 'calling', 'asking']

/** Reason for an unknown outcome: an unexplained statement line names the payout. */
export const NAMED = 'named_on_statement'

/** Reason for an unknown outcome after a sending: a debit of its account, with its amount or recipient, may be its own. */
export const SIMILAR = 'similar_debit_on_statement'

/** Reason for an unknown outcome: a report of the bank about its order file cannot be believed. */
export const REPORTED = 'report_contradicts'

/** Reason for an unknown outcome: the bank's response cannot be recorded; it is tried again. */
export const UNBOOKED = 'cannot_be_booked'

/** Reasons of a completed payout that no debit shows, by decision of two people. */
export const NEVER_PAID = 'never_paid'
export const PAID_WITHOUT_DEBIT = 'paid_without_debit'

/** Its money did not leave, as far as is known, and its merchant has it back. A debit that appears later contradicts that. */
export function wasNotSent({ state, reason }: Pick<Payout, 'state' | 'reason'>): boolean {
  return state === 'failed' || (state === 'returned' && reason === NEVER_PAID)
}

/** Reason for not sending: the withdrawal says something else, or may not be sent. */
export const DIFFERS = 'differs_from_withdrawal'

/** Of a payout whose outcome is unknown: why, for its withdrawal. */
export function doubtOf({ reason }: Payout): StateReason | null {
  return reason as StateReason | null
}

export type Payout = {
  merchantId: string
  withdrawalId: string
  sourceAccountId: string
  /** The connection to the bank that sends it. */
  connection: string
  rail: string
  amount: bigint
  currency: string
  iban: string
  accountName: string
  description: string
  purposeCode: string
  state: PayoutState
  fence: number
  submits: number
  queries: number
  nextAt: Date
  bankReference: string | null
  reason: string | null
  createdAt: Date
  /** When its outcome was first unknown. */
  unknownSince: Date | null
  /** When it was last given to the bank. */
  sentAt: Date | null
  /** Of all that the bank is told, made with the master key. */
  mark: string | null
}

/** Its age, wherever one is shown: a later query does not make it young. */
export function unknownSince({ unknownSince: since, createdAt }: Pick<Payout, 'unknownSince' | 'createdAt'>): Date {
  return since ?? createdAt
}

export function isOpen({ state }: Payout): boolean {
  return OPEN_STATES.includes(state)
}

/** The bank's latest response is that it has the order and has not executed it yet. Payouts by hand have no bank responses. */
export function bankHasOrder({ connection }: Payout, calls: PayoutCall[]): boolean {
  const newest = calls.findLast(({ kind }) => kind === 'submit' || kind === 'find')
  return !isManual(connection) && newest?.outcome === 'pending'
}
