import type { FeeTerms } from '../../src/domain/merchants/index.ts'
import type { Fee } from '../../src/platform/money.ts'
import { NO_FEE } from '../../src/platform/money.ts'

/** Terms of a merchant that never changed. */
export function withdrawFee(fee: Partial<Fee> = {}): FeeTerms[] {
  return [{ effectiveFrom: new Date(0), deposit: NO_FEE, withdraw: { ...NO_FEE, ...fee } }]
}
