import type { Actor } from '../../kernel/actor.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { DAY_MS, HOUR_MS } from '../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Random } from '../../platform/crypto/random.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import type { Authority } from '../people/index.ts'
import { authorized } from '../people/index.ts'
import { rotationsOf } from './changes/list-changes.ts'
import { mustFind } from './find-merchants.ts'
import type { Caller } from './merchant.ts'
import { callingMerchant } from './merchant.ts'
import {
  apiSecrets,
  endSecrets,
  insertKey,
  insertSecret,
  lockLiveKey,
  revokeKeys,
  selectKeys,
  selectLiveSecrets,
} from './keys/store.ts'
import { callerInForce } from './settings-in-force.ts'
import { lockMerchant, selectMerchantsByLiveKeys } from './store.ts'

type Deps = { clock: Clock; ids: Ids; random: Random; vault: Vault }
type IssuedKey = { apiKey: string; apiSecret: string }

/** How long the old secret stays valid after a rotation: a working day to deploy the new one. */
const DEFAULT_OVERLAP_HOURS = 24

export async function issueKey(app: Deps, tx: Tx, merchantId: string): Promise<IssuedKey> {
  const apiKey = `vk_${app.random.hex(16)}`
  await insertKey(tx, { apiKey, merchantId, createdAt: app.clock.now() })
  return { apiKey, apiSecret: await addSecret(app, tx, merchantId, apiKey) }
}

/**
 * Adds a second secret to the key; the first stays valid for a while. A third rotation in that time ends the oldest at
 * once. If the key was revoked, a new key is created. `newest`: id of the newest secret that the person saw, '' for none.
 */
export async function rotateKey(
  app: Deps & Authority & { db: Db },
  actor: Actor,
  merchantId: string,
  { overlapHours = DEFAULT_OVERLAP_HOURS, newest }: { overlapHours?: number; newest?: string } = {},
): Promise<IssuedKey & { previousEndsAt: Date | null }> {
  await mustFind(app.db, merchantId)
  return authorized(
    app,
    actor,
    'key.rotate',
    async (tx, audit) => {
      await lockMerchant(tx, merchantId)
      await audit(`merchant:${merchantId}`, { after: { keys: 'rotated', overlapHours } })
      const apiKey = await lockLiveKey(tx, merchantId)
      const now = app.clock.now()
      const [current, ...older] = apiKey === undefined ? [] : await selectLiveSecrets(tx, [apiKey], now)
      if (newest !== undefined && newest !== (current?.id ?? '')) throw refuse('secret_rotated')
      if (apiKey === undefined) return { ...(await issueKey(app, tx, merchantId)), previousEndsAt: null }
      await endSecrets(
        tx,
        apiKey,
        older.map(({ id }) => id),
        now,
      )
      const previousEndsAt = new Date(now.getTime() + overlapHours * HOUR_MS)
      if (current) await endSecrets(tx, apiKey, [current.id], previousEndsAt)
      return { apiKey, apiSecret: await addSecret(app, tx, merchantId, apiKey), previousEndsAt }
    },
    { usersOf: merchantId },
  )
}

/** Keys, newest first, with the secrets that work. */
export async function listKeys({ db, clock }: { db: Queryable; clock: Clock }, merchantId: string) {
  const keys = (await selectKeys(db, merchantId, clock.now())).toReversed()
  const secrets = await selectLiveSecrets(
    db,
    keys.map(({ apiKey }) => apiKey),
    clock.now(),
  )
  return keys.map(({ apiKey, createdAt, revokedAt }) => {
    const its = revokedAt === null ? secrets.filter((one) => one.apiKey === apiKey) : []
    const shown = its.map(({ id, createdAt: since, endsAt, lastUsedAt }) => ({ id, since, endsAt, lastUsedAt }))
    return { apiKey, createdAt, revokedAt, secrets: shown }
  })
}

const ROTATIONS_SHOWN = 5
const ROTATIONS_SHOWN_DAYS = 7

/** Of the last days, newest first: who has a new secret can create withdrawals, so everyone at the merchant is told. */
export async function recentRotations({ db, clock }: { db: Queryable; clock: Clock }, merchantId: string) {
  const since = new Date(clock.now().getTime() - ROTATIONS_SHOWN_DAYS * DAY_MS)
  return rotationsOf(db, merchantId, since, ROTATIONS_SHOWN)
}

/** All keys and secrets of the merchant stop working in every process within a second. */
export async function revokeKey(
  app: Authority & { db: Db; clock: Clock },
  actor: Actor,
  merchantId: string,
): Promise<string[]> {
  await mustFind(app.db, merchantId)
  return authorized(
    app,
    actor,
    'key.revoke',
    async (tx, audit) => {
      await lockMerchant(tx, merchantId)
      const revoked = await revokeKeys(tx, merchantId, app.clock.now())
      await audit(`merchant:${merchantId}`, { after: { keys: 'revoked', revoked } })
      return revoked
    },
    { usersOf: merchantId },
  )
}

/** Ends only secrets that a rotation has replaced. */
export async function revokeOldSecret(
  app: Authority & { db: Db; clock: Clock },
  actor: Actor,
  merchantId: string,
): Promise<number> {
  return authorized(
    app,
    actor,
    'key.revoke',
    async (tx, audit) => {
      const apiKey = await lockLiveKey(tx, merchantId)
      if (apiKey === undefined) throw refuse('merchant_without_key', { merchant: merchantId })
      const [, ...older] = await selectLiveSecrets(tx, [apiKey], app.clock.now())
      await endSecrets(
        tx,
        apiKey,
        older.map(({ id }) => id),
        app.clock.now(),
      )
      await audit(`merchant:${merchantId}`, { after: { keys: 'old secret revoked', secrets: older.length } })
      return older.length
    },
    { usersOf: merchantId },
  )
}

/**
 * The merchant of each key with all its valid secrets; null for an unknown or revoked key. A secret that cannot be
 * opened fails only its own merchant.
 */
export async function findCallers(
  { db, clock, vault, marks }: { db: Queryable; clock: Clock; vault: Vault; marks: Marks },
  apiKeys: string[],
): Promise<(Caller | null)[]> {
  const [merchants, secrets] = await Promise.all([
    selectMerchantsByLiveKeys(db, apiKeys),
    selectLiveSecrets(db, apiKeys, clock.now()),
  ])
  const found = merchants.map(
    async ({ apiKey, ...row }) => [apiKey, callingMerchant(await callerInForce(marks, row))] as const,
  )
  const merchantOf = new Map(await Promise.all(found))
  const secretsOf = Map.groupBy(secrets, ({ apiKey }) => apiKey)
  return apiKeys.map((apiKey) => {
    const merchant = merchantOf.get(apiKey)
    if (!merchant) return null
    const caller: Caller = { merchant, apiKey, secrets: [], unopened: null }
    for (const { id, sealed, endsAt } of secretsOf.get(apiKey) ?? []) {
      try {
        caller.secrets.push({ id, secret: vault.open(sealed, secretOwner(merchant.id, apiKey, id)), endsAt })
      } catch (error) {
        caller.unopened = error as Error
      }
    }
    return caller
  })
}

function secretOwner(merchantId: string, apiKey: string, id: string): string {
  return ownerOf(apiSecrets.name, [merchantId, apiKey, id])
}

async function addSecret(
  { clock, ids, random, vault }: Deps,
  tx: Tx,
  merchantId: string,
  apiKey: string,
): Promise<string> {
  const secret = `vs_${random.hex(32)}`
  const id = ids.next()
  const sealed = vault.seal(secret, secretOwner(merchantId, apiKey, id))
  await insertSecret(tx, { apiKey, id, sealed, createdAt: clock.now() })
  return secret
}
