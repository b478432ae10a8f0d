import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'

/** `owner`: a person of the staff, or a merchant's user. `purpose`: what it was uploaded for. */
export type UploadKey = { owner: string; purpose: string }

export type Upload = UploadKey & { id: string; name: string; size: number; sha256: string; createdAt: Date }

export async function insertUpload(
  tx: Tx,
  { id, owner, purpose, name, createdAt }: UploadKey & { id: string; name: string; createdAt: Date },
): Promise<void> {
  await tx.query(sql`
    insert into uploads (id, owner, purpose, name, created_at) values (${id}, ${owner}, ${purpose}, ${name}, ${createdAt})`)
}

/** Sent again after a lost answer it is the same part. */
export async function insertPart(tx: Tx, uploadId: string, number: number, data: Buffer): Promise<void> {
  await tx.query(sql`
    insert into upload_parts (upload_id, number, data) values (${uploadId}, ${number}, ${data}) on conflict do nothing`)
}

/** Locked, so that its parts come one after the other. Undefined if it is complete, too old or not of this owner. */
export async function lockArriving(tx: Tx, id: string, { owner, purpose }: UploadKey, since: Date) {
  const rows = await tx.query<{ parts: number }>(sql`
    select (select count(*)::int from upload_parts p where p.upload_id = u.id) as parts
    from uploads u where u.id = ${id} and u.owner = ${owner} and u.purpose = ${purpose} and u.sha256 is null
      and u.created_at >= ${since} for update`)
  return rows[0]
}

export async function selectPart(db: Queryable, uploadId: string, number: number): Promise<Buffer | undefined> {
  const rows = await db.query<{ data: Buffer }>(sql`
    select p.data from upload_parts p where p.upload_id = ${uploadId} and p.number = ${number}`)
  return rows[0]?.data
}

export async function completeUpload(tx: Tx, id: string, { size, sha256 }: Pick<Upload, 'size' | 'sha256'>) {
  await tx.query(sql`update uploads set size = ${size}, sha256 = ${sha256} where id = ${id}`)
}

export async function selectUpload(
  db: Queryable,
  id: string,
  { owner, purpose }: UploadKey,
  since: Date,
): Promise<Upload | undefined> {
  const rows = await db.query<Upload>(sql`
    select u.id, u.owner, u.purpose, u.name, u.size, u.sha256, u.created_at as "createdAt" from uploads u
    where u.id = ${id} and u.owner = ${owner} and u.purpose = ${purpose} and u.sha256 is not null and u.created_at >= ${since}`)
  return rows[0]
}

/** Complete ones of all people, oldest first. */
export function selectUploads(db: Queryable, purpose: string, since: Date): Promise<Upload[]> {
  return db.query<Upload>(sql`
    select u.id, u.owner, u.purpose, u.name, u.size, u.sha256, u.created_at as "createdAt" from uploads u
    where u.purpose = ${purpose} and u.sha256 is not null and u.created_at >= ${since} order by u.id`)
}

/** The newest with this content, whoever uploaded it. */
export async function selectBySha(db: Queryable, purpose: string, sha256: string): Promise<Upload | undefined> {
  const rows = await db.query<Upload>(sql`
    select u.id, u.owner, u.purpose, u.name, u.size, u.sha256, u.created_at as "createdAt" from uploads u
    where u.purpose = ${purpose} and u.sha256 = ${sha256} order by u.id desc limit 1`)
  return rows[0]
}

export async function deleteUpload(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`delete from uploads where id = ${id}`)
}

/** All but the newest of an owner, which have no more bytes together: of those that are complete, or of those that still arrive. */
export async function deleteOlder(
  tx: Tx,
  { owner, purpose }: UploadKey,
  { keep, maxBytes, complete }: { keep: number; maxBytes: number; complete: boolean },
): Promise<void> {
  await tx.query(sql`
    delete from uploads where id in (
      select n.id from (
        select u.id, row_number() over newest as place, sum(u.size) over newest as bytes
        from uploads u where u.owner = ${owner} and u.purpose = ${purpose} and (u.sha256 is not null) = ${complete}
        window newest as (order by u.id desc)
      ) n where n.place > ${keep} or n.bytes > ${maxBytes}
    )`)
}

/** `longer`: a purpose that has a time of its own. */
export async function deleteExpired(tx: Tx, before: Date, longer: { purpose: string; before: Date }): Promise<number> {
  const rows = await tx.query(sql`
    delete from uploads where created_at < case purpose when ${longer.purpose} then ${longer.before}::timestamptz else ${before}::timestamptz end
    returning id`)
  return rows.length
}
