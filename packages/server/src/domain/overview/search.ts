import type { Found } from '../../kernel/search.ts'
import { readSearch } from '../../kernel/search.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { searchDeposits } from '../deposits/index.ts'
import { linesOfDeposit, searchLines, searchUnread } from '../statements/index.ts'
import { foundUnder } from '../payouts/index.ts'
import { findWithdrawalById, searchWithdrawals } from '../withdrawals/index.ts'

/** No name, id or IBAN is longer. */
export const MAX_SEARCH_TEXT = 200

/** Deposits, withdrawals and bank lines of all merchants, newest first. */
export async function searchAll(
  db: Queryable,
  text: string,
  limit: number,
): Promise<{ found: Found[]; more: boolean }> {
  const wanted = readSearch(text)
  // One extra row shows whether there are more.
  const lists = await Promise.all(
    [searchDeposits, searchWithdrawals, searchLines, searchUnread].map((searchOne) => searchOne(db, wanted, limit + 1)),
  )
  lists.push(await linesOfNamed(db, lists.flat()), await foundByPeople(db, wanted.text, limit + 1))
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
