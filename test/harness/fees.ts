import type { FeeTerms } from '../../packages/server/src/domain/merchants/index.ts'
import type { Fee } from '../../packages/server/src/kernel/money.ts'
import { NO_FEE } from '../../packages/server/src/kernel/money.ts'

/** Terms of a merchant that never changed. */
export function withdrawFee(fee: Partial<Fee> = {}): FeeTerms[] {
  return [{ effectiveFrom: new Date(0), deposit: NO_FEE, withdraw: { ...NO_FEE, ...fee } }]
}
