import type { Queryable } from '../../platform/postgres/db.ts'
import { findFrozenMerchants } from '../merchants/index.ts'
import type { HeldBy } from '../withdrawals/index.ts'
import { findOpenRestore } from '../withdrawals/index.ts'

/** What currently prevents a merchant's payouts from being sent. */
export async function readPayoutBlocks(db: Queryable): Promise<(merchantId: string) => HeldBy> {
  const [restore, frozen] = await Promise.all([findOpenRestore(db), findFrozenMerchants(db)])
  return (merchantId) => (restore ? 'restored' : frozen.has(merchantId) ? 'merchant_frozen' : null)
}
