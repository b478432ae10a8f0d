import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type LinkRow = { merchantId: string; id: string; madeBy: string; madeAt: Date }

/** Sending the form again changes nothing. */
export async function insertLink(tx: Tx, { merchantId, id, madeBy, madeAt }: LinkRow): Promise<void> {
  await tx.query(sql`
    insert into payment_links (merchant_id, id, made_by, made_at)
    values (${merchantId}, ${id}, ${madeBy}, ${madeAt}) on conflict do nothing`)
}

/** Newest first. */
export function selectLinks(
  db: Queryable,
  merchantId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<LinkRow[]> {
  const earlier = before === undefined ? sql`` : sql`and id < ${before}`
  return db.query<LinkRow>(sql`
    select merchant_id as "merchantId", id, made_by as "madeBy", made_at as "madeAt"
    from payment_links where merchant_id = ${merchantId} ${earlier} order by id desc limit ${limit}`)
}

export async function selectLink(db: Queryable, merchantId: string, id: string): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>(sql`
    select merchant_id as "merchantId", id, made_by as "madeBy", made_at as "madeAt"
    from payment_links where merchant_id = ${merchantId} and id = ${id}`)
  return row
}
