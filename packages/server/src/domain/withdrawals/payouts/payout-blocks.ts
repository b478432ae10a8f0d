import type { Queryable } from '../../../platform/postgres/db.ts'
import { lastCheck } from '../../ledger/index.ts'
import { findFrozenMerchants } from '../../merchants/index.ts'
import type { HeldBy } from '../withdrawal.ts'
import { findOpenRestore } from '../restores/store.ts'

/** What currently prevents a merchant's payouts from being sent. */
export async function readPayoutBlocks(db: Queryable): Promise<(merchantId: string) => HeldBy> {
  const [restore, ledger, frozen] = await Promise.all([findOpenRestore(db), lastCheck(db), findFrozenMerchants(db)])
  const ofAll = restore ? 'restored' : ledger && ledger.drifted > 0 ? 'ledger_drifted' : null
  return (merchantId) => ofAll ?? (frozen.has(merchantId) ? 'merchant_frozen' : null)
}
