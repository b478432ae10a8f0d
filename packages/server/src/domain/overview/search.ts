import type { Found, Search } from '../../kernel/search.ts'
import { readSearch } from '../../kernel/search.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { searchDeposits } from '../deposits/index.ts'
import { linesOfDeposit, searchLines, searchUnread } from '../statements/index.ts'
import { foundUnder, findWithdrawalById, searchWithdrawals } from '../withdrawals/index.ts'
import type { ListedTransaction } from './list-transactions.ts'
import { transactionsWithIds } from './list-transactions.ts'

/** No name, id or IBAN is longer. */
export const MAX_SEARCH_TEXT = 200

type Results<Row> = { found: Row[]; more: boolean }

/** Deposits, withdrawals and bank lines of all merchants, newest first. */
export async function searchAll(db: Queryable, text: string, limit: number): Promise<Results<Found>> {
  const wanted = readSearch(text)
  // One extra row shows whether there are more.
  const lists = await transactionsFound(db, null, wanted, limit + 1)
  for (const searchOne of [searchLines, searchUnread]) lists.push(await searchOne(db, wanted, limit + 1))
  lists.push(await linesOfNamed(db, lists.flat()), await foundByPeople(db, wanted.text, limit + 1))
  return firstOf(lists, limit)
}

export type FoundTransaction = ListedTransaction & Pick<Found, 'matched'>

/** Deposits and withdrawals of one merchant, newest first, as its lists have them. Nothing of the bank. */
export async function searchMerchant(
  db: Queryable,
  merchantId: string,
  text: string,
  limit: number,
): Promise<Results<FoundTransaction>> {
  const wanted = readSearch(text)
  const lists = await transactionsFound(db, merchantId, wanted, limit + 1)
  const { found, more } = firstOf(lists, limit)
  const listed = await transactionsWithIds(
    db,
    merchantId,
    found.map(({ id }) => id),
  )
  const rows = found.flatMap(({ id, matched }) => {
    const one = listed.get(id)
    return one ? [{ ...one, matched }] : []
  })
  return { found: rows, more }
}

/** One after the other, so that a search uses one connection. */
async function transactionsFound(
  db: Queryable,
  merchantId: string | null,
  wanted: Search,
  limit: number,
): Promise<Found[][]> {
  const deposits = await searchDeposits(db, merchantId, wanted, limit)
  return [deposits, await searchWithdrawals(db, merchantId, wanted, limit)]
}

/** The only transaction, if the text is its id, code or processId. */
export function namedTransaction(found: Pick<Found, 'kind' | 'id' | 'matched'>[]): string | undefined {
  const [only, another] = found.filter(({ kind }) => kind === 'deposit' || kind === 'withdrawal')
  return only && !another && /^(transaction id|code |processId)/.test(only.matched) ? only.id : undefined
}

function firstOf(lists: Found[][], limit: number): Results<Found> {
  const all = mergeMatches(lists.flat()).toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return { found: all.slice(0, limit), more: all.length > limit || lists.some((list) => list.length > limit) }
}

/** The bank lines of deposits that were found by id or code. */
async function linesOfNamed(db: Queryable, found: Found[]): Promise<Found[]> {
  const named = found.filter(({ kind, matched }) => kind === 'deposit' && /^(transaction id|code )/.test(matched))
  const lines = await Promise.all(named.map(({ id, merchantId }) => linesOfDeposit(db, merchantId ?? '', id)))
  return lines.flat().map(({ id, merchantId, amount, currency, direction, state, createdAt }) => ({
    ...{ kind: 'line', id, merchantId, amount, currency, direction, status: state, createdAt },
    matched: 'of the deposit',
  }))
}

/** Withdrawals by the bank's reference that people gave for them. Until one has ended, no one may copy another's finding. */
async function foundByPeople(db: Queryable, reference: string, limit: number): Promise<Found[]> {
  const ids = await foundUnder(db, reference, limit)
  const found = await Promise.all(ids.map((id) => findWithdrawalById(db, id)))
  return found.flatMap((one): Found[] => {
    if (!one || (one.status !== 'completed' && one.status !== 'failed')) return []
    const { id, merchantId, amount, currency, status, createdAt } = one
    return [{ kind: 'withdrawal', id, merchantId, amount, currency, status, createdAt, matched: `number ${reference}` }]
  })
}

/** A row that matches in several ways is listed once. */
function mergeMatches(rows: Found[]): Found[] {
  return [...Map.groupBy(rows, ({ kind, id }) => `${kind} ${id}`).values()].map((same) => ({
    ...(same[0] as Found),
    matched: [...new Set(same.flatMap(({ matched }) => matched.split(', ')))].join(', '),
  }))
}
