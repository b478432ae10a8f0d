import { ERASED } from '../../../kernel/erased.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Proposal, ProposalState, Difference } from './proposal.ts'
import { readRows } from './read-rows.ts'

const columns = sql`
  c.id, c.kind, c.target, c.merchant_id as "merchantId", c.payload, c.payload_sha256 as "payloadSha256", c.description,
  c.seen_sha256 as "seenSha256", c.reason, c.proposed_by as "proposedBy", c.proposed_at as "proposedAt", c.state,
  c.decided_by as "decidedBy", c.decided_at as "decidedAt", c.note`

type Row = Omit<Proposal, 'rows'> & { description: string }

/** `rest` is what follows `from proposals c`. */
async function select(db: Queryable, rest: Sql): Promise<Proposal[]> {
  const rows = await db.query<Row>(sql`select ${columns} from proposals c ${rest}`)
  return rows.map(({ description, ...row }) => ({ ...row, rows: readRows(description) }))
}

export async function insertProposal(tx: Tx, one: Proposal): Promise<void> {
  await tx.query(sql`
    insert into proposals (id, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason, proposed_by, proposed_at)
    values (${one.id}, ${one.kind}, ${one.target}, ${one.merchantId}, ${one.payload}, ${one.payloadSha256},
      ${JSON.stringify(one.rows)}, ${one.seenSha256}, ${one.reason}, ${one.proposedBy}, ${one.proposedAt})`)
}

export async function findProposal(db: Queryable, id: string): Promise<Proposal | undefined> {
  return (await select(db, sql`where c.id = ${id}`))[0]
}

export async function lockProposal(tx: Tx, id: string): Promise<Proposal | undefined> {
  return (await select(tx, sql`where c.id = ${id} for update`))[0]
}

/** Newest first. A kind whose subjects are more than its target has several of one target. */
export function openAbout(db: Queryable, kind: string, target: string): Promise<Proposal[]> {
  return select(db, sql`where c.target = ${target} and c.kind = ${kind} and c.state = 'open' order by c.id desc`)
}

/** Those of one kind that are open, oldest first. */
export function openOfKind(db: Queryable, kind: string, targets: string[], since: Date): Promise<Proposal[]> {
  const open = sql`c.state = 'open' and c.proposed_at >= ${since}`
  return select(db, sql`where c.target = any(${targets}::text[]) and c.kind = ${kind} and ${open} order by c.id`)
}

/** Of one kind, oldest first: decided ones too. */
export function selectAbout(db: Queryable, kind: string, target: string): Promise<Proposal[]> {
  return select(db, sql`where c.target = ${target} and c.kind = ${kind} order by c.id`)
}

/** `besides`: without these kinds. */
type Wanted = { besides: readonly string[]; limit: number }

/** Oldest first. */
export function openSince(db: Queryable, since: Date, { besides, limit }: Wanted): Promise<Proposal[]> {
  const open = sql`c.state = 'open' and c.proposed_at >= ${since} and c.kind <> all(${besides}::text[])`
  return select(db, sql`where ${open} order by c.id limit ${limit}`)
}

export async function countSince(db: Queryable, since: Date, besides: readonly string[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from proposals
    where state = 'open' and proposed_at >= ${since} and kind <> all(${besides}::text[])`)
  return row?.count ?? 0
}

/** Of one merchant, newest first. */
export function selectOfMerchant(db: Queryable, merchantId: string, { besides, limit }: Wanted): Promise<Proposal[]> {
  const own = sql`c.merchant_id = ${merchantId} and c.kind <> all(${besides}::text[])`
  return select(db, sql`where ${own} order by c.id desc limit ${limit}`)
}

/** Of one kind and merchant, newest first. */
export function selectOfKind(
  db: Queryable,
  kind: string,
  merchantId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Proposal[]> {
  const earlier = before === undefined ? sql`` : sql`and c.id < ${before}`
  const own = sql`c.merchant_id = ${merchantId} and c.kind = ${kind}`
  return select(db, sql`where ${own} ${earlier} order by c.id desc limit ${limit}`)
}

export async function countOpen(
  db: Queryable,
  { kind, merchantId, since }: { kind: string; merchantId: string; since: Date },
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from proposals
    where state = 'open' and kind = ${kind} and merchant_id = ${merchantId} and proposed_at >= ${since}`)
  return row?.count ?? 0
}

/** Whether one about this target was decided or has expired. */
export async function hasEnded(db: Queryable, merchantId: string, target: string): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from proposals
    where merchant_id = ${merchantId} and target = ${target} and state <> 'open' limit 1`)
  return rows.length > 0
}

/** Newest first. */
export function selectNewest(db: Queryable, { besides, limit }: Wanted): Promise<Proposal[]> {
  return select(db, sql`where c.kind <> all(${besides}::text[]) order by c.id desc limit ${limit}`)
}

type Decided = { state: Exclude<ProposalState, 'open'>; decidedBy: string | null; note: string | null }

/** `kept`: the rows that stay without the terms; null leaves all. */
export async function updateDecided(
  tx: Tx,
  id: string,
  { state, decidedBy, note, kept }: Decided & { kept: Difference[] | null },
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update proposals set state = ${state}, decided_by = ${decidedBy}, decided_at = ${at}, note = ${note},
      payload = case when ${kept !== null} then 'null' else payload end,
      description = coalesce(${kept && JSON.stringify(kept)}, description)
    where id = ${id} and state = 'open'`)
}

/** How rows with personal data are shown. */
export const PERSONAL: readonly Difference['as'][] = ['list', 'personal']

/** Those that are too old; of these kinds without their terms from now on. Returns how many. */
export async function expireBefore(tx: Tx, before: Date, forgotten: string[], at: Date): Promise<number> {
  const rows = await tx.query(sql`
    update proposals set state = 'expired', decided_at = ${at},
      payload = case when kind = any(${forgotten}::text[]) then 'null' else payload end,
      description = case when kind = any(${forgotten}::text[]) then (
          select coalesce(json_agg(r.row), '[]')::text from json_array_elements(description::json) as r (row)
          where r.row ->> 'as' <> all(${[...PERSONAL]}::text[])
        ) else description end
    where state = 'open' and proposed_at < ${before} returning 1`)
  return rows.length
}

/** What people wrote about it. Returns the number of rows that had something. */
export async function eraseReasons(tx: Tx, kind: string, target: string): Promise<number> {
  const rows = await tx.query(sql`
    update proposals set reason = case when reason is not null then ${ERASED} end,
      note = case when note is not null then ${ERASED} end
    where target = ${target} and kind = ${kind} and (reason <> ${ERASED} or note <> ${ERASED}) returning 1`)
  return rows.length
}
