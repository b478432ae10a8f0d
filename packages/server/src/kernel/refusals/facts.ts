import type { MoneyFact } from '../../platform/refusal.ts'

/** An amount in a sentence. */
export function money(amount: bigint, currency = 'TRY'): MoneyFact {
  return { minor: String(amount), currency }
}
