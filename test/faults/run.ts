import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { FAULTS } from './faults.ts'
import type { Row } from './measure.ts'
import { measure } from './measure.ts'
import { broken, table } from './report.ts'
import { openSite } from './site.ts'
import { mountSmallDisk } from './small-disk.ts'
import { measurePromotion, STANDBY } from './standby.ts'
import { measureCallbacks } from './upgrade-callbacks.ts'
import { measureUpgrade } from './upgrade.ts'

// Usage: npm run faults [-- --only WORDS] [-- --write]
//        npm run faults -- --upgrade-from FOLDER   another checkout, with its node_modules
// Creates deposits and withdrawals while the database, the network or a clock is at fault. Exit code 1 when a promise was
// broken. --write puts the table into docs/operations.md.

const DOCUMENT = join(import.meta.dirname, '../../docs/operations.md')
const say = (line: string) => void process.stdout.write(`${line}\n`)
const stops: (() => Promise<void> | void)[] = []

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      write: { type: 'boolean', default: false },
      'upgrade-from': { type: 'string' },
    },
  })
  const isWanted = (name: string) => name.includes(values.only ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'vezne-faults-'))
  chmodSync(folder, 0o755)
  stops.push(() => rmSync(folder, { recursive: true, force: true }))
  const dataFolder = join(folder, 'server')
  const { url: serverUrl, stop } = await startEmbeddedPostgres(dataFolder)
  stops.push(stop)
  const before = values['upgrade-from']
  if (before !== undefined) return upgrade(serverUrl, folder, resolve(before))
  const rows: Row[] = []
  const add = (row: Row) => {
    rows.push(row)
    const problems = broken(row)
    say(`${row.fault}: ${row.acknowledged} acknowledged, ${row.lost} lost, ${row.readyDuring}`)
    for (const problem of problems) say(`  BROKEN: ${problem}`)
  }
  for (const { name, forMs, make } of FAULTS.filter((fault) => isWanted(fault.name))) {
    const disk = name === 'disk full' ? mountSmallDisk(join(folder, 'disk')) : null
    if (disk) stops.splice(1, 0, disk.remove)
    const site = await openSite({ serverUrl, dataFolder, folder, disk })
    try {
      add(await measure(site.world, { name, forMs, ...make(site) }))
    } finally {
      await site.close()
    }
  }
  if (isWanted(STANDBY)) add(await measurePromotion(folder))
  say(`\n${table(rows)}`)
  if (values.write) writeTable(table(rows))
  return rows.every((row) => broken(row).length === 0)
}

async function upgrade(databaseUrl: string, folder: string, before: string): Promise<boolean> {
  const { requests, failed } = await measureUpgrade(databaseUrl, folder, before)
  say(`${requests} requests during the upgrade, ${failed.length} failed`)
  for (const said of new Set(failed)) say(`  ${said}`)
  const admin = new pg.Client(databaseUrl)
  await admin.connect()
  await admin.query('create database callbacks')
  await admin.end()
  const own = Object.assign(new URL(databaseUrl), { pathname: '/callbacks' }).href
  const { events, lost, outOfOrder, repeats, late } = await measureCallbacks(own, folder, before)
  say(`${events} events: ${lost} lost, ${outOfOrder.length} out of order, ${repeats} sent twice, ${late} of them late`)
  return failed.length === 0 && lost === 0 && outOfOrder.length === 0
}

function writeTable(text: string): void {
  const document = readFileSync(DOCUMENT, 'utf8')
  writeFileSync(DOCUMENT, document.replace(/(<!-- faults -->\n)[^]*?(\n<!-- \/faults -->)/, `$1${text}$2`))
}

let code = 1
try {
  code = (await main()) ? 0 : 1
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`)
} finally {
  for (const stop of stops.toReversed()) await stop()
}
process.exit(code)
