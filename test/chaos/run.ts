import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts'
import { progressLine, resultTable } from './report.ts'
import type { Plan } from './storm.ts'
import { runChaos } from './storm.ts'
import { isClean } from './verdict.ts'
import { openWorld } from './world.ts'

// Usage: npm run chaos [-- --payouts 20000] [-- --fault-rate 0.3] [-- --workers 3] [-- --seed 1]
// Payouts while workers are killed, the bank is faulty and time jumps. Exit code 1 when a rule was broken.

/** Slow machines manage some ten a second; nothing that takes longer is getting anywhere. */
const PER_PAYOUT_MS = 100
const AT_LEAST_MS = 120_000
const PER_LIST = 1000
const LEAST_LISTS = 6

const stops: (() => Promise<void> | void)[] = []

function readPlan(): Plan {
  const { values } = parseArgs({
    options: {
      payouts: { type: 'string', default: '20000' },
      'fault-rate': { type: 'string', default: '0.3' },
      workers: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
    },
  })
  const whole = (name: 'payouts' | 'workers' | 'seed', least: number) => {
    const number = Number(values[name])
    if (!Number.isSafeInteger(number) || number < least) throw new Error(`--${name} takes a whole number from ${least}`)
    return number
  }
  const faultRate = Number(values['fault-rate'])
  if (!(faultRate >= 0 && faultRate <= 1)) throw new Error('--fault-rate takes a number from 0 to 1')
  const payouts = whole('payouts', 1)
  return {
    payouts,
    faultRate,
    workers: whole('workers', 1),
    seed: whole('seed', 0),
    lists: Math.max(LEAST_LISTS, Math.ceil(payouts / PER_LIST)),
    roundMs: [1000, 3000],
    withinMs: Math.max(AT_LEAST_MS, payouts * PER_PAYOUT_MS),
  }
}

async function main(): Promise<boolean> {
  const plan = readPlan()
  const folder = mkdtempSync(join(tmpdir(), 'vezne-chaos-'))
  stops.push(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startEmbeddedPostgres(join(folder, 'database'))
  stops.push(postgres.stop)
  mkdirSync(join(folder, 'bank'))
  const world = await openWorld(postgres.url, join(folder, 'bank'))
  stops.push(world.close)
  const began = performance.now()
  const result = await Promise.race([runChaos(world, plan, progressLine(plan, process.stdout)), interrupted()])
  process.stdout.write(`\n${resultTable(result, (performance.now() - began) / 1000)}\n`)
  return isClean(result.findings)
}

/** Ctrl-C, or whoever started this is gone: what was started is ended all the same. */
function interrupted(): Promise<never> {
  process.channel?.unref()
  return new Promise((_, reject) => {
    const stop = () => reject(new Error('interrupted'))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(signal, stop)
  })
}

let code = 1
try {
  code = (await main()) ? 0 : 1
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`)
} finally {
  for (const stop of stops.toReversed()) await stop()
}
// Workers of an interrupted run are ended at exit.
process.exit(code)
