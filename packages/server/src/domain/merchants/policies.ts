import type { Fee } from '../../kernel/money.ts'

/** How money is treated that does not match the requested amount, time or name. */
export type MatchingPolicy = {
  amount: 'exact' | 'tolerance' | 'accept_received'
  tolerance: bigint
  late: 'complete' | 'review'
  nameCheck: 'off' | 'warn' | 'require'
}

/** With the amount from which two people match by hand a line that does not name the deposit; null: `matchLimit` says. */
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
  /** Null without a logo. */
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

type Mode = { sandbox: boolean }

/** In live two people approve every payout of a merchant without rules. */
export function payoutRulesInForce(rules: PayoutRules, { sandbox }: Mode): PayoutRules {
  return isUnset(rules) && !sandbox ? { ...rules, approvalThreshold: 1n } : rules
}

export function isUnset(rules: PayoutRules): boolean {
  return Object.values(rules).every((rule) => rule === null)
}

/** 10.000,00: far above what most customers pay, far below what is worth a theft. */
const MATCH_LIMIT = 1_000_000n

/** Null in a sandbox without a limit of the merchant: one person is enough. */
export function matchLimit({ approveFrom }: Pick<MatchingRules, 'approveFrom'>, { sandbox }: Mode): bigint | null {
  return approveFrom ?? (sandbox ? null : MATCH_LIMIT)
}

/** What the rules allow, as `loosens` compares it: a difference of the amount, payments after the time, names that differ. */
export function matchingAllows(rules: MatchingRules, mode: Mode) {
  const difference = { exact: 0n, tolerance: rules.tolerance, accept_received: null }[rules.amount]
  const late = { review: 0, complete: 1 }[rules.late]
  const names = { require: 0, warn: 1, off: 2 }[rules.nameCheck]
  return { alone: matchLimit(rules, mode), difference, late, names }
}

/** Fees of a merchant from a time on. */
export type FeeTerms = { effectiveFrom: Date; deposit: Fee; withdraw: Fee }
