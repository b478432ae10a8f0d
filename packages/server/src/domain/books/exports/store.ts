import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { DayWindow } from '../../ledger/index.ts'
import { journalSql, merchantEntriesSql } from '../../ledger/index.ts'

export type MerchantEntry = {
  day: string
  aboutDay: string | null
  kind: string
  merchantId: string
  subjectId: string
  processId: string | null
  currency: string
  net: bigint
  fee: bigint
}

export type JournalRow = {
  day: string
  aboutDay: string | null
  entryId: string
  kind: string
  merchantId: string
  subjectId: string
  actor: string
  fromKind: string
  fromOwner: string
  toKind: string
  toOwner: string
  currency: string
  amount: bigint
}

type OnRows<Row> = (rows: Row[]) => Promise<void>

function entriesSql(window: DayWindow, merchantId: string | null, which: Sql = sql``): Sql {
  return sql`
    select to_char(e.effective_on, 'YYYY-MM-DD') as day, to_char(e.about_day, 'YYYY-MM-DD') as "aboutDay", e.kind,
      e.merchant_id as "merchantId", e.subject_id as "subjectId", n.process_id as "processId", e.currency, e.net, e.fee
    from (${merchantEntriesSql(window, merchantId)}) as e
    left join transaction_numbers n on n.merchant_id = e.merchant_id and n.id = e.subject_id
    ${which} order by e.effective_on, e.entry_id, e.merchant_id`
}

/** The first ones that changed the merchant's money. */
export function selectEntries(
  db: Queryable,
  window: DayWindow,
  merchantId: string,
  limit: number,
): Promise<MerchantEntry[]> {
  return db.query<MerchantEntry>(sql`${entriesSql(window, merchantId, sql`where e.net <> 0`)} limit ${limit}`)
}

/** In pages of one reading: memory is bounded and the rows fit together. */
export function readEntries(tx: Tx, window: DayWindow, merchantId: string | null, onRows: OnRows<MerchantEntry>) {
  return readAll(tx, {
    declare: sql`declare exported_entries no scroll cursor for ${entriesSql(window, merchantId)}`,
    fetch: sql`fetch 2000 from exported_entries`,
    onRows,
  })
}

export function readJournal(tx: Tx, window: DayWindow, merchantId: string | null, onRows: OnRows<JournalRow>) {
  return readAll(tx, {
    declare: sql`declare exported_journal no scroll cursor for ${journalSql(window, merchantId)}`,
    fetch: sql`fetch 2000 from exported_journal`,
    onRows,
  })
}

type Reading<Row> = { declare: Sql; fetch: Sql; onRows: OnRows<Row> }

/** A cursor ends with its transaction. */
async function readAll<Row>(tx: Tx, { declare, fetch, onRows }: Reading<Row>): Promise<void> {
  await tx.query(declare)
  for (let rows = await tx.query<Row>(fetch); rows.length > 0; rows = await tx.query<Row>(fetch)) await onRows(rows)
}

export type MovementTotal = { merchantId: string; currency: string; kind: string; net: bigint; fee: bigint }

/** The fee counts only where the merchant's money changed: the operator may also take fees from its own account. */
export function sumEntries(db: Queryable, window: DayWindow, merchantId: string | null): Promise<MovementTotal[]> {
  return db.query<MovementTotal>(sql`
    select e.merchant_id as "merchantId", e.currency, e.kind, sum(e.net)::bigint as net,
      coalesce(sum(e.fee) filter (where e.net <> 0), 0)::bigint as fee
    from (${merchantEntriesSql(window, merchantId)}) as e group by e.merchant_id, e.currency, e.kind`)
}
