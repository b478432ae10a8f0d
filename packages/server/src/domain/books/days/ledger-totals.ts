import type { LedgerBalance } from './store.ts'

/** In the order of reading: what is owed, then the cash that it equals. */
const FIRST = ['merchant_available', 'merchant_held', 'payouts_in_transit', 'fees', 'suspense']

/** The balances of one currency by kind of account. `owed`: all of them but the cash, which must equal it. */
export type LedgerTotals = { currency: string; kinds: { kind: string; total: bigint }[]; owed: bigint; cash: bigint }

export function ledgerTotals(balances: LedgerBalance[]): LedgerTotals[] {
  return [...Map.groupBy(balances, ({ currency }) => currency)].map(([currency, rows]) => {
    const total = (some: LedgerBalance[]) => some.reduce((sum, { balance }) => sum + balance, 0n)
    const others = [...new Set(rows.map(({ kind }) => kind))].filter((kind) => !['bank_cash', ...FIRST].includes(kind))
    const kinds = [...FIRST, ...others].map((kind) => ({ kind, total: total(rows.filter((row) => row.kind === kind)) }))
    const cash = -total(rows.filter(({ kind }) => kind === 'bank_cash'))
    return { currency, kinds, owed: total(rows) + cash, cash }
  })
}
