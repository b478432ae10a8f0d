import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../packages/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { benchCallbacks } from './callbacks/measure-callbacks.ts'
import { benchCheckout } from './checkout/measure-checkout.ts'
import { benchConsoles } from './consoles/measure-consoles.ts'
import type { Run } from './creation.ts'
import { benchCreation } from './creation.ts'
import { durability } from './databases.ts'
import { benchGrowth } from './growth/measure-growth.ts'
import { benchPgbench } from './pgbench/measure-pgbench.ts'
import { targetLines } from './report.ts'
import { benchImport } from './statements/measure-import.ts'
import { benchMatching } from './statements/measure-matching.ts'
import { benchStatements } from './statements/measure-statements.ts'

// Usage: npm run bench [-- --growth | --consoles | --checkout | --pgbench | --statements] [--quick] [--only withdraw|deposit|callbacks] [--connections 64] [--profile] [--against FOLDER]
// Compared variants share one run, because figures drift between runs while ratios within one hold. Options: CONTRIBUTING.md.

const RESULTS = join(import.meta.dirname, 'results')
const PARTS = ['withdraw', 'deposit', 'callbacks'] as const

const say = (line: string) => void process.stdout.write(`${line}\n`)
const stops: Run['stops'] = []

async function main(): Promise<boolean> {
  const { quick, parts, profile, connections, against, growing, yardstick, statements, consoles, checkout } =
    readArguments()
  if (statements) return measureStatements(quick)
  if (consoles) return measureConsoles(quick, consoles.transactions)
  if (checkout) return measureCheckout(quick)
  const { serverUrl, settings } = await startPostgres()
  const run: Run = { serverUrl, quick, say, stops }
  const kinds = parts.filter((part) => part !== 'callbacks')
  const profileFolder = profile ? RESULTS : null
  const usual = !yardstick && kinds.length > 0
  const creation = usual ? await benchCreation(run, { kinds, connections, profileFolder, against }) : null
  const pgbench = yardstick ? await benchPgbench(run, kinds) : []
  const callbacks = parts.includes('callbacks') ? await benchCallbacks(run) : null
  const growth = growing ? await benchGrowth(run) : null
  const targets = [...[creation, callbacks].flatMap((part) => part?.targets ?? []), ...pgbench]
  say(targetLines(targets))
  save({ settings, targets, creation, callbacks, growth })
  return (creation?.right ?? true) && (callbacks?.right ?? true) && (growth?.right ?? true)
}

/** Reading alone, the import of a file, and the matching of lines. */
async function measureStatements(quick: boolean): Promise<boolean> {
  const reading = await benchStatements({ quick, say, stops })
  const { serverUrl, settings } = await startPostgres()
  const run: Run = { serverUrl, quick, say, stops }
  const matching = await benchMatching(run)
  const importing = await benchImport(run)
  say(targetLines([reading, importing, matching].flatMap(({ targets }) => targets)))
  save({ settings, reading, importing, matching })
  return reading.right && importing.right
}

async function measureConsoles(quick: boolean, transactions: number | undefined): Promise<boolean> {
  const { serverUrl, settings } = await startPostgres()
  const consoles = await benchConsoles({ serverUrl, quick, say, stops }, transactions)
  save({ settings, consoles })
  return consoles.right
}

async function measureCheckout(quick: boolean): Promise<boolean> {
  const { serverUrl, settings } = await startPostgres()
  const checkout = await benchCheckout({ serverUrl, quick, say, stops })
  save({ settings, checkout })
  return checkout.right
}

function save(results: object): void {
  mkdirSync(RESULTS, { recursive: true })
  const file = join(RESULTS, `${new Date().toISOString().replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
  say(`\n${file}`)
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      connections: { type: 'string' },
      profile: { type: 'boolean', default: false },
      against: { type: 'string' },
      growth: { type: 'boolean', default: false },
      pgbench: { type: 'boolean', default: false },
      statements: { type: 'boolean', default: false },
      consoles: { type: 'boolean', default: false },
      checkout: { type: 'boolean', default: false },
      transactions: { type: 'string' },
    },
  })
  const against = values.against ?? null
  const wanted = (part: string) =>
    values.only === undefined ? !((against || values.pgbench) && part === 'callbacks') : values.only === part
  const parts = values.growth ? [] : PARTS.filter(wanted)
  if (parts.length === 0 && !values.growth) throw new Error(`--only takes ${PARTS.join(', ')}`)
  const connections = values.connections === undefined ? undefined : Number(values.connections)
  const { quick, profile, growth: growing, pgbench: yardstick, statements, checkout } = values
  const transactions = values.transactions === undefined ? undefined : Number(values.transactions)
  const consoles = values.consoles && { transactions }
  return { quick, parts, connections, profile, against, growing, yardstick, statements, consoles, checkout }
}

async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-bench-'))
  stops.push(() => rmSync(folder, { recursive: true, force: true }))
  say('starting PostgreSQL …')
  const postgres = await startEmbeddedPostgres(folder)
  stops.push(postgres.stop)
  const settings = await durability(postgres.url)
  if (Object.values(settings).some((setting) => setting !== 'on')) throw new Error('This PostgreSQL is not durable.')
  return { serverUrl: postgres.url, settings }
}

async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).toReversed()) await stop()
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void stopAll().finally(() => process.exit(130)))
}
try {
  process.exitCode = (await main()) ? 0 : 1
} finally {
  await stopAll()
}
