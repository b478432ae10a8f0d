import type { Network } from '../../platform/http/ip.ts'
import { parseNetwork } from '../../platform/http/ip.ts'
import { NO_FEE } from '../../kernel/money.ts'
import type { FeeTerms } from './policies.ts'
import type { InForce } from './settings-in-force.ts'
import type { CallerRow, FeeRow, MerchantRow } from './store.ts'

/** What a signed request needs of its merchant. */
export type CallingMerchant = {
  id: string
  demo: boolean
  /** Cannot create transactions; its payouts wait. */
  frozen: boolean
  /** Newest first; `termsAt` picks those in force. */
  fees: FeeRow[]
  requestsPerSecond: number
  /** Maximum number of pending deposits. */
  maxOpenDeposits: number
  /** Deposits that need EFT while it is closed wait until so many hours after its opening; null: as long as any other. */
  eftDeadlineHours: number | null
  /** Refunds cost the fee of a withdrawal. */
  refundsCharged: boolean
  /** Origins to which a customer may be sent back after paying. */
  returnOrigins: string[]
  allowedNetworks: Network[]
}

/** With the rules that are in force. */
export type Merchant = Omit<InForce, 'settingMarks'>

/** Without what only counts with its mark. */
export type MerchantFacts = Omit<MerchantRow, 'payoutRules' | 'matching' | 'networks' | 'settingMarks'>

/** Shown once, when the merchant is created; afterwards only sealed copies exist. */
export type MerchantCredentials = { merchantId: string; apiKey: string; apiSecret: string; callbackSecret: string }

/** With its valid secrets, newest first. */
export type Caller = {
  merchant: CallingMerchant
  apiKey: string
  secrets: { id: string; secret: string; endsAt: Date | null }[]
  /** The error if a valid secret is missing above because its row cannot be opened. */
  unopened: Error | null
}

/**
 * Generous for a shop, tight for a runaway loop. Bursts of five seconds' worth are allowed, so that a batch of some
 * thousand payouts goes through at once.
 */
export const DEFAULT_REQUESTS_PER_SECOND = 1000

/**
 * A shop that starts a deposit every two seconds has 900 open if none is paid within half an hour. More is a loop, an
 * attack, or a large merchant whose limit the operator raises.
 */
export const DEFAULT_MAX_OPEN_DEPOSITS = 1000

/** Of a row in force. */
export function callingMerchant({ networks, settingMarks: _, ...row }: CallerRow): CallingMerchant {
  return { ...row, allowedNetworks: networks.flatMap((network) => parseNetwork(network) ?? []) }
}

/**
 * The terms in force at a time; the list has the newest first. Transactions older than the first terms use the first
 * terms.
 */
export function termsAt<Terms extends FeeTerms>(fees: readonly Terms[], at: Date): Terms {
  const terms = fees.find(({ effectiveFrom }) => effectiveFrom <= at) ?? fees.at(-1)
  if (!terms) throw new Error('A merchant has no fee terms.')
  return terms
}

/** For transactions that cost nothing whatever the merchant's terms are. */
export const NO_FEE_TERMS: readonly FeeTerms[] = [{ effectiveFrom: new Date(0), deposit: NO_FEE, withdraw: NO_FEE }]
