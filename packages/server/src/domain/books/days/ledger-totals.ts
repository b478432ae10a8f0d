import type { LedgerBalance } from './store.ts'

/** In the order of reading: what is owed, then what the bank took or paid, then the cash that both equal. */
const FIRST = ['merchant_available', 'merchant_held', 'payouts_in_transit', 'fees', 'suspense']

/** Our own result. */
const RESULT = ['bank_charges', 'bank_taxes', 'interest']

type KindTotal = { kind: string; total: bigint }

/** The balances of one currency by kind of account. `together`: all of them but the cash, which must equal it. */
export type LedgerTotals = {
  currency: string
  owed: KindTotal[]
  result: KindTotal[]
  together: bigint
  cash: bigint
}

export function ledgerTotals(balances: LedgerBalance[]): LedgerTotals[] {
  return [...Map.groupBy(balances, ({ currency }) => currency)].map(([currency, rows]) => {
    const total = (some: LedgerBalance[]) => some.reduce((sum, { balance }) => sum + balance, 0n)
    const known = new Set(rows.map(({ kind }) => kind))
    const others = [...known].filter((kind) => !['bank_cash', ...FIRST, ...RESULT].includes(kind))
    const totals = (kinds: string[]) =>
      kinds.map((kind) => ({ kind, total: total(rows.filter((row) => row.kind === kind)) }))
    const cash = -total(rows.filter(({ kind }) => kind === 'bank_cash'))
    const result = totals(RESULT.filter((kind) => known.has(kind)))
    return { currency, owed: totals([...FIRST, ...others]), result, together: total(rows) + cash, cash }
  })
}
