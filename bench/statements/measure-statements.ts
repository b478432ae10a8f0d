import type { Target } from '../report.ts'
import { ratioFrom } from '../report.ts'
import { STATEMENT_FILES } from './statement-files.ts'
import type { StatementFile } from './statement-files.ts'

const FEW = 10_000
const MANY: Record<string, number> = { 'camt.053': 1_000_000, MT940: 200_000, CSV: 200_000 }
/** Few lines are read so often before many lines and after them, because the machine may change its pace meanwhile. */
const ROUNDS = 3
/** A line may take a tenth longer in a long file: more is growth, less is noise. */
const MIN_RATIO = 0.9
const MAX_RSS_MB = 300

type Reading = { lines: number; perSecond: number; peakRssMb: number }
type Row = { format: string; few: number; many: Reading }

/** Reads generated statements with few and with many lines. The files are written while they are read, which is part of the time. */
export async function benchStatements(quick: boolean, say: (line: string) => void) {
  const rows: Row[] = []
  const targets: Target[] = []
  for (const file of STATEMENT_FILES) {
    const { name } = file
    const count = (MANY[name] ?? 0) / (quick ? 10 : 1)
    say(`${name}: ${FEW} lines, then ${count}`)
    await read(file, FEW)
    const before = await readOften(file)
    const many = await read(file, count)
    const small = [...before, ...(await readOften(file))]
    const ratio = ratioFrom(small.map(({ perSecond }) => many.perSecond / perSecond))
    targets.push({
      what: `${name}: lines/s of ${count} ÷ ${FEW}`,
      ratio,
      atLeast: MIN_RATIO,
      reached: ratio.median >= MIN_RATIO,
    })
    rows.push({ format: name, few: Math.round(many.perSecond / ratio.median), many })
  }
  say('\nformat       lines   lines/s  peak RSS   lines/s of 10000')
  for (const { format, few, many } of rows)
    say(
      [
        format.padEnd(9),
        String(many.lines).padStart(8),
        String(Math.round(many.perSecond)).padStart(9),
        `${Math.round(many.peakRssMb)} MB`.padStart(9),
        String(few).padStart(18),
      ].join(' '),
    )
  const right = rows.every(({ many }) => many.peakRssMb <= MAX_RSS_MB)
  if (!right) say(`more than ${MAX_RSS_MB} MB of memory`)
  return { rows, targets, right }
}

async function readOften(file: StatementFile): Promise<Reading[]> {
  const readings: Reading[] = []
  for (let round = 0; round < ROUNDS; round++) readings.push(await read(file, FEW))
  return readings
}

/** Per second of this process's CPU time: reading waits for nothing, and what else the machine does should not count. */
async function read({ name, read, write }: StatementFile, count: number): Promise<Reading> {
  const start = process.cpuUsage()
  let [lines, peak, isRight] = [0, 0, false]
  for await (const event of read(write(count))) {
    if (event.kind === 'foot')
      isRight =
        event.foot.lines === count && event.foot.credits === BigInt(count) * 100n && event.foot.problems.length === 0
    if (event.kind === 'line' && ++lines % 1000 === 0) peak = Math.max(peak, process.memoryUsage.rss())
  }
  if (!isRight || lines !== count) throw new Error(`${name}: ${lines} of ${count} lines were read, or other sums`)
  const { user, system } = process.cpuUsage(start)
  return { lines, perSecond: (lines / (user + system)) * 1e6, peakRssMb: peak / 1024 / 1024 }
}
