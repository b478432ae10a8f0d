import type { Tx } from '../../platform/postgres/db.ts'
import { upgradeRows } from '../../platform/postgres/sealed-rows.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import { callbackSecrets } from './endpoints/store.ts'
import { apiSecrets } from './keys/store.ts'

/** In the first format an API secret was bound only to its key, and a callback secret only to its merchant. */
export async function upgradeMerchantSecrets(tx: Tx, vault: Vault): Promise<{ found: number; upgraded: number }> {
  const api = await upgradeRows(tx, vault, apiSecrets, ([, apiKey = '']) => apiKey)
  const callback = await upgradeRows(tx, vault, callbackSecrets, ([merchantId = '']) => merchantId)
  return { found: api.found + callback.found, upgraded: api.upgraded + callback.upgraded }
}
