import { progressLine, resultTable } from './report.ts'
import { runChaos } from './fault-run.ts'
import { isClean } from './verdict.ts'
import { openWorld } from './world.ts'

/** Where a run takes place, and what to stop afterwards. */
export type RunContext = {
  databaseUrl: string
  folder: string
  out: NodeJS.WriteStream
  stops: (() => Promise<void> | void)[]
}

/** Slow machines manage about ten a second; a run that takes longer is stuck. */
const PER_PAYOUT_MS = 100
const AT_LEAST_MS = 120_000
const PER_BATCH = 1000
const LEAST_BATCHES = 6

type Options = { payouts: number; faultRate: number; workers: number; seed: number }

/** True if no rule was violated. */
export async function runPayouts({ databaseUrl, folder, out, stops }: RunContext, options: Options): Promise<boolean> {
  const world = await openWorld(databaseUrl, folder)
  stops.push(world.close)
  const plan = {
    ...options,
    batches: Math.max(LEAST_BATCHES, Math.ceil(options.payouts / PER_BATCH)),
    roundMs: [1000, 3000] as [number, number],
    withinMs: Math.max(AT_LEAST_MS, options.payouts * PER_PAYOUT_MS),
  }
  const began = performance.now()
  const result = await runChaos(world, plan, progressLine(plan, out))
  out.write(`\n${resultTable(result, (performance.now() - began) / 1000)}\n`)
  return isClean(result.findings)
}
