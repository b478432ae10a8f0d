import type { PayoutCall } from '../withdrawals/index.ts'

export type PayoutState = 'intent' | 'calling' | 'unknown' | 'accepted' | 'rejected' | 'returned'

/** `accepted` from `intent`: a statement line, or two people, may confirm it before it is sent again. */
export const NEXT: Record<PayoutState, readonly PayoutState[]> = {
  intent: ['calling', 'unknown', 'accepted', 'rejected'],
  calling: ['unknown', 'accepted', 'rejected'],
  unknown: ['unknown', 'intent', 'accepted', 'rejected'],
  accepted: ['returned'],
  rejected: [],
  returned: [],
}

/** Every state change is checked here; a step that is not in the table is a bug. */
export function mustBeNext(from: PayoutState, to: PayoutState, which = 'A payout'): void {
  if (!NEXT[from].includes(to)) throw new Error(`${which} cannot go from ${from} to ${to}.`)
}

export const PAYOUT_STATES = Object.keys(NEXT) as PayoutState[]

/** Reason for an unknown outcome: an unexplained statement line names the payout. */
export const NAMED = 'named_on_statement'

/** Reason for not sending: the withdrawal says something else, or may not be sent. */
export const DIFFERS = 'differs_from_withdrawal'

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
  asks: number
  nextAt: Date
  bankReference: string | null
  reason: string | null
  createdAt: Date
}

/** The outcome is not known yet. */
export function isOpen({ state }: Payout): boolean {
  return state === 'intent' || state === 'calling' || state === 'unknown'
}

/** The bank's latest response is that it has the order and has not executed it yet. Payouts by hand have no bank responses. */
export function bankHasOrder({ connection }: Payout, calls: PayoutCall[]): boolean {
  const newest = calls.findLast(({ kind }) => kind === 'submit' || kind === 'find')
  return connection !== 'manual' && newest?.outcome === 'pending'
}
