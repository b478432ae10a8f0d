import type { PayoutRules } from '../../merchants/index.ts'

export type DayUsage = { amount: bigint; count: number }

/** The reason why two people must approve a withdrawal; null if none is needed. */
export function approvalReason(
  amount: bigint,
  rules: PayoutRules,
  merchantToday: DayUsage,
  ibanToday: DayUsage,
): 'amount' | 'merchant_day' | 'iban_day' | null {
  if (rules.approvalThreshold !== null && amount >= rules.approvalThreshold) return 'amount'
  if (exceeds(amount, merchantToday, rules.dailyAmount, rules.dailyCount)) return 'merchant_day'
  if (exceeds(amount, ibanToday, rules.dailyIbanAmount, rules.dailyIbanCount)) return 'iban_day'
  return null
}

function exceeds(amount: bigint, today: DayUsage, maxAmount: bigint | null, maxCount: number | null): boolean {
  if (maxCount !== null && today.count + 1 > maxCount) return true
  return maxAmount !== null && today.amount + amount > maxAmount
}
