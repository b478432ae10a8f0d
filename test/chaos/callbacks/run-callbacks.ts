import type { RunContext } from '../run-payouts.ts'
import { isClean } from '../verdict.ts'
import { progressLine, resultTable } from './report.ts'
import { runChaos } from './fault-run.ts'
import { judge } from './verdict.ts'
import { openWorld } from './world.ts'

/** The slowest machine manages twenty a second when nothing else runs. */
const PER_CALLBACK_MS = 50
const AT_LEAST_MS = 180_000
/** Longer than a call's lease, and than PostgreSQL's limit for an idle transaction. */
const LONG_STOP_MS = 33_000
/** Node uses about 300 MB under a steady load before it collects; hostile responses could add gigabytes. */
const LIMITS = { p99Ms: 2000, stalledMs: 10_000, peakMb: 400 }

type Options = { callbacks: number; perSecond: number; workers: number; seed: number }

/** True if no rule was violated. */
export async function runCallbacks(
  { databaseUrl, folder, out, stops }: RunContext,
  options: Options,
): Promise<boolean> {
  const world = await openWorld(databaseUrl, folder)
  stops.push(world.close)
  const plan = {
    ...options,
    roundMs: [1500, 4000] as [number, number],
    longStopMs: options.workers > 1 ? LONG_STOP_MS : 0,
    leastKills: 1,
    withinMs: Math.max(AT_LEAST_MS, options.callbacks * PER_CALLBACK_MS),
  }
  const result = await runChaos(world, plan, progressLine(plan, out))
  const findings = judge(result.evidence, LIMITS)
  out.write(`\n${resultTable(result, findings)}\n`)
  return isClean(findings)
}
