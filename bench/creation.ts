import type { Case, Measured, Variant } from './cases.ts'
import { nameOf, planCases, USUAL_CONNECTIONS } from './cases.ts'
import type { Counts } from './databases.ts'
import { analyse, inspect, makeDatabaseOf, makeDatabases } from './databases.ts'
import type { Caller, Kind, LoadResult } from './load.ts'
import { runLoad } from './load.ts'
import { compareTable, judge, judgeAgainst, rate } from './report.ts'
import { startServer } from './servers.ts'

/** Warms up JIT and caches of every server before the first round. */
const FIRST_WARM_UP_MS = 2500

type Pace = { rounds: number; warmUpMs: number; measureMs: number }
/**
 * Many short rounds: the speed of the machine changes within seconds, and both sides of a round should see the same
 * speed.
 */
const FULL: Pace = { rounds: 21, warmUpMs: 150, measureMs: 500 }
const QUICK: Pace = { rounds: 1, warmUpMs: 200, measureMs: 1000 }
/** A difference of a tenth is within the noise of one round, so a quick comparison needs several. */
const QUICK_AGAINST: Pace = { rounds: 9, warmUpMs: 150, measureMs: 500 }

/** One database with its servers, and the responses counted so far. */
type Side = {
  url: string
  callers: Caller[]
  before: Counts
  created: Record<Kind, number>
  others: Record<string, number>
}
type Checked = { name: string; expected: Counts; found: Counts; drift: number; others: Record<string, number> }
type SideName = 'naive' | 'vezne' | 'before'
type Bench = { sides: Map<SideName, Side>; servers: Map<Variant, string[]> }

export type Run = {
  serverUrl: string
  quick: boolean
  say: (line: string) => void
  /** Cleanup to run at the end, also after an error. */
  stops: (() => Promise<void> | void)[]
}
type Wanted = {
  kinds: Kind[]
  connections: number | undefined
  profileFolder: string | null
  /** Another checkout, with its dependencies installed. */
  against: string | null
}

/** Deposits and withdrawals, spread and hot, against a naive version of the same or against another checkout. */
export async function benchCreation(run: Run, { kinds, connections, profileFolder, against }: Wanted) {
  const { say, quick } = run
  const pace = quick ? (against ? QUICK_AGAINST : QUICK) : FULL
  const cases = planCases(kinds, connections, against !== null)
  const bench = await setUp(run, profileFolder, against)
  const measured = await measure(bench, cases, pace, say)
  const checks = await Promise.all([...bench.sides].map(([name, side]) => check(name, side)))
  say(`\nMedians of ${pace.rounds} round(s) of ${pace.measureMs / 1000} s; ratios are taken inside each round.\n`)
  if (against) say(`${compareTable(measured, cases, 'before', 'vezne')}\n`)
  else {
    say(`${compareTable(measured, cases, 'naive', 'vezne')}\n`)
    const shared = cases.filter(({ variants }) => variants.includes('vezne x2'))
    say(`Two processes on one database:\n${compareTable(measured, shared, 'vezne', 'vezne x2')}\n`)
  }
  say(`${checks.map(checkLine).join('\n')}\n`)
  const targets = against ? judgeAgainst(measured, cases) : judge(measured, kinds)
  return { pace, checks, measured, targets, right: checks.every(isCorrect) }
}

async function setUp({ serverUrl, stops }: Run, profileFolder: string | null, against: string | null): Promise<Bench> {
  const other: SideName = against ? 'before' : 'naive'
  const { callers, urls } = await makeDatabases(serverUrl, [`bench_${other}`, 'bench_vezne'])
  const [otherUrl = '', vezneUrl = ''] = urls
  const start = async (...args: Parameters<typeof startServer>) => {
    const server = await startServer(...args)
    stops.push(server.stop)
    return server.address
  }
  const otherCallers = against ? await makeDatabaseOf(against, serverUrl, `bench_${other}`) : callers
  const compared = await start(against ? 'vezne' : 'naive', otherUrl, { folder: against })
  const first = await start('vezne', vezneUrl, { profileFolder })
  // A comparison needs no second process, and its background reads would slow down one side only.
  const second = against ? [] : [await start('vezne', vezneUrl)]
  const side = async (url: string, callers: Caller[]): Promise<Side> => {
    return { url, callers, before: (await inspect(url)).counts, created: { withdraw: 0, deposit: 0 }, others: {} }
  }
  return {
    sides: new Map([
      [other, await side(otherUrl, otherCallers)],
      ['vezne', await side(vezneUrl, callers)],
    ]),
    servers: new Map<Variant, string[]>([
      [other, [compared]],
      ['vezne', [first]],
      ['vezne x2', [first, ...second]],
    ]),
  }
}

async function warmUp(bench: Bench, cases: Case[], say: Run['say']): Promise<void> {
  for (const kind of new Set(cases.map((one) => one.kind))) {
    for (const variant of new Set(cases.flatMap(({ variants }) => variants))) {
      say(`warming up ${variant}: ${kind}`)
      const load: Case = { kind, connections: USUAL_CONNECTIONS, merchants: 'spread', variants: [] }
      await loadOnce(bench, load, variant, { rounds: 1, warmUpMs: 0, measureMs: FIRST_WARM_UP_MS })
    }
  }
  await Promise.all([...bench.sides.values()].map(({ url }) => analyse(url)))
}

/**
 * Rounds are the outer loop, so that slow and fast minutes of the machine affect all cases, and all databases grow
 * alike.
 */
async function measure(bench: Bench, cases: Case[], pace: Pace, say: Run['say']): Promise<Measured[]> {
  await warmUp(bench, cases, say)
  const measured: Measured[] = []
  for (let round = 1; round <= pace.rounds; round++) {
    for (const one of cases) {
      // Every second round runs in reverse order, so that no variant always runs right after the same other one.
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
  const side = bench.sides.get(variant === 'vezne x2' ? 'vezne' : variant)
  const servers = bench.servers.get(variant)
  if (!side || !servers) throw new Error(`There is no ${variant} in this run.`)
  const callers = merchants === 'hot' ? side.callers.slice(0, 1) : side.callers
  const { warmUpMs, measureMs } = pace
  const result: LoadResult = await runLoad({ kind, connections, callers, servers, warmUpMs, measureMs })
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

function isCorrect({ expected, found, drift }: Checked): boolean {
  return expected.withdrawals === found.withdrawals && expected.deposits === found.deposits && drift === 0
}

function checkLine(checked: Checked): string {
  const { name, expected, found, drift, others } = checked
  const refused = Object.entries(others).map(([what, count]) => `${count} × ${what}`)
  return (
    `${isCorrect(checked) ? 'right' : 'WRONG'}  ${name}: withdrawals ${found.withdrawals} of ${expected.withdrawals} rows, ` +
    `deposits ${found.deposits} of ${expected.deposits}, drift ${drift}, other responses: ${refused.join(', ') || 'none'}`
  )
}
