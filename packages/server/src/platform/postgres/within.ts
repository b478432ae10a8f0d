import type { Db, Tx } from './db.ts'

/** The database as seen from inside a transaction: what is read and written through it is part of it. */
export function within(db: Db, tx: Tx): Db {
  const inside = { query: tx.query }
  return {
    ...db,
    ...inside,
    pages: inside,
    report: inside,
    transaction: (work) => work(tx),
    oneStatement: (work) => work(tx),
  }
}
