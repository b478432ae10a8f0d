import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { rowsOf } from '../../platform/postgres/rows.ts'
import { sql } from '../../platform/postgres/sql.ts'

/** When a worker last succeeded, by the clock of its machine, and how often it runs. */
export type WorkerRun = { worker: string; everyMs: number; succeededAt: Date; host: string }

/** In the order of their names, so that two processes do not wait for each other. */
export async function upsertRuns(tx: Tx, runs: WorkerRun[]): Promise<void> {
  const types = { worker: 'text', everyMs: 'int', succeededAt: 'timestamptz', host: 'text' } as const
  await tx.query(sql`
    insert into worker_runs as r (worker, every_ms, succeeded_at, host)
    select ran.* from ${rowsOf('ran', runs, types)} order by ran.worker
    on conflict (worker) do update set every_ms = excluded.every_ms, succeeded_at = excluded.succeeded_at, host = excluded.host
    where r.succeeded_at < excluded.succeeded_at`)
}

export function selectRuns(db: Queryable): Promise<WorkerRun[]> {
  return db.query<WorkerRun>(sql`
    select worker, every_ms as "everyMs", succeeded_at as "succeededAt", host from worker_runs order by worker`)
}
