import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '../harness/ends-with-us.ts'
import { runCallbacks } from './callbacks/run-callbacks.ts'
import { runPayouts } from './run-payouts.ts'

// Payouts or callbacks while workers are killed, bank or receivers are faulty and time jumps. Exit code 1 if a rule was violated.
// Usage: npm run chaos -- [--payouts 20000 --fault-rate 0.3 | --callbacks 20000 --per-second 200] [--workers 3] [--seed 1]

const stops: (() => Promise<void> | void)[] = []

function readOptions() {
  const { values } = parseArgs({
    options: {
      payouts: { type: 'string' },
      callbacks: { type: 'string' },
      'fault-rate': { type: 'string', default: '0.3' },
      'per-second': { type: 'string', default: '200' },
      workers: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
    },
  })
  const whole = (name: 'payouts' | 'callbacks' | 'per-second' | 'workers' | 'seed', least: number, usual?: number) => {
    const number = Number(values[name] ?? usual)
    if (!Number.isSafeInteger(number) || number < least) throw new Error(`--${name} takes a whole number from ${least}`)
    return number
  }
  const shared = { workers: whole('workers', 1), seed: whole('seed', 0) }
  if (values.callbacks !== undefined) {
    if (values.payouts !== undefined) throw new Error('--payouts or --callbacks, not both')
    return { callbacks: whole('callbacks', 1), perSecond: whole('per-second', 1), ...shared }
  }
  const faultRate = Number(values['fault-rate'])
  if (!(faultRate >= 0 && faultRate <= 1)) throw new Error('--fault-rate takes a number from 0 to 1')
  return { payouts: whole('payouts', 1, 20_000), faultRate, ...shared }
}

async function main(): Promise<boolean> {
  const options = readOptions()
  const folder = mkdtempSync(join(tmpdir(), 'vezne-chaos-'))
  stops.push(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startTestPostgres(join(folder, 'database'))
  stops.push(postgres.stop)
  const context = { databaseUrl: postgres.url, folder: join(folder, 'files'), out: process.stdout, stops }
  mkdirSync(context.folder)
  const outcome = 'callbacks' in options ? runCallbacks(context, options) : runPayouts(context, options)
  return Promise.race([outcome, interrupted()])
}

/** Ctrl-C, or the parent process is gone: everything that was started still ends. */
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
