import { PASSWORD } from '../../test/harness/logins.ts'
import { visitor } from '../../test/harness/operator-console.ts'
import type { Run } from '../creation.ts'
import { median, table } from '../report.ts'
import { startServer } from '../servers.ts'
import type { Examples } from './examples.ts'
import { findExamples } from './examples.ts'
import { MERCHANT_PAGES, OPERATOR_PAGES, SMALL_MERCHANT_PAGES } from './pages.ts'
import { LOGINS, seed } from './seed.ts'

const FEW = 2000
const MANY = 2_000_000
/** At least, and one more for each ten thousand transactions. */
const MERCHANTS = 20
/** Maximum ratio between the times with many transactions and with few. */
const MAX_RATIO = 3
const ROUNDS = 15
/** Of each page, not counted: plans are made and pages of the database read. */
const WARM_UP = 2

type Who = keyof typeof LOGINS
type Console = { examples: Examples; visitors: Record<Who, ReturnType<typeof visitor>> }
type Timing = { page: string; few: number; many: number; ratio: number; exceeded: boolean }

/** Times every page of both consoles with two thousand and with two million transactions. */
export async function benchConsoles(run: Run, size: number | undefined) {
  const { say, quick } = run
  const transactions = size ?? (quick ? MANY / 10 : MANY)
  const few = await open(run, 'consoles_few', FEW)
  const many = await open(run, 'consoles_many', transactions)
  const took: Timing[] = []
  for (const [who, pages] of [
    ['operator', OPERATOR_PAGES],
    ['merchant', MERCHANT_PAGES],
    ['smallMerchant', SMALL_MERCHANT_PAGES],
  ] as const)
    for (const path of pages) {
      const first = await compare(who, path, few, many)
      // Other work of the machine may have met one side only.
      took.push(first.exceeded ? await compare(who, path, few, many) : first)
    }
  say(`\n${table(['', `${FEW}, ms`, `${transactions}, ms`, 'ratio', ''], took.map(asRow))}`)
  const over = took.filter(({ exceeded }) => exceeded).length
  say(`\n${over} of ${took.length} pages take more than ${MAX_RATIO} times as long`)
  return { right: over === 0, took }
}

async function open(run: Run, name: string, transactions: number): Promise<Console> {
  const merchants = Math.max(MERCHANTS, Math.floor(transactions / 10_000))
  run.say(`writing ${transactions} transactions of ${merchants} merchants …`)
  const { url, merchantId, db } = await seed(run, name, { transactions, merchants })
  const examples = await findExamples(db, merchantId)
  const server = await startServer('vezne', url)
  run.stops.push(server.stop)
  const logIn = async (who: Who) => {
    const browser = visitor({ baseUrl: server.address }, who === 'operator' ? 'operator' : 'merchant')
    const { status, text } = await browser.logIn(LOGINS[who], PASSWORD)
    if (status !== 303) throw new Error(`${who}: ${status} ${text}`)
    return browser
  }
  const [operator, merchant] = [await logIn('operator'), await logIn('merchant')]
  return { examples, visitors: { operator, merchant, smallMerchant: await logIn('smallMerchant') } }
}

/** Alternates between the two, so that both see the same machine speed. */
async function compare(who: Who, path: string, few: Console, many: Console): Promise<Timing> {
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [one, list] of [
      [few, times.few],
      [many, times.many],
    ] as const) {
      const ms = await timed(one, who, path)
      if (round >= 0) list.push(ms)
    }
  const [low, high] = [median(times.few), median(times.many)]
  const ratio = high / low
  return { page: `/${who}${path}`, few: low, many: high, ratio, exceeded: ratio > MAX_RATIO }
}

async function timed({ examples, visitors }: Console, who: Who, path: string): Promise<number> {
  const address = path.replace(/\{(\w+)\}/g, (_, name: keyof Examples) => encodeURIComponent(examples[name]))
  const start = performance.now()
  const { status, text } = await visitors[who].request(address)
  const ms = performance.now() - start
  // A search for what one transaction has leads to it.
  if (status !== 200 && status !== 303) throw new Error(`${address}: ${status} ${text.slice(0, 2000)}`)
  return ms
}

function asRow({ page, few, many, ratio, exceeded }: Timing): string[] {
  return [page, few.toFixed(1), many.toFixed(1), ratio.toFixed(1), exceeded ? `> ${MAX_RATIO}×` : '']
}
