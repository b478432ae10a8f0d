import type { Fee } from '../../kernel/money.ts'

/** How money is treated that does not match the requested amount, time or name. */
export type MatchingPolicy = {
  amount: 'exact' | 'tolerance' | 'accept_received'
  tolerance: bigint
  late: 'complete' | 'review'
  nameCheck: 'off' | 'warn' | 'require'
}

/** With the amount from which two people match money by hand; null: one is enough. */
export type MatchingRules = MatchingPolicy & { approveFrom: bigint | null }

/** Brightness of what is drawn on a transparent logo. */
export type LogoInk = 'light' | 'dark' | 'opaque'

/** Whom a customer asks; null is not shown. */
export type Support = { supportPhone: string | null; supportEmail: string | null; supportAddress: string | null }

/** Appearance of the merchant on the checkout page. */
export type Brand = Support & {
  displayName: string
  accent: string | null
  hasLogo: boolean
  /** Another logo for dark pages. */
  hasDarkLogo: boolean
  /** Null on logos from before it was stored. */
  logoInk: LogoInk | null
}

/** Checks before a withdrawal is sent; null disables a rule. Daily amounts and counts use the Istanbul day. */
export type PayoutRules = {
  /** Two people must approve from this amount on. */
  approvalThreshold: bigint | null
  dailyAmount: bigint | null
  dailyCount: number | null
  dailyIbanAmount: bigint | null
  dailyIbanCount: number | null
}

/** Fees of a merchant from a time on. */
export type FeeTerms = { effectiveFrom: Date; deposit: Fee; withdraw: Fee }
