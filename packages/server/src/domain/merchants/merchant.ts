import type { Network } from '../../platform/http/ip.ts'
import { parseNetwork } from '../../platform/http/ip.ts'
import type { Brand, FeeTerms, MatchingPolicy, PayoutRules } from './policies.ts'
import type { CallerRow, FeeRow } from './store.ts'

/** What a signed request needs to know of its merchant. */
export type CallingMerchant = {
  id: string
  demo: boolean
  /** Creates nothing; its payouts wait. */
  frozen: boolean
  /** The newest first; `termsAt` says which hold. */
  fees: FeeRow[]
  requestsPerSecond: number
  /** Deposits that may be pending at once. */
  maxOpenDeposits: number
  /** Where a customer may be sent back to after paying. */
  returnOrigins: string[]
  allowedNetworks: Network[]
}

export type Merchant = CallingMerchant & {
  name: string
  matching: MatchingPolicy
  brand: Brand
  payoutRules: PayoutRules
  createdAt: Date
}

/** Shown once, when the merchant is made; afterwards only sealed copies exist. */
export type MerchantCredentials = { merchantId: string; apiKey: string; apiSecret: string; callbackSecret: string }

/** With the secrets that are live right now, the newest first. */
export type Caller = {
  merchant: CallingMerchant
  apiKey: string
  secrets: { secret: string; endsAt: Date | null }[]
  /** Why a live secret is missing above: its row does not open. */
  unopened: Error | null
}

/**
 * Generous for a shop, tight for a runaway loop; a burst of five seconds' worth passes, so that a batch of some
 * thousand payouts goes through in one go.
 */
export const DEFAULT_REQUESTS_PER_SECOND = 1000

/**
 * A shop that starts a deposit every two seconds has 900 open, if none is paid within the half hour; more is a loop or an attack, or a
 * merchant so large that the operator knows it and raises the limit.
 */
export const DEFAULT_MAX_OPEN_DEPOSITS = 1000

export function merchantFrom<Row extends CallerRow>({
  networks,
  ...row
}: Row): Omit<Row, 'networks'> & CallingMerchant {
  return { ...row, allowedNetworks: networks.flatMap((network) => parseNetwork(network) ?? []) }
}

/** The terms in force at a moment; the list has the newest first. What is older than the first terms pays by them. */
export function termsAt<Terms extends FeeTerms>(fees: readonly Terms[], at: Date): Terms {
  const terms = fees.find(({ effectiveFrom }) => effectiveFrom <= at) ?? fees.at(-1)
  if (!terms) throw new Error('A merchant has no fee terms.')
  return terms
}
