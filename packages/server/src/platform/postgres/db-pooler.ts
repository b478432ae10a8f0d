import type pg from 'pg'
import type { Pool } from './db-pool.ts'

/** none: a connection is a backend. session: it keeps one backend. transaction: each transaction may get another. */
export type Pooler = 'none' | 'session' | 'transaction'

const STATEMENT_MS = 4000
/** A round-robin pooler switches to another backend at the first or second query. */
const PROBES = 3

/** Detects a pooler by comparing backend process ids. */
export async function findPooler(pool: Pool): Promise<Pooler> {
  const connection = await pool.checkout(STATEMENT_MS)
  try {
    const { processID: reportedPid } = connection as pg.PoolClient & { processID: number }
    const backend = await backendOf(connection)
    if (backend === reportedPid) return 'none'
    const second = await pool.checkout(STATEMENT_MS)
    try {
      await second.query('begin')
      // With session pooling, the first connection keeps its backend, so this transaction cannot run on it.
      if ((await backendOf(second)) === backend) return 'transaction'
      for (let probe = 0; probe < PROBES; probe++) if ((await backendOf(connection)) !== backend) return 'transaction'
      return 'session'
    } finally {
      pool.release(second, true)
    }
  } finally {
    pool.release(connection)
  }
}

async function backendOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
