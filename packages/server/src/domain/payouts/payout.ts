import type { PayoutCall } from '../withdrawals/index.ts'

export type PayoutState = 'intent' | 'calling' | 'unknown' | 'accepted' | 'rejected' | 'returned'

/** `accepted` from `intent`: a statement line, or two people, may say so before it is sent again. */
export const NEXT: Record<PayoutState, readonly PayoutState[]> = {
  intent: ['calling', 'unknown', 'accepted', 'rejected'],
  calling: ['unknown', 'accepted', 'rejected'],
  unknown: ['unknown', 'intent', 'accepted', 'rejected'],
  accepted: ['returned'],
  rejected: [],
  returned: [],
}

/** Every change of a state goes through here; a step that is not in the table is a mistake of ours. */
export function mustBeNext(from: PayoutState, to: PayoutState, which = 'A payout'): void {
  if (!NEXT[from].includes(to)) throw new Error(`${which} cannot go from ${from} to ${to}.`)
}

export const PAYOUT_STATES = Object.keys(NEXT) as PayoutState[]

/** Why a payout is in doubt that something unexplained on a statement names. */
export const NAMED = 'named_on_statement'

export type Payout = {
  merchantId: string
  withdrawalId: string
  sourceAccountId: string
  /** Which connection to the bank carries it. */
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

/** What became of it is not known yet. */
export function isOpen({ state }: Payout): boolean {
  return state === 'intent' || state === 'calling' || state === 'unknown'
}

/** The bank's newest answer is that it has the order and has not carried it out yet. By hand there is no bank that answers. */
export function bankHasOrder({ connection }: Payout, calls: PayoutCall[]): boolean {
  const newest = calls.findLast(({ kind }) => kind === 'submit' || kind === 'find')
  return connection !== 'manual' && newest?.outcome === 'pending'
}
