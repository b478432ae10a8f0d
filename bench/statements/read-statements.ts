import { peakMb } from '../../test/harness/peak-memory.ts'
import { STATEMENT_FILES } from './statement-files.ts'
import type { StatementFile } from './statement-files.ts'

// A process of its own for each format, so that memory of one is not counted for another: node read-statements.ts FORMAT FEW MANY

/** Few lines are read so often before many lines and after them, because the machine may change its pace meanwhile. */
const ROUNDS = 3

/** Lines per second with few and with many lines, and the most memory that the process ever had. */
export type Readings = { few: number[]; many: number; peakRssMb: number }

const [name, few, many] = process.argv.slice(2)
const file = STATEMENT_FILES.find((one) => one.name === name)
if (!file) throw new Error(`no format ${name}`)
await linesPerSecond(file, Number(few))
const before = await readOften(file, Number(few))
const perSecond = await linesPerSecond(file, Number(many))
const readings: Readings = {
  few: [...before, ...(await readOften(file, Number(few)))],
  many: perSecond,
  peakRssMb: peakMb(),
}
process.stdout.write(JSON.stringify(readings))

async function readOften(of: StatementFile, count: number): Promise<number[]> {
  const readings: number[] = []
  for (let round = 0; round < ROUNDS; round++) readings.push(await linesPerSecond(of, count))
  return readings
}

/** Per second of this process's CPU time: reading waits for nothing, and what else the machine does should not count. */
async function linesPerSecond({ read, write }: StatementFile, count: number): Promise<number> {
  const start = process.cpuUsage()
  let [lines, isRight] = [0, false]
  for await (const event of read(write(count))) {
    if (event.kind === 'line') lines++
    if (event.kind !== 'foot') continue
    const { foot } = event
    isRight = foot.lines === count && foot.credits === BigInt(count) * 100n && foot.problems.length === 0
  }
  if (!isRight || lines !== count) throw new Error(`${name}: ${lines} of ${count} lines were read, or other sums`)
  const { user, system } = process.cpuUsage(start)
  return (lines / (user + system)) * 1e6
}
