import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { StoredLine } from '../bank-line.ts'
import { needsReview, selectLines } from '../store.ts'

/** Money in suspense, credits that need review, debits that no one has explained. */
export const OPEN_KINDS = ['suspense', 'credits', 'debits'] as const
type OpenKind = (typeof OPEN_KINDS)[number]

/** `after`: the id of the last line of the page before. Null: any. */
export type OpenFilter = {
  kind: OpenKind | null
  direction: StoredLine['direction'] | null
  accountId: string | null
  amount: bigint | null
  after: string
}

/** Lines that wait for a person, in the order in which they were read. */
export async function listOpenLines(db: Queryable, filter: OpenFilter, limit: number): Promise<StoredLine[]> {
  const kinds = OPEN_KINDS.filter(
    (kind) => (filter.kind ?? kind) === kind && (filter.direction ?? DIRECTION[kind]) === DIRECTION[kind],
  )
  const found = await Promise.all(kinds.map((kind) => selectOpen(db, kind, filter, limit)))
  return found
    .flat()
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}

const DIRECTION = { suspense: 'credit', credits: 'credit', debits: 'debit' } as const

const WHICH: Record<OpenKind, Sql> = {
  suspense: sql`l.state = 'suspense'`,
  credits: sql`${needsReview} and l.direction = 'credit'`,
  debits: sql`${needsReview} and l.direction = 'debit'`,
}

function selectOpen(db: Queryable, kind: OpenKind, { accountId, amount, after }: OpenFilter, limit: number) {
  const ofAccount = accountId === null ? sql`` : sql`and l.collecting_account_id = ${accountId}`
  const ofAmount = amount === null ? sql`` : sql`and l.amount = ${amount}`
  return selectLines(
    db,
    sql`where ${WHICH[kind]} and l.id > ${after} ${ofAccount} ${ofAmount} order by l.id limit ${limit}`,
  )
}
