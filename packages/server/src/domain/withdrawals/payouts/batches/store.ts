import type { Said } from '../../../../platform/refusal.ts'
import type { Queryable, Tx } from '../../../../platform/postgres/db.ts'
import { rowsOf } from '../../../../platform/postgres/rows.ts'
import type { Sql } from '../../../../platform/postgres/sql.ts'
import { sql, stateLiterals } from '../../../../platform/postgres/sql.ts'
import { noDriftSql } from '../../../ledger/index.ts'
import { noRestoreOpenSql, noRestoreSinceSql } from '../../restores/store.ts'
import type { Batch, BatchItem, BatchState } from './batch.ts'
import { UNFETCHED } from './batch.ts'
import { hasReportSql } from './reports/store.ts'
import { isEndedSql, isNotSendableSql } from '../store.ts'

const columns = sql`
  b.id, b.connection, b.source_account_id as "sourceAccountId", b.state, b.folder, b.file_name as "fileName",
  b.staged_name as "stagedName", b.format, b.sha256, b.orders, b.amount, b.currency, b.problem,
  b.created_at as "createdAt", b.released_at as "releasedAt", b.fetched_at as "fetchedAt", b.cancelled_by as "cancelledBy",
  b.cancel_reason as "cancelReason", b.hold_until as "holdUntil", b.cancelled_at as "cancelledAt", b.mark`

const unfetched = stateLiterals(UNFETCHED)
/** Of `payout_batches b`. */
const hasItem = (which: Sql) => sql`exists (select from payout_batch_items i where i.batch_id = b.id and ${which})`
const hasEndedItem = hasItem(isEndedSql(sql`i.withdrawal_id`))

/** One process makes batches at a time, so that payouts that wait together leave together. */
export async function lockBatching(tx: Tx): Promise<void> {
  const BATCHING = 0x62617463
  await tx.query(sql`select pg_advisory_xact_lock(${BATCHING})`)
}

type NewBatch = Pick<
  Batch,
  | 'id'
  | 'connection'
  | 'sourceAccountId'
  | 'folder'
  | 'fileName'
  | 'format'
  | 'sha256'
  | 'orders'
  | 'amount'
  | 'currency'
  | 'createdAt'
  | 'mark'
> & { content: Uint8Array }

export async function insertBatch(tx: Tx, batch: NewBatch, items: Omit<BatchItem, 'cancelled'>[]): Promise<void> {
  await tx.query(sql`
    insert into payout_batches (
      id, connection, source_account_id, state, folder, file_name, format, sha256, content, orders, amount, currency, created_at, mark
    ) values (
      ${batch.id}, ${batch.connection}, ${batch.sourceAccountId}, 'cut', ${batch.folder}, ${batch.fileName}, ${batch.format},
      ${batch.sha256}, ${batch.content}, ${batch.orders}, ${batch.amount}, ${batch.currency}, ${batch.createdAt}, ${batch.mark}
    )`)
  await tx.query(sql`
    insert into payout_batch_items (batch_id, number, merchant_id, withdrawal_id)
    select ${batch.id}, added.number, added.merchant_id, added.withdrawal_id
    from ${rowsOf('added', items, { number: 'int', merchantId: 'text', withdrawalId: 'text' })}`)
}

/**
 * Batches whose next step is due, oldest first. Nothing is released while a restore is open or the ledger has drifted, and nothing that was stored before one:
 * the lost database may have released it.
 */
export function selectInWork(db: Queryable, connections: string[], limit: number, id?: string): Promise<Batch[]> {
  return db.query<Batch>(sql`
    select ${columns} from payout_batches b
    where b.state in (${unfetched}) and b.connection = any(${connections}::text[]) and (${id ?? null}::text is null or b.id = ${id ?? null})
      and (b.state in ('released', 'cancelling') or (${noRestoreOpenSql} and ${noDriftSql} and ${noRestoreSinceSql(sql`b.created_at`)}))
    order by b.created_at limit ${limit}`)
}

export async function selectContent(db: Queryable, id: string): Promise<Uint8Array | null> {
  const [row] = await db.query<{ content: Uint8Array | null }>(sql`select content from payout_batches where id = ${id}`)
  return row?.content ?? null
}

export async function findBatch(db: Queryable, id: string): Promise<Batch | undefined> {
  const [row] = await db.query<Batch>(sql`select ${columns} from payout_batches b where b.id = ${id}`)
  return row
}

export async function lockBatch(tx: Tx, id: string): Promise<Batch | undefined> {
  const [row] = await tx.query<Batch>(sql`select ${columns} from payout_batches b where b.id = ${id} for update`)
  return row
}

/** Newest first. `before`: older than this one. */
export function listBatches(
  db: Queryable,
  state: string | undefined,
  limit: number,
  before?: Pick<Batch, 'id' | 'createdAt'>,
): Promise<Batch[]> {
  const only = state === undefined ? sql`true` : sql`b.state = ${state}`
  const older =
    before === undefined ? sql`` : sql`and (b.created_at, b.id) < (${before.createdAt}::timestamptz, ${before.id})`
  return db.query<Batch>(sql`
    select ${columns} from payout_batches b where ${only} ${older}
    order by b.created_at desc, b.id desc limit ${limit}`)
}

export function selectItems(db: Queryable, batchId: string): Promise<BatchItem[]> {
  return db.query<BatchItem>(sql`
    select number, merchant_id as "merchantId", withdrawal_id as "withdrawalId", cancelled
    from payout_batch_items where batch_id = ${batchId} order by number`)
}

export type Change = { state: BatchState } & Partial<
  Pick<Batch, 'stagedName' | 'releasedAt' | 'fetchedAt' | 'cancelledBy' | 'cancelReason' | 'holdUntil' | 'cancelledAt'>
>

/** False if the batch is no longer in the state that it was read in. */
export async function updateBatch(tx: Tx, before: Batch, change: Change): Promise<boolean> {
  const after = { ...before, ...change }
  const rows = await tx.query(sql`
    update payout_batches set state = ${after.state}, staged_name = ${after.stagedName}, problem = null,
      released_at = ${after.releasedAt}, fetched_at = ${after.fetchedAt}, cancelled_by = ${after.cancelledBy},
      cancel_reason = ${after.cancelReason}, hold_until = ${after.holdUntil}, cancelled_at = ${after.cancelledAt}
    where id = ${before.id} and state = ${before.state} returning id`)
  return rows.length > 0
}

export async function updateProblem(tx: Tx, { id }: Batch, problem: Said | null): Promise<void> {
  const stored = problem && JSON.stringify(problem)
  await tx.query(sql`
    update payout_batches set problem = ${stored}::jsonb where id = ${id} and problem is distinct from ${stored}::jsonb`)
}

export async function cancelItems(tx: Tx, batchId: string): Promise<void> {
  await tx.query(sql`update payout_batch_items set cancelled = true where batch_id = ${batchId} and not cancelled`)
}

/** The batch that the payout is in now, and how often it was in one. */
export async function findLiveBatch(db: Queryable, withdrawalId: string): Promise<Batch | undefined> {
  const [row] = await db.query<Batch>(sql`
    select ${columns} from payout_batches b where b.id = (
      select i.batch_id from payout_batch_items i where i.withdrawal_id = ${withdrawalId} and not i.cancelled
    )`)
  return row
}

export async function countItemsOf(db: Queryable, withdrawalId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from payout_batch_items where withdrawal_id = ${withdrawalId}`)
  return row?.count ?? 0
}

/** Not taken to the bank: made before this time, and the file still waits. */
export function selectUnfetched(db: Queryable, before: Date): Promise<Batch[]> {
  return db.query<Batch>(sql`
    select ${columns} from payout_batches b where b.state in (${unfetched}) and b.created_at < ${before} order by b.created_at`)
}

/**
 * Batches whose file should not be in outbox/: they had left our hands, the bank has reported since, or a payout has ended or come
 * into doubt. Also those that were stopped by a process that then crashed.
 */
export function selectMisplaced(
  db: Queryable,
  connection: string,
  { waiting, stopped }: { waiting: string[]; stopped: string[] },
): Promise<Batch[]> {
  return db.query<Batch>(sql`
    select ${columns} from payout_batches b
    where b.connection = ${connection} and b.file_name = any(${[...waiting, ...stopped]}::text[])
      and (b.file_name = any(${waiting}::text[]) or b.problem is null)
      and (b.state in ('fetched', 'cancelled')
        or (b.state = 'released' and (${hasReportSql(sql`b.id`)} or ${hasItem(isNotSendableSql(sql`i.withdrawal_id`))})))`)
}

/** Made since this time; the file came back to outbox/ and must not be sent, and no person has looked yet. */
export function selectStopped(db: Queryable, since: Date): Promise<Batch[]> {
  return db.query<Batch>(sql`
    select ${columns} from payout_batches b
    where b.created_at >= ${since} and b.state in ('fetched', 'cancelled') and b.problem is not null order by b.created_at`)
}

/** Not sent, with the reason: a payout that must not be sent, or the folder. */
export function selectHeld(db: Queryable): Promise<Batch[]> {
  return db.query<Batch>(sql`
    select ${columns} from payout_batches b
    where b.state in (${unfetched}) and b.problem is not null order by b.created_at`)
}

/** Fetched before this time, with nothing heard since: no report, and no payout of it has ended. */
export function selectSilent(db: Queryable, before: Date): Promise<Batch[]> {
  return db.query<Batch>(sql`
    select ${columns} from payout_batches b
    where b.state = 'fetched' and b.fetched_at < ${before} and not ${hasReportSql(sql`b.id`)} and not ${hasEndedItem}
    order by b.fetched_at`)
}

/** Removes the file of every batch that the payout was in and that has left our hands. Its hash stays. Returns the number of changed rows. */
export async function eraseFiles(tx: Tx, withdrawalId: string): Promise<number> {
  const rows = await tx.query(sql`
    update payout_batches b set content = null
    where b.content is not null and b.state in ('released', 'fetched', 'cancelled')
      and b.id in (select i.batch_id from payout_batch_items i where i.withdrawal_id = ${withdrawalId}) returning 1`)
  return rows.length
}

export async function selectBatchIds(db: Queryable, withdrawalId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select batch_id as id from payout_batch_items where withdrawal_id = ${withdrawalId}`,
  )
  return rows.map(({ id }) => id)
}
