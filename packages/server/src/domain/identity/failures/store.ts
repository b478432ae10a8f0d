import type { Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type Failures = { key: string; failures: number; openAt: Date; lastAt: Date }

/** Locked in the order of keys, so that two attempts do not deadlock. */
export async function lockFailures(tx: Tx, keys: string[], now: Date): Promise<Failures[]> {
  await tx.query(sql`
    insert into login_failures (key, failures, open_at, last_at)
    select key, 0, ${now}, ${now} from unnest(${keys}::text[]) as k (key) order by key
    on conflict do nothing`)
  return tx.query<Failures>(sql`
    select key, failures, open_at as "openAt", last_at as "lastAt" from login_failures
    where key = any(${keys}::text[]) order by key for update`)
}

export async function updateFailures(tx: Tx, rows: Failures[]): Promise<void> {
  const types = { key: 'text', failures: 'int', openAt: 'timestamptz', lastAt: 'timestamptz' } as const
  await tx.query(sql`
    update login_failures f set failures = n.failures, open_at = n.open_at, last_at = n.last_at
    from ${rowsOf('n', rows, types)} where f.key = n.key`)
}

export async function deleteFailures(tx: Tx, keys: string[]): Promise<void> {
  await tx.query(sql`delete from login_failures where key = any(${keys}::text[])`)
}

export async function lowerFailures(tx: Tx, keys: string[]): Promise<void> {
  await tx.query(sql`
    update login_failures set failures = greatest(failures - 1, 0) where key = any(${keys}::text[])`)
}

export async function deleteOldFailures(tx: Tx, before: Date): Promise<number> {
  const rows = await tx.query(sql`delete from login_failures where last_at < ${before} returning key`)
  return rows.length
}
