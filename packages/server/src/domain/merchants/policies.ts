import type { Fee } from '../../kernel/money.ts'

/** How arriving money is judged when it is not exactly what was asked for. */
export type MatchingPolicy = {
  amount: 'exact' | 'tolerance' | 'accept_received'
  tolerance: bigint
  late: 'complete' | 'review'
  nameCheck: 'off' | 'warn' | 'require'
}

/** How the merchant looks on the checkout page. */
export type Brand = { displayName: string; accent: string | null; hasLogo: boolean }

/** What is checked before a withdrawal is sent; null is no such rule. Amounts and counts of a day go by Istanbul's day. */
export type PayoutRules = {
  /** From this amount on, two people approve. */
  approvalThreshold: bigint | null
  dailyAmount: bigint | null
  dailyCount: number | null
  dailyIbanAmount: bigint | null
  dailyIbanCount: number | null
}

/** What a merchant pays from a moment on. */
export type FeeTerms = { effectiveFrom: Date; deposit: Fee; withdraw: Fee }
