import type { Db } from '../../../platform/postgres/db.ts'
import { addDays, daysOfMonth, isMonth, startOfDay } from '../../../kernel/istanbul.ts'
import { refuseField } from '../../../kernel/refusals/refuse.ts'
import { listAccounts } from '../../banks/index.ts'
import { findMerchant } from '../../merchants/index.ts'
import type { MerchantBalance } from './merchant-balances.ts'
import { merchantBalances } from './merchant-balances.ts'
import type { MerchantEntry } from './store.ts'
import { atOneMoment } from '../days/store.ts'
import { readEntries } from './store.ts'

type StatementDay = { day: string; entries: MerchantEntry[]; amount: bigint; fee: bigint; closing: bigint }

export type MerchantStatement = {
  operatorTitle: string
  merchant: { id: string; name: string }
  from: string
  to: string
  /** One for each currency. `days` has the balance at the end of each day that moved something. */
  currencies: { balance: MerchantBalance; days: StatementDay[] }[]
  /** False: too many movements to print, and days have sums only. */
  detailed: boolean
}

/** About a hundred pages. */
const MOST_PRINTED = 5000

/** What a merchant had at the start of a month, what moved, and what it has at the end. */
export async function merchantStatement(
  { db }: { db: Db },
  merchantId: string,
  month: string,
): Promise<MerchantStatement> {
  if (!isMonth(month)) throw refuseField('month', 'month_malformed')
  const { name } = await findMerchant({ db }, merchantId)
  const { from, to } = daysOfMonth(month)
  const days = new Map<string, StatementDay>()
  let printed = 0
  const balances = await atOneMoment(db, async (tx) => {
    await readEntries(tx, { after: addDays(from, -1), until: to }, merchantId, async (rows) => {
      for (const row of rows.filter(({ net }) => net !== 0n)) addTo(days, row, ++printed <= MOST_PRINTED)
    })
    return merchantBalances(tx, { from, to, merchantId })
  })
  const currencies = balances.map((balance) => ({ balance, days: withClosing(days, balance) }))
  const account = (await listAccounts(db)).find(({ state }) => state === 'active')
  return {
    operatorTitle: account?.title ?? '',
    merchant: { id: merchantId, name },
    from,
    to,
    currencies,
    detailed: printed <= MOST_PRINTED,
  }
}

function addTo(days: Map<string, StatementDay>, entry: MerchantEntry, print: boolean): void {
  const key = `${entry.currency} ${entry.day}`
  const day = days.get(key) ?? { day: entry.day, entries: [], amount: 0n, fee: 0n, closing: 0n }
  day.amount += entry.net + entry.fee
  day.fee += entry.fee
  if (print) day.entries.push(entry)
  days.set(key, day)
}

function withClosing(days: Map<string, StatementDay>, { currency, opening }: MerchantBalance): StatementDay[] {
  let closing = opening
  const its = [...days].filter(([key]) => key.startsWith(`${currency} `)).map(([, day]) => day)
  const inOrder = its.toSorted((a, b) => startOfDay(a.day).getTime() - startOfDay(b.day).getTime())
  return inOrder.map((day) => ({ ...day, closing: (closing += day.amount - day.fee) }))
}
