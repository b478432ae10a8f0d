import type { Actor } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { OutboundRules } from '../../../platform/http-client/outbound.ts'
import { addressProblem } from '../../../platform/http-client/outbound.ts'
import type { Random } from '../../../platform/crypto/random.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import { ownerOf } from '../../../platform/postgres/sealed-rows.ts'
import type { Vault } from '../../../platform/crypto/vault.ts'
import { newWebhookSecret } from '../../../platform/crypto/webhook-signature.ts'
import type { Authority } from '../../people/index.ts'
import { authorized, mustBeApproved } from '../../people/index.ts'
import { lockMerchant } from '../store.ts'
import type { Endpoint, EndpointSettings } from './endpoint.ts'
import { DEFAULT_PACE } from './endpoint.ts'
import {
  callbackSecrets,
  endSecrets,
  insertEndpoint,
  insertSecret,
  selectEndpoint,
  findEndpoints,
  selectSecrets,
  updateSettings,
} from './store.ts'

type Deps = { db: Db; clock: Clock; ids: Ids; random: Random; vault: Vault; callbackRules: OutboundRules }

/** Long enough for a merchant who deploys the new secret on the next day. */
const ROTATION_OVERLAP_MS = DAY_MS
/** Every event is sent to each endpoint, so more is most likely a mistake. */
const MAX_ENDPOINTS = 20
const MAX_CONCURRENT = 1000
const MAX_PER_SECOND = 100_000

/** Two people, in live. Returns the secret, which is shown only once. */
export function addEndpoint(
  app: Deps & Authority,
  actor: Actor,
  merchantId: string,
  settings: Partial<EndpointSettings>,
): Promise<{ endpoint: Endpoint; secret: string }> {
  return authorized(
    app,
    actor,
    'endpoint.add',
    async (tx, audit) => {
      mustBeApproved(app)
      const opened = await openEndpoint(app, tx, merchantId, settings)
      const after = shownOf(opened.endpoint)
      await audit(`endpoint:${opened.endpoint.id}`, { after: { merchantId, ...after } })
      return opened
    },
    { usersOf: merchantId },
  )
}

export async function openEndpoint(
  app: Deps,
  tx: Tx,
  merchantId: string,
  settings: Partial<EndpointSettings>,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const chosen = checkSettings(app, settings)
  const createdAt = app.clock.now()
  const endpoint: Endpoint = {
    ...chosen,
    merchantId,
    id: app.ids.next(),
    state: 'enabled',
    stateReason: null,
    createdAt,
  }
  if ((await findEndpoints(tx, [merchantId])).length >= MAX_ENDPOINTS) {
    throw refuse('endpoint_count_reached', { most: MAX_ENDPOINTS })
  }
  await insertEndpoint(tx, endpoint)
  return { endpoint, secret: await addSecret(app, tx, endpoint) }
}

/** In live two people change the address. */
export function changeEndpoint(
  app: Deps & Authority,
  actor: Actor,
  merchantId: string,
  id: string,
  change: Partial<EndpointSettings & { url: string }>,
): Promise<Endpoint> {
  return authorized(
    app,
    actor,
    'endpoint.change',
    async (tx, audit) => {
      const before = await findEndpoint(tx, merchantId, id)
      const endpoint = { ...before, ...change }
      checkSettings(app, endpoint)
      if (endpoint.url !== before.url) mustBeApproved(app)
      const values = { before: shownOf(before), after: shownOf(endpoint) }
      await updateSettings(tx, endpoint, endpoint)
      await audit(`endpoint:${id}`, values)
      return endpoint
    },
    { usersOf: merchantId },
  )
}

/** Everything is signed with both secrets until the old one ends. `newest`: id of the newest secret that the person saw. */
export function rotateSecret(
  app: Deps & Authority,
  actor: Actor,
  merchantId: string,
  id: string,
  newest?: string,
): Promise<{ secret: string; oldSecretEndsAt: Date }> {
  return authorized(
    app,
    actor,
    'endpoint.rotate',
    async (tx, audit) => {
      const endpoint = await findEndpoint(tx, merchantId, id)
      await lockMerchant(tx, merchantId)
      if (newest !== undefined && newest !== (await newestSecret(app, tx, merchantId, id))?.id)
        throw refuse('secret_rotated')
      const oldSecretEndsAt = new Date(app.clock.now().getTime() + ROTATION_OVERLAP_MS)
      await endSecrets(tx, merchantId, id, oldSecretEndsAt)
      await audit(`endpoint:${id}`, { after: { merchantId, secret: 'rotated', oldSecretEndsAt } })
      return { secret: await addSecret(app, tx, endpoint), oldSecretEndsAt }
    },
    { usersOf: merchantId },
  )
}

/** When the secret in use was made; callbacks are signed with it and, for a day, with the one before. */
export async function newestSecret(
  { clock }: Pick<Deps, 'clock'>,
  db: Queryable,
  merchantId: string,
  endpointId: string,
): Promise<{ id: string; createdAt: Date } | null> {
  const secrets = await selectSecrets(db, merchantId, clock.now())
  return secrets.find((one) => one.endpointId === endpointId) ?? null
}

function shownOf({ id, url, description, eventTypes, maxConcurrent, maxPerSecond }: Endpoint) {
  return { id, url, description, eventTypes, maxConcurrent, maxPerSecond }
}

export async function findEndpoint(db: Queryable, merchantId: string, id: string): Promise<Endpoint> {
  const endpoint = await selectEndpoint(db, merchantId, id)
  if (!endpoint) throw refuse('endpoint_unknown', { endpoint: id, merchant: merchantId })
  return endpoint
}

/** `unopened`: the error if a valid secret is missing from the list because its row cannot be opened. */
type OpenedSecrets = { secrets: string[]; unopened: Error | null }

/** Valid secrets in plain text by endpoint, newest first. A secret that cannot be opened fails only its endpoint. */
export async function openSecrets(
  { db, clock, vault }: { db: Queryable; clock: Clock; vault: Vault },
  merchantId: string,
): Promise<Map<string, OpenedSecrets>> {
  const byEndpoint = new Map<string, OpenedSecrets>()
  for (const { endpointId, id, sealed } of await selectSecrets(db, merchantId, clock.now())) {
    const opened = byEndpoint.get(endpointId) ?? { secrets: [], unopened: null }
    byEndpoint.set(endpointId, opened)
    try {
      opened.secrets.push(vault.open(sealed, ownerOf(callbackSecrets.name, [merchantId, endpointId, id])))
    } catch (error) {
      opened.unopened = error as Error
    }
  }
  return byEndpoint
}

async function addSecret({ clock, ids, random, vault }: Deps, tx: Tx, endpoint: Endpoint): Promise<string> {
  const { merchantId, id: endpointId } = endpoint
  const secret = newWebhookSecret(random)
  const id = ids.next()
  const sealed = vault.seal(secret, ownerOf(callbackSecrets.name, [merchantId, endpointId, id]))
  await insertSecret(tx, { merchantId, endpointId, id, sealed, createdAt: clock.now() })
  return secret
}

/** With the defaults of what is left out. */
export function checkSettings(
  { callbackRules }: Pick<Deps, 'callbackRules'>,
  given: Partial<EndpointSettings>,
): EndpointSettings {
  const settings = { url: null, description: '', eventTypes: [], ...DEFAULT_PACE, ...given }
  const { url, description, eventTypes, maxConcurrent, maxPerSecond } = settings
  const problem = url === null ? null : addressProblem(url, callbackRules)
  if (problem) throw refuseField('url', 'endpoint_address_wrong', problem)
  if (description.length > 200) throw refuseField('description', 'length_wrong', { least: 0, most: 200 })
  const invalid = eventTypes.find((type) => !/^[a-z]+\.[a-z]+$/.test(type))
  if (invalid !== undefined) throw refuseField('eventTypes', 'event_type_wrong', { type: invalid })
  checkRange('maxConcurrent', maxConcurrent, MAX_CONCURRENT)
  checkRange('maxPerSecond', maxPerSecond, MAX_PER_SECOND)
  return { url, description, eventTypes, maxConcurrent, maxPerSecond }
}

function checkRange(field: string, value: number, max: number): void {
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw refuseField(field, 'setting_out_of_range', { least: 1, most: max })
}
