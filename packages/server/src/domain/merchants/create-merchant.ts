import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Fee } from '../../kernel/money.ts'
import { NO_FEE } from '../../kernel/money.ts'
import type { OutboundRules } from '../../platform/http-client/outbound.ts'
import type { Random } from '../../platform/crypto/random.ts'
import { refuseField } from '../../kernel/refusals/refuse.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import { merchantAccount, openAccounts } from '../ledger/index.ts'
import type { Authority } from '../people/index.ts'
import { authorized } from '../people/index.ts'
import { checkNetworks } from './allowed-networks.ts'
import { issueKey } from './credentials.ts'
import { mustFind } from './find-merchants.ts'
import { openEndpoint } from './endpoints/manage-endpoints.ts'
import { checkFee } from './fees.ts'
import type { MerchantCredentials } from './merchant.ts'
import { DEFAULT_MAX_OPEN_DEPOSITS, DEFAULT_REQUESTS_PER_SECOND } from './merchant.ts'
import { mustBeShowable } from './shown-text.ts'
import { markSetting } from './settings-in-force.ts'
import { insertFees, insertMerchant, listMerchants } from './store.ts'

export type NewMerchant = {
  name: string
  demo?: boolean
  allowedNetworks?: string[]
  callbackUrl?: string | null
  returnOrigins?: string[]
  depositFee?: Partial<Fee>
  withdrawFee?: Partial<Fee>
  requestsPerSecond?: number
  maxOpenDeposits?: number
}

type Deps = Authority & {
  db: Db
  clock: Clock
  ids: Ids
  random: Random
  vault: Vault
  currencies: string[]
  callbackRules: OutboundRules
}

export async function createMerchant(app: Deps, actor: Actor, merchant: NewMerchant): Promise<MerchantCredentials> {
  check(merchant)
  return authorized(app, actor, 'merchant.create', async (tx, audit) => {
    const [merchantId, now] = [app.ids.next(), app.clock.now()]
    await insertMerchant(tx, {
      id: merchantId,
      name: merchant.name.trim(),
      demo: merchant.demo ?? false,
      requestsPerSecond: merchant.requestsPerSecond ?? DEFAULT_REQUESTS_PER_SECOND,
      maxOpenDeposits: merchant.maxOpenDeposits ?? DEFAULT_MAX_OPEN_DEPOSITS,
      returnOrigins: merchant.returnOrigins ?? [],
      networks: [...new Set(merchant.allowedNetworks)].toSorted(),
      createdAt: now,
    })
    await insertFees(tx, merchantId, 1, {
      effectiveFrom: now,
      deposit: { ...NO_FEE, ...merchant.depositFee },
      withdraw: { ...NO_FEE, ...merchant.withdrawFee },
      setBy: null,
      createdAt: now,
    })
    const row = await mustFind(tx, merchantId)
    for (const what of ['matching', 'networks'] as const) await markSetting(app.marks, tx, row, what)
    await openMerchantAccounts(app, tx, [merchantId])
    const { apiKey, apiSecret } = await issueKey(app, tx, merchantId)
    const { secret } = await openEndpoint(app, tx, merchantId, { url: merchant.callbackUrl ?? null })
    await audit(`merchant:${merchantId}`, { after: merchant })
    return { merchantId, apiKey, apiSecret, callbackSecret: secret }
  })
}

/** After a currency is added to the settings: opens accounts in it for existing merchants. */
export async function openMissingAccounts(app: Pick<Deps, 'db' | 'ids' | 'currencies'>): Promise<void> {
  const merchants = await listMerchants(app.db)
  await app.db.transaction((tx) =>
    openMerchantAccounts(
      app,
      tx,
      merchants.map(({ id }) => id),
    ),
  )
}

/** Opened in advance, so that hot paths only lock accounts and never create them. */
async function openMerchantAccounts(app: Pick<Deps, 'ids' | 'currencies'>, tx: Tx, ids: string[]): Promise<void> {
  const kinds = ['merchant_available', 'merchant_held', 'fees', 'payouts_in_transit'] as const
  const refs = ids.flatMap((id) =>
    app.currencies.flatMap((currency) => kinds.map((kind) => merchantAccount(kind, id, currency))),
  )
  if (refs.length > 0) await openAccounts(app, tx, refs)
}

function check({ name, allowedNetworks = [], returnOrigins = [], ...rest }: NewMerchant): void {
  const trimmed = name.trim()
  if (trimmed.length < 1 || trimmed.length > 100) throw refuseField('name', 'length_wrong', { least: 1, most: 100 })
  mustBeShowable('name', trimmed)
  checkNetworks(allowedNetworks)
  checkOrigins(returnOrigins)
  const { requestsPerSecond = 1 } = rest
  if (!Number.isInteger(requestsPerSecond) || requestsPerSecond < 1)
    throw refuseField('rateLimit', 'setting_out_of_range', { least: 1, most: null })
  checkFee(rest.depositFee)
  checkFee(rest.withdrawFee)
}

export function checkOrigins(origins: string[]): void {
  for (const origin of origins) {
    if (!isWebAddress(origin) || new URL(origin).origin !== origin) {
      throw refuseField('returnOrigin', 'return_origin_wrong', { origin })
    }
  }
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}
