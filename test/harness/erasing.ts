import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import type { App } from '../../packages/server/src/compose.ts'
import type { Reported } from '../../packages/server/src/edges/cli/operator/erase.ts'
import { openCommandLine } from './command-line.ts'

type Worded<One> = One extends { outcome: 'refused' }
  ? Omit<One, 'refused'> & { why: string }
  : One extends { kept: unknown }
    ? Omit<One, 'kept'> & { kept: string[] }
    : One
/** As --json shows it. */
type ShownOutcome = Worded<Reported> & { type: string; transactionId: string }
export type Report = { dryRun: boolean; transactions: ShownOutcome[]; rows: Record<string, number> }

/** `vezne` against the database of a service. */
export function commandsOf({ app, databaseUrl }: { app: App; databaseUrl: string }, more: Record<string, string> = {}) {
  const data = mkdtempSync(join(tmpdir(), 'vezne-erase-'))
  const { run, stop } = openCommandLine({
    VEZNE_DATA: data,
    DATABASE_URL: databaseUrl,
    VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
    ...more,
  })
  after(() => {
    stop()
    rmSync(data, { recursive: true, force: true })
  })

  async function erase(options: string[], expected = 0): Promise<Report> {
    const { code, output, errors } = await run(['erase', ...options, '--json'])
    assert.equal(code, expected, errors + output)
    return JSON.parse(output) as Report
  }

  return { run, erase }
}

/** Every row of every table as text, by table. Excludes tables that only track work. */
export async function wholeDatabase(databaseUrl: string): Promise<Map<string, string[]>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    )
    const dump = new Map<string, string[]>()
    for (const { name } of rows) {
      const found = await client.query<{ text: string }>(`select t::text as text from ${name} t order by 1`)
      dump.set(
        name,
        found.rows.map(({ text }) => text),
      )
    }
    return dump
  } finally {
    await client.end()
  }
}

/** Names of the tables that contain one of these texts. */
export function tablesWith(dump: Map<string, string[]>, texts: string[]): string[] {
  return [...dump].flatMap(([name, rows]) =>
    rows.some((row) => texts.some((text) => row.includes(text))) ? [name] : [],
  )
}
