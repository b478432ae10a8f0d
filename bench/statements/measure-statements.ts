import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Run } from '../creation.ts'
import type { Target } from '../report.ts'
import { ratioFrom } from '../report.ts'
import type { Readings } from './read-statements.ts'

const READER = join(import.meta.dirname, 'read-statements.ts')
/** As the launcher starts commands: with V8's own sizes it is the memory of the machine that decides how much is taken. */
const FLAGS = ['--max-semi-space-size=8', '--max-old-space-size=1024']
const FEW = 10_000
const MANY = { 'camt.053': 1_000_000, MT940: 200_000, CSV: 200_000 }
/** A line may take a tenth longer in a long file: more is growth, less is noise. */
const MIN_RATIO = 0.9
const MAX_RSS_MB = 300

/** Reads generated statements with few and with many lines. The files are written while they are read, which is part of the time. */
export async function benchStatements({ quick, say, stops }: Pick<Run, 'quick' | 'say' | 'stops'>) {
  const targets: Target[] = []
  const rows: (Readings & { format: string; lines: number })[] = []
  for (const [format, most] of Object.entries(MANY)) {
    const lines = quick ? most / 10 : most
    say(`${format}: ${lines} lines`)
    const reading = promisify(execFile)(process.execPath, [...FLAGS, READER, format, String(FEW), String(lines)])
    stops.push(() => void reading.child.kill())
    const readings = JSON.parse((await reading).stdout) as Readings
    const ratio = ratioFrom(readings.few.map((perSecond) => readings.many / perSecond))
    const what = `${format}: lines/s of ${lines} ÷ of ${FEW}`
    targets.push({ what, ratio, atLeast: MIN_RATIO, reached: ratio.median >= MIN_RATIO })
    rows.push({ format, lines, ...readings })
    say(`${format}: ${Math.round(readings.many)} lines/s, peak RSS ${Math.round(readings.peakRssMb)} MB`)
  }
  const right = rows.every(({ peakRssMb }) => peakRssMb <= MAX_RSS_MB)
  if (!right) say(`A reader took more than ${MAX_RSS_MB} MB.`)
  return { rows, targets, right }
}
