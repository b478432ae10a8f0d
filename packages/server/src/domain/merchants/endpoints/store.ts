import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { SealedTable } from '../../../platform/postgres/sealed-rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Endpoint, EndpointSettings, EndpointState } from './endpoint.ts'

const columns = sql`
  e.merchant_id as "merchantId", e.id, e.url, e.description, e.event_types as "eventTypes", e.state,
  e.state_reason as "stateReason", e.max_concurrent as "maxConcurrent", e.max_per_second as "maxPerSecond",
  e.created_at as "createdAt"`

export async function insertEndpoint(tx: Tx, endpoint: Endpoint): Promise<void> {
  await tx.query(sql`
    insert into callback_endpoints (
      merchant_id, id, url, description, event_types, max_concurrent, max_per_second, created_at
    ) values (
      ${endpoint.merchantId}, ${endpoint.id}, ${endpoint.url}, ${endpoint.description}, ${endpoint.eventTypes},
      ${endpoint.maxConcurrent}, ${endpoint.maxPerSecond}, ${endpoint.createdAt}
    )`)
}

export async function updateSettings(tx: Tx, { merchantId, id }: Endpoint, settings: EndpointSettings): Promise<void> {
  await tx.query(sql`
    update callback_endpoints set url = ${settings.url}, description = ${settings.description},
      event_types = ${settings.eventTypes}, max_concurrent = ${settings.maxConcurrent},
      max_per_second = ${settings.maxPerSecond}
    where merchant_id = ${merchantId} and id = ${id}`)
}

export async function setEndpointState(
  tx: Tx,
  merchantId: string,
  id: string,
  state: EndpointState,
  reason: string | null,
): Promise<void> {
  await tx.query(sql`
    update callback_endpoints set state = ${state}, state_reason = ${reason}
    where merchant_id = ${merchantId} and id = ${id} and state <> 'removed'`)
}

export function findEndpoints(db: Queryable, merchantIds: string[]): Promise<Endpoint[]> {
  return db.query<Endpoint>(sql`
    select ${columns} from callback_endpoints e
    where e.merchant_id = any(${merchantIds}::text[]) and e.state <> 'removed' order by e.merchant_id, e.id`)
}

/** Also of those that were removed. */
export async function selectEndpointIds(db: Queryable, merchantId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from callback_endpoints where merchant_id = ${merchantId} order by id`)
  return rows.map(({ id }) => id)
}

/** For a join in another statement: endpoints of all merchants, in the order of their key. */
export const endpointsSql: Sql = sql`
  select e.merchant_id, e.id, e.url, e.state, e.state_reason from callback_endpoints e where e.state <> 'removed'`

/** Endpoints that callbacks are sent to. */
export function sendingEndpoints(db: Queryable): Promise<Pick<Endpoint, 'merchantId' | 'id'>[]> {
  return db.query<Pick<Endpoint, 'merchantId' | 'id'>>(sql`
    select e.merchant_id as "merchantId", e.id from callback_endpoints e where e.state = 'enabled' and e.url is not null`)
}

export async function selectEndpoint(db: Queryable, merchantId: string, id: string): Promise<Endpoint | undefined> {
  const [row] = await db.query<Endpoint>(sql`
    select ${columns} from callback_endpoints e
    where e.merchant_id = ${merchantId} and e.id = ${id} and e.state <> 'removed'`)
  return row
}

export type SecretRow = { id: string; endpointId: string; sealed: string; createdAt: Date; endsAt: Date | null }

export async function insertSecret(
  tx: Tx,
  secret: { merchantId: string; endpointId: string; id: string; sealed: string; createdAt: Date },
): Promise<void> {
  await tx.query(sql`
    insert into callback_secrets (merchant_id, endpoint_id, id, sealed, created_at)
    values (${secret.merchantId}, ${secret.endpointId}, ${secret.id}, ${secret.sealed}, ${secret.createdAt})`)
}

/** The newest first. */
export function selectSecrets(db: Queryable, merchantId: string, at: Date): Promise<SecretRow[]> {
  return db.query<SecretRow>(sql`
    select id, endpoint_id as "endpointId", sealed, created_at as "createdAt", ends_at as "endsAt" from callback_secrets
    where merchant_id = ${merchantId} and (ends_at is null or ends_at > ${at})
    order by endpoint_id, created_at desc, id desc`)
}

export const callbackSecrets: SealedTable = {
  name: 'callback_secrets',
  select: (db) =>
    db.query(sql`
      select array[merchant_id, endpoint_id, id] as key, sealed from callback_secrets
      order by merchant_id, endpoint_id, id`),
  async update(tx, changes) {
    const column = (at: number) => changes.map(({ key }) => key[at])
    await tx.query(sql`
      update callback_secrets s set sealed = c.renewed
      from unnest(${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[],
        ${changes.map(({ sealed }) => sealed)}::text[], ${changes.map(({ renewed }) => renewed)}::text[])
        as c (merchant_id, endpoint_id, id, sealed, renewed)
      where s.merchant_id = c.merchant_id and s.endpoint_id = c.endpoint_id and s.id = c.id and s.sealed = c.sealed`)
  },
}

/** Secrets that end earlier keep their end. */
export async function endSecrets(tx: Tx, merchantId: string, endpointId: string, endsAt: Date): Promise<void> {
  await tx.query(sql`
    update callback_secrets set ends_at = ${endsAt}
    where merchant_id = ${merchantId} and endpoint_id = ${endpointId} and (ends_at is null or ends_at > ${endsAt})`)
}
