import type { Clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { Fee } from '../../kernel/money.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Merchant, MerchantCredentials } from './merchant.ts'
import { merchantFrom, termsAt } from './merchant.ts'
import { openSecrets } from './endpoints/manage-endpoints.ts'
import { findEndpoints } from './endpoints/store.ts'
import type { FreezeRow } from './freezes/store.ts'
import { freezesOf } from './freezes/store.ts'
import type { KeyRow } from './keys/store.ts'
import type { MerchantRow } from './store.ts'
import { apiSecrets, selectKeys, selectLiveSecrets } from './keys/store.ts'
import { selectDemoMerchantId, selectMerchant } from './store.ts'

export type MerchantDetails = MerchantRow & {
  /** In force now. */
  depositFee: Fee
  withdrawFee: Fee
  keys: KeyRow[]
  callbackUrls: string[]
  freezes: FreezeRow[]
}

export async function showMerchant(
  { db, clock }: { db: Queryable; clock: Clock },
  id: string,
): Promise<MerchantDetails> {
  const merchant = await mustFind(db, id)
  const keys = await selectKeys(db, id, clock.now())
  const endpoints = await findEndpoints(db, [id])
  const { deposit: depositFee, withdraw: withdrawFee } = termsAt(merchant.fees, clock.now())
  const callbackUrls = endpoints.flatMap(({ url }) => url ?? [])
  return { ...merchant, depositFee, withdrawFee, keys, callbackUrls, freezes: await freezesOf(db, id) }
}

export async function findMerchant({ db }: { db: Queryable }, id: string): Promise<Merchant> {
  return merchantFrom(await mustFind(db, id))
}

type Secrets = { db: Queryable; clock: Clock; vault: Vault }

/** The demo merchant of a sandbox with its secrets in plain text: they are shown at every start. */
export async function findDemoCredentials(app: Secrets): Promise<MerchantCredentials | null> {
  const merchantId = await selectDemoMerchantId(app.db)
  return merchantId === undefined ? null : findCredentials(app, merchantId)
}

/** In plain text, for a sandbox only. Null if the key is revoked. */
export async function findCredentials(
  { db, clock, vault }: Secrets,
  merchantId: string,
): Promise<MerchantCredentials | null> {
  const key = (await selectKeys(db, merchantId, clock.now())).find(({ revokedAt }) => revokedAt === null)
  const [secret] = key ? await selectLiveSecrets(db, [key.apiKey], clock.now()) : []
  const [callbackSecret] = [...(await openSecrets({ db, clock, vault }, merchantId)).values()].flatMap(
    ({ secrets }) => secrets,
  )
  if (!key || !secret || callbackSecret === undefined) return null
  return {
    merchantId,
    apiKey: key.apiKey,
    apiSecret: vault.open(secret.sealed, ownerOf(apiSecrets.name, [merchantId, key.apiKey, secret.id])),
    callbackSecret,
  }
}

export async function hasDemoMerchant({ db }: { db: Queryable }): Promise<boolean> {
  return (await selectDemoMerchantId(db)) !== undefined
}

export async function mustFind(db: Queryable, id: string): Promise<MerchantRow> {
  const merchant = await selectMerchant(db, id)
  if (!merchant) throw refuse('merchant_unknown', { merchant: id })
  return merchant
}
