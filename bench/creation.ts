import type { Case, Measured, Variant } from './cases.ts'
import { nameOf, planCases, USUAL_CONNECTIONS } from './cases.ts'
import type { Counts } from './databases.ts'
import { analyse, inspect, makeDatabases } from './databases.ts'
import type { Caller, Kind, LoadResult } from './load.ts'
import { runLoad } from './load.ts'
import { judge, mainTable, rate, twoProcessTable } from './report.ts'
import { startServer } from './servers.ts'

/** Before the first round, for the compilers and caches of every server. */
const FIRST_WARM_UP_MS = 2500

type Pace = { rounds: number; warmUpMs: number; measureMs: number }
/** Many short rounds: the machine's own speed changes within seconds, and a round's two sides should meet the same. */
const FULL: Pace = { rounds: 21, warmUpMs: 150, measureMs: 500 }
const QUICK: Pace = { rounds: 1, warmUpMs: 200, measureMs: 1000 }

/** One database with the servers on it, and what they have answered so far. */
type Side = { url: string; before: Counts; created: Record<Kind, number>; others: Record<string, number> }
type Checked = { name: string; expected: Counts; found: Counts; drift: number; others: Record<string, number> }
type Bench = { sides: Record<'naive' | 'vezne', Side>; servers: Record<Variant, string[]>; callers: Caller[] }

export type Run = {
  serverUrl: string
  quick: boolean
  say: (line: string) => void
  /** What must be ended at the end, whatever happens. */
  stops: (() => Promise<void> | void)[]
}
type Wanted = { kinds: Kind[]; connections: number | undefined; profileFolder: string | null }

/** Deposits and withdrawals, spread and hot, against a naive version of the same. */
export async function benchCreation(run: Run, { kinds, connections, profileFolder }: Wanted) {
  const { say, quick } = run
  const pace = quick ? QUICK : FULL
  const cases = planCases(kinds, connections)
  const bench = await setUp(run, profileFolder)
  const measured = await measure(bench, cases, pace, say)
  const checks = await Promise.all((['naive', 'vezne'] as const).map((name) => check(name, bench.sides[name])))
  say(`\nMedians of ${pace.rounds} round(s) of ${pace.measureMs / 1000} s; ratios are taken inside each round.\n`)
  say(`${mainTable(measured, cases)}\n`)
  say(`Two processes on one database:\n${twoProcessTable(measured, cases)}\n`)
  say(`${checks.map(checkLine).join('\n')}\n`)
  return { pace, checks, measured, targets: judge(measured, kinds), right: checks.every(isRight) }
}

async function setUp({ serverUrl, stops }: Run, profileFolder: string | null): Promise<Bench> {
  const { callers, urls } = await makeDatabases(serverUrl, ['bench_naive', 'bench_vezne'])
  const [naiveUrl = '', vezneUrl = ''] = urls
  const start = async (...args: Parameters<typeof startServer>) => {
    const server = await startServer(...args)
    stops.push(server.stop)
    return server.address
  }
  const naive = await start('naive', naiveUrl)
  const first = await start('vezne', vezneUrl, profileFolder)
  const second = await start('vezne', vezneUrl)
  const side = async (url: string): Promise<Side> => {
    return { url, before: (await inspect(url)).counts, created: { withdraw: 0, deposit: 0 }, others: {} }
  }
  const sides = { naive: await side(naiveUrl), vezne: await side(vezneUrl) }
  return { sides, callers, servers: { naive: [naive], vezne: [first], 'vezne x2': [first, second] } }
}

async function warmUp(bench: Bench, kinds: Kind[], say: Run['say']): Promise<void> {
  for (const kind of kinds) {
    for (const variant of ['naive', 'vezne', 'vezne x2'] as const) {
      say(`warming up ${variant}: ${kind}`)
      const load: Case = { kind, connections: USUAL_CONNECTIONS, merchants: 'spread', variants: [] }
      await loadOnce(bench, load, variant, { rounds: 1, warmUpMs: 0, measureMs: FIRST_WARM_UP_MS })
    }
  }
  await Promise.all([analyse(bench.sides.naive.url), analyse(bench.sides.vezne.url)])
}

/** Rounds outermost: every case meets the machine's good and bad minutes, and every database grows alike. */
async function measure(bench: Bench, cases: Case[], pace: Pace, say: Run['say']): Promise<Measured[]> {
  await warmUp(bench, [...new Set(cases.map(({ kind }) => kind))], say)
  const measured: Measured[] = []
  for (let round = 1; round <= pace.rounds; round++) {
    for (const one of cases) {
      // Every second round the other way about, so that nobody always runs in another's wake.
      for (const variant of round % 2 === 1 ? one.variants : one.variants.toReversed()) {
        const { perSecond, p50, p99, generatorCpu } = await loadOnce(bench, one, variant, pace)
        const name = nameOf(one)
        measured.push({ name, variant, round, perSecond, p50, p99, generatorCpu })
        say(
          `round ${round}/${pace.rounds}  ${name.padEnd(20)} ${variant.padEnd(8)} ${rate({ perSecond }).padStart(7)}/s`,
        )
      }
    }
  }
  return measured
}

async function loadOnce(bench: Bench, { kind, connections, merchants }: Case, variant: Variant, pace: Pace) {
  const callers = merchants === 'hot' ? bench.callers.slice(0, 1) : bench.callers
  const { warmUpMs, measureMs } = pace
  const servers = bench.servers[variant]
  const result: LoadResult = await runLoad({ kind, connections, callers, servers, warmUpMs, measureMs })
  const side = bench.sides[variant === 'naive' ? 'naive' : 'vezne']
  side.created[kind] += result.created
  for (const [what, count] of Object.entries(result.others)) side.others[what] = (side.others[what] ?? 0) + count
  return result
}

async function check(name: string, { url, before, created, others }: Side): Promise<Checked> {
  const { counts, drift } = await inspect(url)
  const expected = {
    withdrawals: before.withdrawals + created.withdraw,
    deposits: before.deposits + created.deposit,
  }
  return { name, expected, found: counts, drift, others }
}

function isRight({ expected, found, drift }: Checked): boolean {
  return expected.withdrawals === found.withdrawals && expected.deposits === found.deposits && drift === 0
}

function checkLine(checked: Checked): string {
  const { name, expected, found, drift, others } = checked
  const refused = Object.entries(others).map(([what, count]) => `${count} × ${what}`)
  return (
    `${isRight(checked) ? 'right' : 'WRONG'}  ${name}: withdrawals ${found.withdrawals} of ${expected.withdrawals} rows, ` +
    `deposits ${found.deposits} of ${expected.deposits}, drift ${drift}, other answers: ${refused.join(', ') || 'none'}`
  )
}
