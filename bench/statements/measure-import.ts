import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { compose, prepare } from '../../packages/server/src/compose.ts'
import { openCollectingAccount } from '../../packages/server/src/domain/banks/index.ts'
import { manualConnection, setSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { testConfig } from '../../test/harness/database.ts'
import { importByCommand } from '../../test/harness/measured-import.ts'
import type { Run } from '../creation.ts'
import { makeEmptyDatabase } from '../databases.ts'
import { ratioFrom } from '../report.ts'
import { IBAN, STATEMENT_FILES } from './statement-files.ts'

const FEW = 10_000
const MANY = 1_000_000
const MIN_RATIO = 0.9
const MAX_RSS_MB = 300

type Imported = { lines: number; perSecond: number; peakRssMb: number }

/** Imports a generated camt.053 with few and with many lines by the command, each into an empty database. Few before and after many. */
export async function benchImport(run: Run) {
  const most = run.quick ? MANY / 20 : MANY
  const rows: Imported[] = []
  for (const [name, lines] of [
    ['import_before', FEW],
    ['import_many', most],
    ['import_after', FEW],
  ] as const) {
    run.say(`import: camt.053 of ${lines} lines`)
    const row = await measure(run, name, lines)
    rows.push(row)
    run.say(`import: ${Math.round(row.perSecond)} lines/s, peak RSS ${Math.round(row.peakRssMb)} MB`)
  }
  const [before, many, after] = rows as [Imported, Imported, Imported]
  const ratio = ratioFrom([before, after].map(({ perSecond }) => many.perSecond / perSecond))
  const what = `import: lines/s of ${most} ÷ of ${FEW}`
  const right = rows.every(({ peakRssMb }) => peakRssMb <= MAX_RSS_MB)
  if (!right) run.say(`An import took more than ${MAX_RSS_MB} MB.`)
  return { rows, right, targets: [{ what, ratio, atLeast: MIN_RATIO, reached: ratio.median >= MIN_RATIO }] }
}

async function measure({ serverUrl, stops }: Run, name: string, lines: number): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-statement-'))
  stops.push(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'statement.xml')
  const camt = STATEMENT_FILES.find((one) => one.name === 'camt.053')
  await pipeline(Readable.from(camt?.write(lines) ?? []), createWriteStream(file))
  const url = await databaseWithAccount(serverUrl, name)
  const { result, seconds, peakRssMb } = await importByCommand(url, file, (kill) => stops.push(kill))
  if (result.new !== lines) throw new Error(`${result.new} of ${lines} lines were imported`)
  return { lines, perSecond: lines / seconds, peakRssMb }
}

async function databaseWithAccount(serverUrl: string, name: string): Promise<string> {
  const url = await makeEmptyDatabase(serverUrl, name)
  const app = compose(testConfig(), url)
  await prepare(app)
  await openCollectingAccount(app, UNATTRIBUTED, { iban: IBAN, title: 'Hesap A.Ş.', currency: 'TRY' })
  await setSourceOfRecord({ ...app, connections: [manualConnection] }, UNATTRIBUTED, [IBAN], manualConnection.name)
  await app.db.end()
  return url
}
