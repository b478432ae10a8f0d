import { addDays } from '../../packages/server/src/kernel/istanbul.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import type { SeededRandom } from '../chaos/random.ts'
import type { Bank, Booking, ModelLine } from './bank-model.ts'
import type { ModelDeposit, ModelMerchant, ModelPayout, Party, Truth } from './truth.ts'
import { feeOf } from './truth.ts'
import type { Account, World } from './world.ts'

// What the kinds of events are made of: chance, people, merchants and the bank.

const FIRST = 'Ayşe Mehmet Zeynep Emre Elif Burak Merve Can Selin Kerem Deniz Ece Ozan Gül Hakan İpek Tolga Nur'.split(
  ' ',
)
const LAST = 'Yılmaz Kaya Demir Çelik Şahin Öztürk Aydın Arslan Doğan Koç Kurt Özdemir Polat Güneş Erdem Tekin'.split(
  ' ',
)
/** Sums that customers like: many payments have the same. */
const ROUND = [10_000n, 20_000n, 25_000n, 50_000n, 75_000n, 100_000n, 150_000n, 200_000n]
/** Of banks where we have no account, so that FAST carries what goes there. */
const BANKS = ['0064', '0067', '0111', '0012', '0134']

type Fields = Partial<Pick<Booking, 'time' | 'day' | 'number'>> & { party?: Partial<Party> | null; text: string }
export type Play = ReturnType<typeof openPlay>
export type ShopOf = ModelMerchant & { is: 'plain' | 'strict' | 'tolerant' }

/** `last`: the last day of the month; nothing is put off beyond it. */
export function openPlay(
  world: World,
  bank: Bank,
  { random, last, shops }: { random: SeededRandom; last: string; shops: ShopOf[] },
) {
  const state = { day: '' }
  const later = new Map<string, (() => Promise<void> | void)[]>()
  const deposits: ModelDeposit[] = []
  const payouts: ModelPayout[] = []
  const people: Party[] = []
  let bankAccounts = 3_000_000

  const chance = (percent: number) => random.below(100) < percent
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T
  const amount = (low = 5_000, high = 400_000) => (chance(35) ? pick(ROUND) : BigInt(random.between(low, high)))
  const two = (number: number) => String(number).padStart(2, '0')
  /** Between these hours, by default after deposits are due. */
  const time = (from = 11, until = 17) =>
    `${two(random.between(from, until))}:${two(random.below(60))}:${two(random.below(60))}`
  /** In the half hour in which a deposit of 10:00 may be paid. */
  const timeToPay = () => `10:${two(random.between(8, 27))}:${two(random.below(60))}`

  /** Often one who was there before. */
  function person(): Party {
    if (people.length > 30 && chance(30)) return pick(people)
    const one = newcomer()
    people.push(one)
    return one
  }

  function newcomer(): Party {
    const name = `${pick(FIRST)} ${chance(20) ? `${pick(FIRST)} ` : ''}${pick(LAST)}`
    return { name, iban: makeIban(pick(BANKS), String(bankAccounts++)) }
  }

  const account = () => pick(world.accounts)
  const shop = (is?: ShopOf['is']) => pick(is === undefined ? shops : shops.filter((one) => one.is === is))

  async function deposit(merchant: ShopOf, at: Account, asked: bigint, customer: Party): Promise<ModelDeposit> {
    const { id, code } = await world.deposit(merchant.id, at, asked, customer.name)
    const made: ModelDeposit = {
      ...{ id, code, merchant, iban: at.iban, amount: asked, customer, status: 'expired' as const, flags: new Set() },
    }
    deposits.push(made)
    return made
  }

  /** The merchant has what came for the deposit, less the fee. */
  function credited(of: ModelDeposit, received: bigint, ...flags: string[]): void {
    of.status = 'completed'
    for (const flag of flags) of.flags.add(flag)
    if (received !== of.amount) of.flags.add(received < of.amount ? 'underpaid' : 'overpaid')
    of.merchant.balance += received - feeOf(of.merchant.depositFee, received)
  }

  function takenBack(of: ModelDeposit, received: bigint): void {
    of.status = 'failed'
    of.merchant.balance -= received - feeOf(of.merchant.depositFee, received)
  }

  /** Sent at once, so that the account that pays does not depend on the order of others. */
  async function payout(
    merchant: ShopOf,
    asked: bigint,
    answer: 'accepted' | 'pending' | 'rejected' = 'accepted',
    to = person(),
  ): Promise<ModelPayout> {
    const id = await world.withdraw(merchant.id, asked, to)
    const made: ModelPayout = {
      ...{ id, merchant, amount: asked, to, from: null, isReturned: false },
      status: answer === 'rejected' ? 'failed' : 'completed',
    }
    bank.plans.set(id, { payout: made, answer })
    await world.send()
    if (made.from === null) throw new Error(`The payout of ${asked} kuruş did not leave.`)
    if (answer !== 'rejected') merchant.balance -= asked + feeOf(merchant.withdrawFee, asked)
    payouts.push(made)
    return made
  }

  const book = (
    kind: string,
    direction: 'credit' | 'debit',
    iban: string,
    sum: bigint,
    truth: Truth,
    { time: at = time(), day = state.day, ...fields }: Fields,
  ): ModelLine => bank.book({ kind, direction, iban, amount: sum, truth, time: at, day, ...fields })

  /** So many days later, at the latest on the last day. */
  function after(days: number, act: () => Promise<void> | void): void {
    const wanted = addDays(state.day, days)
    const day = wanted > last ? last : wanted
    if (day === state.day) return void urgent.push(act)
    later.set(day, [...(later.get(day) ?? []), act])
  }
  const urgent: (() => Promise<void> | void)[] = []

  /** What was put off to this day. */
  async function startDay(day: string): Promise<void> {
    state.day = day
    for (const act of later.get(day) ?? []) await act()
    later.delete(day)
  }

  /** What can wait no longer. */
  async function endDay(): Promise<void> {
    for (let act = urgent.shift(); act; act = urgent.shift()) await act()
  }

  return {
    ...{
      random,
      world,
      bank,
      state,
      deposits,
      payouts,
      chance,
      pick,
      amount,
      time,
      timeToPay,
      person,
      newcomer,
      account,
      shop,
    },
    ...{ deposit, credited, takenBack, payout, book, after, startDay, endDay },
    isLast: () => state.day === last,
  }
}
