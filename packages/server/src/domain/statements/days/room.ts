import { addDays, istanbul } from '../../../kernel/istanbul.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../bank-line.ts'
import { balancesBetween } from '../day-statements/store.ts'
import { sumOfLines } from './store.ts'

/** Whether the balances of the bank include all of these lines of an account, beside every other line of their days. */
export async function balancesHaveRoom(db: Queryable, lines: StoredLine[]): Promise<boolean> {
  const byDay = Map.groupBy(lines, ({ bookedAt }) => istanbul(bookedAt).day)
  for (const [day, its] of byDay) {
    const accountId = its[0]?.collectingAccountId ?? ''
    const [given] = await balancesBetween(db, accountId, { from: day, to: day })
    if (!given || given.opening === null || given.closing === null) return false
    const counted = await sumOfLines(db, accountId, { after: addDays(day, -1), until: day })
    const setAside = its.filter(({ state }) => state === 'dismissed').reduce((sum, one) => sum + signed(one), 0n)
    if (given.opening + counted + setAside !== given.closing) return false
  }
  return true
}

const signed = ({ direction, amount }: StoredLine) => (direction === 'debit' ? -amount : amount)
