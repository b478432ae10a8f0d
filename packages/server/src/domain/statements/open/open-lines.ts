import type { Queryable } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../bank-line.ts'
import type { Wanted } from './store.ts'
import { countReview, countSuspense, pageOfReview, pageOfSuspense } from './store.ts'

type Kind = {
  direction: StoredLine['direction']
  page: (db: Queryable, wanted: Wanted, limit: number) => Promise<StoredLine[]>
  count: (db: Queryable, wanted: Wanted, most: number) => Promise<number>
}

const toReview = (direction: StoredLine['direction']): Kind => ({
  direction,
  page: (db, wanted, limit) => pageOfReview(db, direction, wanted, limit),
  count: (db, wanted, most) => countReview(db, direction, wanted, most),
})

/** Money in suspense, credits that need review, debits that no one has explained. */
const KINDS = {
  suspense: { direction: 'credit', page: pageOfSuspense, count: countSuspense },
  credits: toReview('credit'),
  debits: toReview('debit'),
} satisfies Record<string, Kind>

type OpenKind = keyof typeof KINDS
export const OPEN_KINDS = Object.keys(KINDS) as OpenKind[]

/** Null: any. */
export type OpenFilter = Wanted & { kind: OpenKind | null; direction: StoredLine['direction'] | null }

function kindsOf({ kind, direction }: OpenFilter): Kind[] {
  const kinds = OPEN_KINDS.filter((one) => (kind ?? one) === one).map((one): Kind => KINDS[one])
  return kinds.filter((one) => (direction ?? one.direction) === one.direction)
}

/** How many wait for a person, whatever the page; null: more than `most`. */
export async function countOpenLines(db: Queryable, filter: OpenFilter, most: number): Promise<number | null> {
  const counts = await Promise.all(kindsOf(filter).map(({ count }) => count(db, { ...filter, after: '' }, most + 1)))
  const sum = counts.reduce((all, one) => all + one, 0)
  return sum > most ? null : sum
}

/** Lines that wait for a person, what was booked first on top. */
export async function listOpenLines(db: Queryable, filter: OpenFilter, limit: number): Promise<StoredLine[]> {
  const found = await Promise.all(kindsOf(filter).map(({ page }) => page(db, filter, limit)))
  return found
    .flat()
    .toSorted((a, b) => a.bookedAt.getTime() - b.bookedAt.getTime() || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}
