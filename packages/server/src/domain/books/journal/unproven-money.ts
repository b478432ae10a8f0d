import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../../statements/index.ts'
import { isUnproven, linesOfPayout, mustBeProven } from '../../statements/index.ts'
import { refundOf } from './refund-of.ts'
import { entriesAbout, usesOfRest } from './store.ts'

/** The lines by which we have this money: its own, and returns of earlier refunds of it. */
async function linesWithMoney(db: Queryable, line: StoredLine, restOf?: string): Promise<StoredLine[]> {
  const about = restOf === undefined ? await entriesAbout(db, line.id) : await usesOfRest(db, restOf)
  const found = [line]
  for (const { id, kind, state } of about) {
    if (kind !== 'refund_unexplained' || state !== 'posted') continue
    const withdrawal = await refundOf(db, id)
    const its = withdrawal ? await linesOfPayout(db, withdrawal.id) : []
    found.push(...its.filter(({ direction }) => direction === 'credit'))
  }
  return found
}

/** The line among them that people entered and the bank has not shown: a refund would send money that may never have come. */
export async function unprovenAmong(db: Queryable, line: StoredLine): Promise<StoredLine | undefined> {
  for (const one of await linesWithMoney(db, line)) if (await isUnproven(db, one.id)) return one
  return undefined
}

export async function mustHaveCome(tx: Tx, line: StoredLine, restOf?: string): Promise<void> {
  for (const { id } of await linesWithMoney(tx, line, restOf)) await mustBeProven(tx, id)
}
