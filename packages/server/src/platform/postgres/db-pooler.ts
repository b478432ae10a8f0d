import type pg from 'pg'
import type { Pool } from './db-pool.ts'

/** none: a connection is a backend. session: it keeps one backend. transaction: each transaction may get another. */
export type Pooler = 'none' | 'session' | 'transaction'

const STATEMENT_MS = 4000
/** A round-robin pooler switches to another backend at the first or second query. */
const ASKED = 3

/** Detects a pooler by comparing backend process ids. */
export async function findPooler(pool: Pool): Promise<Pooler> {
  const one = await pool.checkout(STATEMENT_MS)
  try {
    const { processID: told } = one as pg.PoolClient & { processID: number }
    const first = await backendOf(one)
    if (first === told) return 'none'
    const other = await pool.checkout(STATEMENT_MS)
    try {
      await other.query('begin')
      // With session pooling, the first connection keeps its backend, so this transaction cannot run on it.
      if ((await backendOf(other)) === first) return 'transaction'
      for (let asked = 0; asked < ASKED; asked++) if ((await backendOf(one)) !== first) return 'transaction'
      return 'session'
    } finally {
      pool.release(other, true)
    }
  } finally {
    pool.release(one)
  }
}

async function backendOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
