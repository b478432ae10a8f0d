import type { Db, Queryable, Tx } from './db.ts'
import type { Vault } from '../crypto/vault.ts'

type SealedRow = { key: string[]; sealed: string }

/** A table of sealed secrets, for code that reads all of them: master key rotation, doctor. */
export type SealedTable = {
  name: string
  select: (db: Queryable) => Promise<SealedRow[]>
  /** Updates only rows that are unchanged since they were read: another process may have resealed them. */
  update: (tx: Tx, changes: (SealedRow & { renewed: string })[]) => Promise<void>
}

/** A transaction of this many rows takes milliseconds. */
const BATCH_SIZE = 200

/** The owner that a secret is bound to: table and full key, so that it opens only in its own row. */
export function ownerOf(table: string, key: string[]): string {
  return [table, ...key].join('/')
}

/**
 * Reseals every row that another key has sealed. Can be interrupted and repeated. Returns rows that cannot be opened.
 */
export async function resealRows(
  { db, vault }: { db: Db; vault: Vault },
  tables: SealedTable[],
  onProgress: (done: number, all: number) => void,
): Promise<{ resealed: number; unopened: Error[] }> {
  const found = await Promise.all(tables.map(async (table) => ({ table, rows: await table.select(db) })))
  const work = found.map(({ table, rows }) => ({
    table,
    rows: rows.filter(({ sealed }) => !sealed.startsWith(vault.prefix)),
  }))
  const all = work.reduce((sum, { rows }) => sum + rows.length, 0)
  const unopened: Error[] = []
  let done = 0
  for (const { table, rows } of work) {
    for (let from = 0; from < rows.length; from += BATCH_SIZE) {
      const batch = rows.slice(from, from + BATCH_SIZE)
      const opened = openRows(vault, table, batch)
      unopened.push(...opened.errors)
      await db.transaction((tx) => table.update(tx, reseal(vault, table, opened.rows)))
      done += batch.length
      onProgress(done, all)
    }
  }
  return { resealed: all - unopened.length, unopened }
}

/** Number of rows per key, and the rows that cannot be opened with the keys of this process. */
export async function examineRows(
  { db, vault }: { db: Queryable; vault: Vault },
  tables: SealedTable[],
): Promise<{ byKey: Map<string, number>; unopened: Error[] }> {
  const byKey = new Map<string, number>()
  const unopened: Error[] = []
  for (const table of tables) {
    const rows = await table.select(db)
    for (const { sealed } of rows) {
      const keyId = /^v\d\.([0-9a-f]{8})\./.exec(sealed)?.[1] ?? 'unreadable'
      byKey.set(keyId, (byKey.get(keyId) ?? 0) + 1)
    }
    unopened.push(...openRows(vault, table, rows).errors)
  }
  return { byKey, unopened }
}

type Opened = SealedRow & { plain: string }

function openRows(vault: Vault, table: SealedTable, rows: SealedRow[]): { rows: Opened[]; errors: Error[] } {
  const opened: Opened[] = []
  const errors: Error[] = []
  for (const row of rows) {
    try {
      opened.push({ ...row, plain: vault.open(row.sealed, ownerOf(table.name, row.key)) })
    } catch (error) {
      errors.push(error as Error)
    }
  }
  return { rows: opened, errors }
}

function reseal(vault: Vault, table: SealedTable, rows: Opened[]): (SealedRow & { renewed: string })[] {
  return rows.map(({ key, sealed, plain }) => ({ key, sealed, renewed: vault.seal(plain, ownerOf(table.name, key)) }))
}
