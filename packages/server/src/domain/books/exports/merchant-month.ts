import { addDays, daysBetween, daysOfMonth, isDay, istanbul } from '../../../kernel/istanbul.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { MERCHANT_MONEY, merchantMoney } from '../../ledger/index.ts'
import type { DayMovement } from '../days/store.ts'
import { atOneMoment, selectMovements, storedMovements, summedDays } from '../days/store.ts'
import type { MerchantBalance } from './merchant-balances.ts'
import { classify, moneyAt } from './merchant-balances.ts'
import type { MerchantEntry } from './store.ts'
import { selectEntries } from './store.ts'

/** `closing`: the balance at the end of the day. */
type MonthDay = { day: string; amount: bigint; fee: bigint; closing: bigint }

export type MerchantMonth = {
  from: string
  to: string
  /** Days that moved something, in order. */
  currencies: { balance: MerchantBalance; days: MonthDay[] }[]
  /** Of one day. */
  entries: MerchantEntry[]
}

type Wanted = { month: string; day: string | null; limit: number; now: Date }

/** A month of a merchant by day, and the first entries of one day. Of closed days the sums are stored: only open ones are read. */
export function merchantMonth({ db }: { db: Db }, merchantId: string, wanted: Wanted): Promise<MerchantMonth> {
  const { from, to } = daysOfMonth(wanted.month)
  return atOneMoment(db, async (tx) => {
    const movements = await movementsOf(tx, merchantId, { from, to })
    const closings = await closingsOf(tx, merchantId, to, wanted.now)
    const known = new Set([...closings.keys(), ...movements.map(({ currency }) => currency)])
    const all = [...known].toSorted().map((currency) => {
      const its = movements.filter((one) => one.currency === currency)
      const net = its.reduce((sum, one) => sum + one.net, 0n)
      const closing = closings.get(currency) ?? 0n
      const balance = { merchantId, currency, opening: closing - net, ...classify(its), closing }
      return { balance, days: daysOf(its, balance.opening) }
    })
    const currencies = all.filter(({ balance, days }) => days.length > 0 || balance.closing !== 0n)
    const { day } = wanted
    const hasDay = day !== null && isDay(day) && day >= from && day <= to
    const window = { after: addDays(day ?? from, -1), until: day ?? from }
    const entries = hasDay ? await selectEntries(tx, window, merchantId, wanted.limit) : []
    return { from, to, currencies, entries }
  })
}

/** Stored ones of closed days, and those of the others from the ledger. */
async function movementsOf(tx: Tx, merchantId: string, month: { from: string; to: string }): Promise<DayMovement[]> {
  const summed = await summedDays(tx, month)
  const found = await storedMovements(tx, month, merchantId)
  for (const window of openWindows(month, summed)) found.push(...(await selectMovements(tx, window, merchantId)))
  return found
}

/** Days that are not summed, those that follow each other together. */
function openWindows({ from, to }: { from: string; to: string }, summed: ReadonlySet<string>) {
  const windows: { after: string; until: string }[] = []
  for (const day of daysBetween(from, to)) {
    if (summed.has(day)) continue
    const last = windows.at(-1)
    if (last?.until === addDays(day, -1)) last.until = day
    else windows.push({ after: addDays(day, -1), until: day })
  }
  return windows
}

/** Today's balances are stored: a month that has not ended needs no sum of the entries before it. */
async function closingsOf(tx: Tx, merchantId: string, to: string, now: Date): Promise<Map<string, bigint>> {
  if (to >= istanbul(now).day) return merchantMoney(tx, merchantId, MERCHANT_MONEY)
  const closings = await moneyAt(tx, to, merchantId)
  return new Map([...closings].map(([key, amount]) => [key.split(' ')[1] ?? '', amount]))
}

function daysOf(movements: DayMovement[], opening: bigint): MonthDay[] {
  let closing = opening
  const byDay = [...Map.groupBy(movements, ({ day }) => day)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return byDay.map(([day, its]) => {
    const fee = its.reduce((sum, one) => sum + one.fee, 0n)
    const net = its.reduce((sum, one) => sum + one.net, 0n)
    return { day, amount: net + fee, fee, closing: (closing += net) }
  })
}
