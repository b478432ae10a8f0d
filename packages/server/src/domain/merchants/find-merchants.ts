import type { Marks } from '../../platform/crypto/marks.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { Fee } from '../../kernel/money.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Merchant, MerchantCredentials, MerchantFacts } from './merchant.ts'
import { termsAt } from './merchant.ts'
import { openSecrets } from './endpoints/manage-endpoints.ts'
import { findEndpoints } from './endpoints/store.ts'
import type { Freeze } from './changes/list-changes.ts'
import { freezesOf } from './changes/list-changes.ts'
import type { KeyRow } from './keys/store.ts'
import type { InForce } from './settings-in-force.ts'
import { inForce } from './settings-in-force.ts'
import type { MerchantRow } from './store.ts'
import { apiSecrets, selectKeys, selectLiveSecrets } from './keys/store.ts'
import { selectDemoMerchantId, selectMerchant, selectMerchantsById } from './store.ts'

export type MerchantDetails = Omit<InForce, 'settingMarks'> & {
  /** In force now. */
  depositFee: Fee
  withdrawFee: Fee
  keys: KeyRow[]
  callbackUrls: string[]
  freezes: Freeze[]
}

export async function showMerchant(
  { db, clock, marks }: { db: Queryable; clock: Clock; marks: Marks },
  id: string,
): Promise<MerchantDetails> {
  const { settingMarks: _, ...merchant } = await inForce(marks, await mustFind(db, id))
  const keys = await selectKeys(db, id, clock.now())
  const endpoints = await findEndpoints(db, [id])
  const { deposit: depositFee, withdraw: withdrawFee } = termsAt(merchant.fees, clock.now())
  const callbackUrls = endpoints.flatMap(({ url }) => url ?? [])
  return { ...merchant, depositFee, withdrawFee, keys, callbackUrls, freezes: await freezesOf(db, id) }
}

export function findMerchant({ db }: { db: Queryable }, id: string): Promise<MerchantFacts> {
  return mustFind(db, id)
}

export async function merchantsById(db: Queryable, ids: string[]): Promise<Map<string, MerchantFacts>> {
  return new Map((await rowsById(db, ids)).map((row) => [row.id, row]))
}

type Marking = { db: Queryable; marks: Marks }

/** With its rules, of which only those count that the service has written. */
export async function merchantInForce({ db, marks }: Marking, id: string): Promise<Merchant> {
  return inForce(marks, await mustFind(db, id))
}

export async function merchantsInForce({ db, marks }: Marking, ids: string[]): Promise<Map<string, Merchant>> {
  const all = await Promise.all((await rowsById(db, ids)).map((row) => inForce(marks, row)))
  return new Map(all.map((one) => [one.id, one]))
}

async function rowsById(db: Queryable, ids: string[]): Promise<MerchantRow[]> {
  return ids.length > 0 ? selectMerchantsById(db, ids) : []
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
