import { SettingsError } from '../read-setting.ts'
import type { Queryable, Tx } from './db.ts'
import { sql } from './sql.ts'

type Mode = 'sandbox' | 'live'

/** The mode that the first migration recorded in this database. Null before that. */
async function recordedMode(db: Queryable): Promise<Mode | null> {
  const [table] = await db.query<{ found: boolean }>(sql`select to_regclass('deployment') is not null as found`)
  if (!table?.found) return null
  const [row] = await db.query<{ mode: Mode }>(sql`select mode from deployment`)
  return row?.mode ?? null
}

/** The first one counts: a later call changes nothing. */
export async function recordMode(tx: Tx, mode: Mode, at: Date): Promise<void> {
  await tx.query(sql`insert into deployment (mode, recorded_at) values (${mode}, ${at}) on conflict do nothing`)
}

/** Refuses a database of the other mode: VEZNE_MODE may have been forgotten. */
export async function mustFitMode(
  db: Queryable,
  mode: Mode,
  { mayLackIt = false }: { mayLackIt?: boolean } = {},
): Promise<void> {
  const recorded = await recordedMode(db)
  if (recorded === mode || (recorded === null && mayLackIt)) return
  throw new SettingsError([PROBLEMS[recorded ?? 'unknown']])
}

const PROBLEMS = {
  unknown:
    'The database does not say whether it is live. Run `vezne migrate` first, with the VEZNE_MODE of this deployment.',
  live: 'VEZNE_MODE is sandbox, but the database is live. Set VEZNE_MODE=live; for a sandbox use another DATABASE_URL or VEZNE_DATA.',
  sandbox:
    'VEZNE_MODE is live, but the database belongs to a sandbox: it has the demo merchant, whose secret is no secret. Use another database for live, or set VEZNE_MODE=sandbox.',
}
