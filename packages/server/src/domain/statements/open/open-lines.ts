import type { Queryable } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../bank-line.ts'
import type { Wanted } from './store.ts'
import { pageOfReview, pageOfSuspense } from './store.ts'

type Page = (db: Queryable, wanted: Wanted, limit: number) => Promise<StoredLine[]>

/** Money in suspense, credits that need review, debits that no one has explained. */
const KINDS = {
  suspense: { direction: 'credit', page: pageOfSuspense },
  credits: { direction: 'credit', page: (db, wanted, limit) => pageOfReview(db, 'credit', wanted, limit) },
  debits: { direction: 'debit', page: (db, wanted, limit) => pageOfReview(db, 'debit', wanted, limit) },
} satisfies Record<string, { direction: StoredLine['direction']; page: Page }>

type OpenKind = keyof typeof KINDS
export const OPEN_KINDS = Object.keys(KINDS) as OpenKind[]

/** Null: any. */
export type OpenFilter = Wanted & { kind: OpenKind | null; direction: StoredLine['direction'] | null }

/** Lines that wait for a person, what was booked first on top. */
export async function listOpenLines(db: Queryable, filter: OpenFilter, limit: number): Promise<StoredLine[]> {
  const { kind, direction } = filter
  const pages = OPEN_KINDS.filter((one) => (kind ?? one) === one).map((one) => KINDS[one])
  const wanted = pages.filter((one) => (direction ?? one.direction) === one.direction)
  const found = await Promise.all(wanted.map(({ page }) => page(db, filter, limit)))
  return found
    .flat()
    .toSorted((a, b) => a.bookedAt.getTime() - b.bookedAt.getTime() || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}
