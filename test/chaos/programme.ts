import { progressLine, resultTable } from './report.ts'
import { runChaos } from './storm.ts'
import { isClean } from './verdict.ts'
import { openWorld } from './world.ts'

/** Where a programme runs, and who is told what to end afterwards. */
export type Place = {
  databaseUrl: string
  folder: string
  out: NodeJS.WriteStream
  stops: (() => Promise<void> | void)[]
}

/** Slow machines manage some ten a second; nothing that takes longer is getting anywhere. */
const PER_PAYOUT_MS = 100
const AT_LEAST_MS = 120_000
const PER_LIST = 1000
const LEAST_LISTS = 6

type Options = { payouts: number; faultRate: number; workers: number; seed: number }

/** True when no rule was broken. */
export async function runPayouts({ databaseUrl, folder, out, stops }: Place, options: Options): Promise<boolean> {
  const world = await openWorld(databaseUrl, folder)
  stops.push(world.close)
  const plan = {
    ...options,
    lists: Math.max(LEAST_LISTS, Math.ceil(options.payouts / PER_LIST)),
    roundMs: [1000, 3000] as [number, number],
    withinMs: Math.max(AT_LEAST_MS, options.payouts * PER_PAYOUT_MS),
  }
  const began = performance.now()
  const result = await runChaos(world, plan, progressLine(plan, out))
  out.write(`\n${resultTable(result, (performance.now() - began) / 1000)}\n`)
  return isClean(result.findings)
}
