import type { RuleTerms } from '../../packages/server/src/domain/books/index.ts'
import { addDays } from '../../packages/server/src/kernel/istanbul.ts'
import { seededRandom } from '../chaos/random.ts'
import type { Bank, ModelLine } from './bank-model.ts'
import { openBank } from './bank-model.ts'
import type { Digest } from './digest.ts'
import { digestOf } from './digest.ts'
import { namesOfLines } from './lines-of-month.ts'
import type { MonthKind } from './mixes.ts'
import { MIXES, pickKind } from './mixes.ts'
import type { Play, ShopOf } from './play.ts'
import { openPlay } from './play.ts'
import type { Staff } from './staff.ts'
import { openStaff } from './staff.ts'
import { differencesOfDay, differencesOfMonth } from './verdict.ts'
import type { World } from './world.ts'
import { openWorld } from './world.ts'

// A month of random days over the real service: the same seed is the same month.

/** On which merchants get their first money; the month follows. */
const FIRST_DAY = '2027-05-31'
const OPENING = 50_000_000n
const FIRST_DEPOSIT = 40_000_000n
/** What a story of a few lines may need at most to fill a day: some kinds have no line. */
const MOST_EVENTS = 10

export type Options = { seed: number; lines: number; kind: MonthKind; rules: boolean; days: number }
export type Month = Options & {
  bank: Bank
  staff: Staff
  /** Entries of line rules. */
  byRules: number
  closed: number
  closingActs: number
  setUpActs: number
  differences: string[]
  seconds: number
  digest: Digest
}

const SHOPS: (Pick<ShopOf, 'name' | 'is' | 'depositFee' | 'withdrawFee'> & { matching: object })[] = [
  {
    ...{ name: 'Sade', is: 'plain', matching: {} },
    ...{ depositFee: { bps: 150n, fixed: 0n }, withdrawFee: { bps: 0n, fixed: 400n } },
  },
  {
    ...{ name: 'Siki', is: 'strict', matching: { late: 'review', nameCheck: 'require' } },
    ...{ depositFee: { bps: 0n, fixed: 250n }, withdrawFee: { bps: 25n, fixed: 100n } },
  },
  {
    ...{ name: 'Rahat', is: 'tolerant', matching: { amount: 'tolerance', tolerance: 500n, nameCheck: 'off' } },
    ...{ depositFee: { bps: 215n, fixed: 50n }, withdrawFee: { bps: 0n, fixed: 0n } },
  },
]

const RULES: Pick<RuleTerms, 'kind' | 'direction' | 'words' | 'maxAmount'>[] = [
  { kind: 'bank_charge', direction: 'debit', words: 'FAST MASRAFI', maxAmount: 2_000n },
  { kind: 'bank_tax', direction: 'debit', words: 'BSMV FAST MASRAFI', maxAmount: 1_000n },
  { kind: 'bank_charge', direction: 'debit', words: 'HESAP ISLETIM UCRETI', maxAmount: 20_000n },
  { kind: 'interest', direction: 'credit', words: 'MEVDUAT FAIZI', maxAmount: 50_000n },
  { kind: 'bank_tax', direction: 'debit', words: 'STOPAJ', maxAmount: 10_000n },
]

async function openShops(world: World): Promise<ShopOf[]> {
  const shops: ShopOf[] = []
  for (const { matching, ...terms } of SHOPS)
    shops.push({ ...terms, id: await world.merchant({ ...terms, matching }), balance: 0n })
  return shops
}

/** What was on the accounts before, the first money of each merchant, and the rules that are agreed once. */
async function setUp(play: Play, staff: Staff, { shops, rules }: { shops: ShopOf[]; rules: boolean }): Promise<void> {
  const { world } = play
  const day = addDays(FIRST_DAY, -1)
  for (const { id: accountId } of world.accounts) {
    const terms = { lineIds: [], accountId, amount: OPENING, day }
    await staff.agree('journal.entry', { kind: 'opening_balance', terms }, 'opening balance')
  }
  if (rules)
    for (const rule of RULES)
      await staff.agree('rule.set', { ...rule, accountId: null, books: true, replaces: null }, 'line rule')
  await play.startDay(FIRST_DAY)
  for (const [index, shop] of shops.entries()) {
    const account = world.accounts[index]
    if (!account) throw new Error('There are fewer accounts than merchants.')
    const customer = play.person()
    const deposit = await play.deposit(shop, account, FIRST_DEPOSIT, customer)
    const truth = { is: 'deposits' as const, parts: [{ deposit, amount: FIRST_DEPOSIT }], rest: 0n }
    play.book('deposit', 'credit', account.iban, FIRST_DEPOSIT, truth, {
      ...{ text: deposit.code, time: '10:08:00', party: customer },
    })
    play.credited(deposit, FIRST_DEPOSIT)
  }
}

export async function playMonth(options: Options, say: (text: string) => void): Promise<Month> {
  const world = await openWorld()
  try {
    return await playIn(world, options, say)
  } finally {
    await world.stop()
  }
}

async function playIn(world: World, options: Options, say: (text: string) => void): Promise<Month> {
  const started = performance.now()
  const { seed, lines, kind, rules, days } = options
  const bank = openBank(new Map(world.accounts.map(({ iban }) => [iban, OPENING])))
  world.setBank(bank)
  const names = namesOfLines(world, bank)
  const staff = openStaff(world, names)
  await world.goTo(FIRST_DAY, '10:00')
  const shops = await openShops(world)
  const last = addDays(FIRST_DAY, days)
  const play = openPlay(world, bank, { random: seededRandom(seed), last, shops })
  await setUp(play, staff, { shops, rules })
  const setUpActs = sumOf(staff.acts)
  const differences: string[] = []
  const month = { ...options, bank, staff, byRules: 0, closed: 0, closingActs: 0, setUpActs, differences }
  const add = (found: string[]) => {
    for (const one of found) say(`DIFFERENCE, seed ${seed}: ${one}`)
    differences.push(...found)
  }
  for (let index = 0; index <= days; index++) {
    const day = addDays(FIRST_DAY, index)
    await liveThrough(play, { day, until: Math.round((lines * index) / days), kind })
    await takeIn(world, day)
    month.byRules += await explainDay(world, { bank, staff, names })
    add(await differencesOfDay(world, bank, day))
    await world.goTo(addDays(day, 1), '09:00')
    if (await world.close(day)) month.closed++
    month.closingActs += 2
    const open = [...staff.noRoad.keys()].length
    say(
      `${day}: ${bank.lines.length} lines, ${sumOf(staff.acts)} acts, ${open} without a road, ${differences.length} differences`,
    )
  }
  add(await differencesOfMonth(world, bank, names, { deposits: play.deposits, payouts: play.payouts, shops }))
  const digest = await digestOf(world, shops)
  return { ...month, seconds: Math.round((performance.now() - started) / 1000), digest }
}

const sumOf = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)

/** From 10:00 on: customers, merchants and the bank, until there are as many lines as wanted. */
async function liveThrough(play: Play, { day, until, kind }: { day: string; until: number; kind: MonthKind }) {
  const { world, bank } = play
  if (day !== FIRST_DAY) {
    await world.goTo(day, '10:00')
    await play.startDay(day)
  }
  await world.send()
  for (const payout of bank.givenBack.splice(0)) {
    const truth = { is: 'payouts' as const, payouts: [payout], charge: 0n, others: [] }
    const fields = { text: `GIDEN FAST ${payout.id}`, time: '10:40:00', party: payout.to }
    play.book('refund', 'debit', payout.from ?? '', payout.amount, truth, fields)
  }
  const missing = until - bank.lines.length
  for (let events = 0; bank.lines.length < until && events < MOST_EVENTS * missing; events++)
    await pickKind(MIXES[kind], play.random.below)(play)
  await play.endDay()
}

/** The reports of noon, where there are any, and the statements of the evening. */
async function takeIn(world: World, day: string): Promise<void> {
  await world.goTo(day, '12:30')
  for (const account of world.accounts) if (world.hasReport(account, day)) await world.takeIn(day, account, 'report')
  await world.work()
  await world.goTo(day, '20:00')
  for (const account of world.accounts) await world.takeIn(day, account, 'statement')
}

type Desk = { bank: Bank; staff: Staff; names: ReturnType<typeof namesOfLines> }

/** What rules do not book, people explain, in the order in which the bank booked it. Returns the entries of rules. */
async function explainDay(world: World, { bank, staff, names }: Desk): Promise<number> {
  const booked = await world.work()
  await world.expire()
  await names.read()
  const at = ({ day, time, number }: ModelLine) => `${day} ${time} ${number}`
  const lines = bank.lines.filter(names.has).toSorted((a, b) => (at(a) < at(b) ? -1 : 1))
  const waiting = new Set(await names.waiting())
  for (const line of lines) if (waiting.has(line) && isKnown(line) && !staff.noRoad.has(line)) await staff.explain(line)
  staff.release()
  return booked + (await world.work())
}

/** Whether anyone can know by now what the line is for. */
function isKnown({ truth }: ModelLine): boolean {
  if (truth.is === 'storno' || truth.is === 'own_transfer') return truth.other !== null
  if (truth.is === 'replaced') return truth.isSeen
  return truth.is !== 'deposits' || truth.parts.length > 0
}
