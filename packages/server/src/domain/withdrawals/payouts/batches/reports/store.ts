import type { Said } from '../../../../../platform/refusal.ts'
import type { Queryable, Tx } from '../../../../../platform/postgres/db.ts'
import type { Sql } from '../../../../../platform/postgres/sql.ts'
import { sql } from '../../../../../platform/postgres/sql.ts'

export type StoredReport = {
  id: string
  connection: string
  name: string
  sha256: string
  batchId: string | null
  messageId: string | null
  receivedAt: Date
  appliedAt: Date | null
}

/** What followed from what a report says about one order. */
export type ReportOutcome = 'settled' | 'failed' | 'pending' | 'doubt' | 'contradicts' | 'known' | 'unknown'
export type ReportItem = { endToEndId: string; status: string | null; outcome: ReportOutcome; why: Said | null }

const columns = sql`
  r.id, r.connection, r.name, r.sha256, r.batch_id as "batchId", r.message_id as "messageId",
  r.received_at as "receivedAt", r.applied_at as "appliedAt"`

/** Returns the stored one if the same bytes were received before. */
export async function insertReport(tx: Tx, report: StoredReport, content: Uint8Array): Promise<StoredReport> {
  await tx.query(sql`
    insert into order_reports (id, connection, name, sha256, content, batch_id, message_id, received_at)
    values (${report.id}, ${report.connection}, ${report.name}, ${report.sha256}, ${content}, ${report.batchId},
      ${report.messageId}, ${report.receivedAt})
    on conflict on constraint order_reports_once do nothing`)
  const [row] = await tx.query<StoredReport>(sql`
    select ${columns} from order_reports r where r.connection = ${report.connection} and r.sha256 = ${report.sha256}`)
  return row as StoredReport
}

export async function updateApplied(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query(sql`update order_reports set applied_at = ${at} where id = ${id} and applied_at is null`)
}

export async function insertReportItem(tx: Tx, reportId: string, item: ReportItem, at: Date): Promise<void> {
  await tx.query(sql`
    insert into order_report_items (report_id, end_to_end_id, status, outcome, why, judged_at)
    values (${reportId}, ${item.endToEndId}, ${item.status}, ${item.outcome}, ${item.why && JSON.stringify(item.why)}::jsonb, ${at})
    on conflict on constraint order_report_items_pkey do nothing`)
}

export function selectReportItems(db: Queryable, reportId: string, endToEndId?: string): Promise<ReportItem[]> {
  const only = endToEndId === undefined ? sql`` : sql`and end_to_end_id = ${endToEndId}`
  return db.query<ReportItem>(sql`
    select end_to_end_id as "endToEndId", status, outcome, why from order_report_items
    where report_id = ${reportId} ${only} order by end_to_end_id`)
}

/** A report that names the order and not its batch, or came after its end, said one of these statuses. Uses an index on the outcomes. */
export async function wasSaidElsewhere(
  db: Queryable,
  { withdrawalId, createdAt }: { withdrawalId: string; createdAt: Date },
  statuses: readonly string[],
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from order_report_items
    where outcome in ('contradicts', 'unknown') and judged_at >= ${createdAt} and end_to_end_id = ${withdrawalId}
      and status = any(${statuses}::text[]) limit 1`)
  return rows.length > 0
}

/** Reports about the batch, or those that name no batch. */
export function listReports(db: Queryable, batchId: string | null, limit: number): Promise<StoredReport[]> {
  return db.query<StoredReport>(sql`
    select ${columns} from order_reports r
    where ${batchId === null ? sql`r.batch_id is null` : sql`r.batch_id = ${batchId}`}
    order by r.received_at desc limit ${limit}`)
}

export const hasReportSql = (batchId: Sql) => sql`exists (select from order_reports r where r.batch_id = ${batchId})`

export async function hasReport(db: Queryable, batchId: string): Promise<boolean> {
  return (await listReports(db, batchId, 1)).length > 0
}

/** Reports and orders in them that fit nothing: of no batch of ours, or against how a payout ended. */
export async function countUnfitting(db: Queryable, since: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select ((select count(*) from order_reports r where r.batch_id is null and r.received_at >= ${since})
      + (select count(*) from order_report_items i join order_reports r on r.id = i.report_id and r.batch_id is not null
         where i.outcome in ('contradicts', 'unknown') and i.judged_at >= ${since}))::int as count`)
  return row?.count ?? 0
}

/** A report without a batch (`endToEndId` is null), or an order in one. */
export type Unfitting = Pick<StoredReport, 'connection' | 'name' | 'batchId' | 'messageId' | 'receivedAt'> &
  (ReportItem | Record<keyof ReportItem, null>)

/** What `countUnfitting` counts, newest first. */
export function listUnfitting(db: Queryable, since: Date, limit: number): Promise<Unfitting[]> {
  const about = sql`r.connection, r.name, r.batch_id as "batchId", r.message_id as "messageId", r.received_at as "receivedAt"`
  const newest = sql`order by r.received_at desc, r.id desc limit ${limit}`
  return db.query<Unfitting>(sql`
    (select ${about}, null as "endToEndId", null as status, null as outcome, null::jsonb as why
     from order_reports r where r.batch_id is null and r.received_at >= ${since} ${newest})
    union all
    (select ${about}, i.end_to_end_id, i.status, i.outcome, i.why
     from order_report_items i join order_reports r on r.id = i.report_id and r.batch_id is not null
     where i.outcome in ('contradicts', 'unknown') and i.judged_at >= ${since} ${newest})
    order by "receivedAt" desc, name limit ${limit}`)
}

/** Returns the number of changed rows. */
export async function eraseReports(tx: Tx, batchIds: string[]): Promise<number> {
  const rows = await tx.query(sql`
    update order_reports set content = null
    where content is not null and batch_id = any(${batchIds}::text[]) returning 1`)
  return rows.length
}
