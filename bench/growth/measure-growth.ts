import pg from 'pg'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { DAY_MS } from '../../packages/server/src/platform/time/clock.ts'
import { client } from '../../test/harness/client.ts'
import type { Run } from '../creation.ts'
import { median, table } from '../report.ts'
import { startServer } from '../servers.ts'
import { openHistory } from './history.ts'
import type { Setup, Question } from './questions.ts'
import { QUESTIONS } from './questions.ts'

const FEW = 10_000
const MANY = 1_000_000
/** Maximum ratio between the times at a million rows and at ten thousand. */
const MAX_GROWTH = 3
/** Smaller differences are measurement noise. */
const NOISE_MS = 1
const ROUNDS = 15
/** Concurrent list requests, as from forty back offices. */
const LISTS = 40

type Timing = { name: string; few: number; many: number; ratio: number; exceeded: boolean }

/**
 * Times lists and look-ups with ten thousand and with a million deposits; measures table sizes, and balance requests
 * under list load.
 */
export async function benchGrowth(run: Run) {
  const { say, quick } = run
  const count = quick ? MANY / 10 : MANY
  const few = await open(run, 'growth_few', FEW)
  const many = await open(run, 'growth_many', count)
  const took: Timing[] = []
  for (const question of QUESTIONS) took.push(await compare(question, few, many))
  const titles = ['', `${FEW} deposits, ms`, `${count} deposits, ms`, 'ratio', '']
  say(`\n${table(titles, took.map(asRow))}`)
  const sizes = await sizesOf(many.app.db)
  say(`\n${table(['table', 'rows', 'table MB', 'indexes MB'], sizes)}`)
  const balances = await balancesUnderLoad(many)
  say(
    `\nGET /v1/balance, p50 / p99 ms: alone ${balances.alone.join(' / ')}, beside ${LISTS} lists at once ${balances.beside.join(' / ')}`,
  )
  return { right: took.every(({ exceeded }) => !exceeded), targets: [], took, sizes, balances }
}

async function open(run: Run, name: string, deposits: number): Promise<Setup> {
  const { app, url, shops } = await openHistory(run, name, deposits)
  const [first] = shops
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  const [depositId, withdrawalId, middle] = await examples(db, first.merchantId)
  await db.end()
  const server = await startServer('vezne', url)
  run.stops.push(server.stop)
  const day = { from: middle.toISOString(), to: new Date(middle.getTime() + DAY_MS).toISOString() }
  const [merchant, ...others] = shops.map((shop) => client(server.address, shop))
  if (!merchant) throw new Error('There is no shop.')
  return { app, merchant, others, depositId, withdrawalId, day }
}

async function examples(db: pg.Client, merchantId: string): Promise<[string, string, Date]> {
  const { rows } = await db.query<{ deposit: string; withdrawal: string; middle: Date }>(
    `select (select id from deposits where merchant_id = $1 order by id limit 1) as deposit,
       (select id from withdrawals where merchant_id = $1 order by id limit 1) as withdrawal,
       (select min(created_at) + (max(created_at) - min(created_at)) / 2 from deposits where process_id like 'order-%') as middle`,
    [merchantId],
  )
  const { deposit, withdrawal, middle } = rows[0] as (typeof rows)[0]
  return [deposit, withdrawal, middle]
}

/**
 * Alternates between the two, so that both see the same machine speed. The first round prepares statements and is not
 * counted.
 */
async function compare({ name, ask }: Question, few: Setup, many: Setup): Promise<Timing> {
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++)
    for (const [setup, list] of [
      [few, times.few],
      [many, times.many],
    ] as const) {
      const took = await timed(() => ask(setup))
      if (round > 0) list.push(took)
    }
  const [low, high] = [median(times.few), median(times.many)]
  const ratio = high / low
  return { name, few: low, many: high, ratio, exceeded: ratio > MAX_GROWTH && high > NOISE_MS }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function asRow({ name, few, many, ratio, exceeded }: Timing): string[] {
  return [name, few.toFixed(1), many.toFixed(1), ratio.toFixed(1), exceeded ? `> ${MAX_GROWTH}×` : '']
}

async function sizesOf(db: Setup['app']['db']): Promise<string[][]> {
  const rows = await db.query<{ name: string; count: number; heap: number; indexes: number }>(sql`
    select relname as name, n_live_tup::float8 as count, pg_table_size(relid)::float8 / 1e6 as heap,
      pg_indexes_size(relid)::float8 / 1e6 as indexes
    from pg_stat_user_tables where n_live_tup > 10000 order by pg_total_relation_size(relid) desc`)
  const line = (name: string, part: { count: number; heap: number; indexes: number }) =>
    [name, part.count, part.heap, part.indexes].map((cell) => (typeof cell === 'string' ? cell : cell.toFixed(0)))
  const sum = (key: 'count' | 'heap' | 'indexes') => rows.reduce((total, row) => total + row[key], 0)
  const all = { count: sum('count'), heap: sum('heap'), indexes: sum('indexes') }
  return [...rows.map((row) => line(row.name, row)), line('all', all)]
}

/** Sequential balance requests, first alone and then while list requests of other merchants run all the time. */
async function balancesUnderLoad(setup: Setup) {
  const balances = async () => {
    const times: number[] = []
    for (let count = 0; count < 200; count++) times.push(await timed(() => setup.merchant.get('/v1/balance')))
    return [0.5, 0.99].map((share) => times.toSorted((a, b) => a - b)[Math.floor(share * times.length)]?.toFixed(1))
  }
  const alone = await balances()
  let running = true
  const lists = QUESTIONS.filter(({ name }) => /GET .*\?(status|type)/.test(name))
  const load = Array.from({ length: LISTS }, async (_, index) => {
    const merchant = setup.others[index % setup.others.length] ?? setup.merchant
    while (running) await lists[index % lists.length]?.ask({ ...setup, merchant })
  })
  const beside = await balances()
  running = false
  await Promise.all(load)
  return { alone, beside }
}
