import { addDays, startOfDay } from '../../kernel/istanbul.ts'
import type { PageFilter } from '../../kernel/page.ts'
import { idsBetween } from '../../platform/crypto/ids.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { CurrencySum, Deposit } from '../deposits/index.ts'
import { depositsOfAll, depositSums, depositsWithIds } from '../deposits/index.ts'
import type { Withdrawal } from '../withdrawals/index.ts'
import { withdrawalsOfAll, withdrawalSums, withdrawalsWithIds } from '../withdrawals/index.ts'

export type TransactionKind = 'deposit' | 'withdrawal'

export type TransactionFilter = {
  kind: TransactionKind
  merchantId: string | null
  status?: string | undefined
  /** Istanbul days, both included. */
  from: string
  to: string
  /** The last id of the page before. */
  before?: string | undefined
  limit: number
}

/** What both kinds have in common in a list. `name`: the customer or the recipient. */
export type ListedTransaction = {
  kind: TransactionKind
  name: string
  /** Flags of a deposit; what a withdrawal waits for. */
  notes: string[]
} & Pick<
  Deposit,
  'id' | 'merchantId' | 'processId' | 'amount' | 'fee' | 'currency' | 'status' | 'createdAt' | 'updatedAt'
>

/** One page, newest first. One row more than the page shows whether there is another one. */
export async function listTransactions(db: Queryable, filter: TransactionFilter): Promise<ListedTransaction[]> {
  const { kind, merchantId } = filter
  const page = pageOf(filter)
  if (kind === 'deposit') return (await depositsOfAll(db, merchantId, page)).map(listedDeposit)
  return (await withdrawalsOfAll(db, merchantId, page)).map(listedWithdrawal)
}

/** Of one merchant, by id. */
export async function transactionsWithIds(
  db: Queryable,
  merchantId: string,
  ids: string[],
): Promise<Map<string, ListedTransaction>> {
  if (ids.length === 0) return new Map()
  const deposits = (await depositsWithIds(db, merchantId, ids)).map(listedDeposit)
  const withdrawals = (await withdrawalsWithIds(db, merchantId, ids)).map(listedWithdrawal)
  return new Map([...deposits, ...withdrawals].map((one) => [one.id, one]))
}

function pageOf({ status, limit, ...filter }: TransactionFilter): PageFilter {
  const [from, to] = [startOfDay(filter.from), startOfDay(addDays(filter.to, 1))]
  const range = idsBetween(from, to)
  const before = filter.before !== undefined && filter.before < range.before ? filter.before : range.before
  return { status, from, to, notBefore: range.notBefore, before, limit: limit + 1 }
}

/** Rows that are summed with every page: more would take longer than the page. */
export const SUMMED_AT_ONCE = 1000
/** Rows that are summed when a person asks for it. All of a busy year would take minutes. */
export const MOST_SUMMED = 100_000

/** All rows of the filter by currency; null if there are more than `most`. */
export function sumTransactions(db: Queryable, filter: TransactionFilter, most: number): Promise<CurrencySum[] | null> {
  const { kind, merchantId } = filter
  const all = pageOf({ ...filter, before: undefined, limit: most })
  return (kind === 'deposit' ? depositSums : withdrawalSums)(db, merchantId, all)
}

const EXPORT_PAGE = 500

/** All rows of a filter, newest first, in pages, at least one: no connection is held while rows are written. Returns whether there are more than `max`. */
export async function eachPage(
  db: Queryable,
  filter: TransactionFilter,
  max: number,
  onRows: (rows: ListedTransaction[]) => Promise<void>,
): Promise<boolean> {
  let { before } = filter
  for (let left = max; ; left -= EXPORT_PAGE) {
    const limit = Math.min(left, EXPORT_PAGE)
    const rows = await listTransactions(db, { ...filter, before, limit })
    const page = rows.slice(0, limit)
    await onRows(page)
    if (rows.length <= limit) return false
    if (left <= EXPORT_PAGE) return true
    before = page.at(-1)?.id
  }
}

function listedDeposit(deposit: Deposit): ListedTransaction {
  const { flags, reason, customer } = deposit
  return { ...deposit, kind: 'deposit', name: customer.name, notes: reason === null ? flags : [...flags, reason] }
}

function listedWithdrawal(withdrawal: Withdrawal): ListedTransaction {
  const { state, stateReason, failureReason, accountName } = withdrawal
  const notes = [state, stateReason, failureReason].filter((one) => one !== null)
  return { ...withdrawal, kind: 'withdrawal', name: accountName, notes }
}
