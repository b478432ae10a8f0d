import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts'
import type { Case, Measured, Variant } from './cases.ts'
import { nameOf, planCases, USUAL_CONNECTIONS } from './cases.ts'
import type { Counts } from './databases.ts'
import { analyse, durability, inspect, makeDatabases } from './databases.ts'
import type { Caller, Kind, LoadResult } from './load.ts'
import { runLoad } from './load.ts'
import { judge, mainTable, rate, targetLines, twoProcessTable } from './report.ts'
import { startServer } from './servers.ts'

// Usage: npm run bench [-- --quick] [-- --only withdraw|deposit] [-- --connections 64] [-- --profile]
// Vezne against a naive version of itself, durable, in one run: figures drift from run to run, ratios inside one hold.

const RESULTS = join(import.meta.dirname, 'results')

/** Before the first round, for the compilers and caches of every server. */
const FIRST_WARM_UP_MS = 2500

type Pace = { rounds: number; warmUpMs: number; measureMs: number }
const FULL: Pace = { rounds: 3, warmUpMs: 500, measureMs: 3000 }
const QUICK: Pace = { rounds: 1, warmUpMs: 200, measureMs: 1000 }

/** One database with the servers on it, and what they have answered so far. */
type Side = { url: string; before: Counts; created: Record<Kind, number>; others: Record<string, number> }
type Checked = { name: string; expected: Counts; found: Counts; drift: number; others: Record<string, number> }
type Bench = { sides: Record<'naive' | 'vezne', Side>; servers: Record<Variant, string[]>; callers: Caller[] }

const say = (line: string) => void process.stdout.write(`${line}\n`)
const stops: (() => Promise<void> | void)[] = []

async function main(): Promise<boolean> {
  const { quick, kinds, profile, connections } = readArguments()
  const pace = quick ? QUICK : FULL
  const cases = planCases(kinds, connections)
  const { bench, settings } = await setUp(profile)
  const measured = await measure(bench, cases, pace)
  const checks = await Promise.all((['naive', 'vezne'] as const).map((name) => check(name, bench.sides[name])))
  const targets = judge(measured, kinds)
  say(`\nMedians of ${pace.rounds} round(s) of ${pace.measureMs / 1000} s; ratios are taken inside each round.\n`)
  say(`${mainTable(measured, cases)}\n`)
  say(`Two processes on one database:\n${twoProcessTable(measured, cases)}\n`)
  say(`${checks.map(checkLine).join('\n')}\n`)
  say(targetLines(targets))
  mkdirSync(RESULTS, { recursive: true })
  const file = join(RESULTS, `${new Date().toISOString().replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify({ pace, settings, targets, checks, measured }, null, 2)}\n`)
  say(`\n${file}`)
  return checks.every(isRight)
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      only: { type: 'string' },
      connections: { type: 'string' },
      profile: { type: 'boolean' },
    },
  })
  const kinds = (['withdraw', 'deposit'] as const).filter((kind) => values.only === undefined || values.only === kind)
  if (kinds.length === 0) throw new Error('--only takes withdraw or deposit')
  const connections = values.connections === undefined ? undefined : Number(values.connections)
  return { quick: values.quick ?? false, kinds, connections, profile: values.profile ?? false }
}

async function setUp(profile: boolean): Promise<{ bench: Bench; settings: Record<string, string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-bench-'))
  stops.push(() => rmSync(folder, { recursive: true, force: true }))
  say('starting PostgreSQL, making merchants …')
  const postgres = await startEmbeddedPostgres(folder)
  stops.push(postgres.stop)
  const settings = await durability(postgres.url)
  if (Object.values(settings).some((setting) => setting !== 'on')) throw new Error('This PostgreSQL is not durable.')
  const { callers, urls } = await makeDatabases(postgres.url, ['bench_naive', 'bench_vezne'])
  const [naiveUrl = '', vezneUrl = ''] = urls
  const start = async (...args: Parameters<typeof startServer>) => {
    const server = await startServer(...args)
    stops.push(server.stop)
    return server.address
  }
  const naive = await start('naive', naiveUrl)
  const first = await start('vezne', vezneUrl, profile ? RESULTS : null)
  const second = await start('vezne', vezneUrl)
  const side = async (url: string): Promise<Side> => {
    return { url, before: (await inspect(url)).counts, created: { withdraw: 0, deposit: 0 }, others: {} }
  }
  const sides = { naive: await side(naiveUrl), vezne: await side(vezneUrl) }
  return {
    bench: { sides, callers, servers: { naive: [naive], vezne: [first], 'vezne x2': [first, second] } },
    settings,
  }
}

async function warmUp(bench: Bench, kinds: Kind[]): Promise<void> {
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
async function measure(bench: Bench, cases: Case[], pace: Pace): Promise<Measured[]> {
  await warmUp(bench, [...new Set(cases.map(({ kind }) => kind))])
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

async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).toReversed()) await stop()
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void stopAll().finally(() => process.exit(130)))
}
try {
  process.exitCode = (await main()) ? 0 : 1
} finally {
  await stopAll()
}
