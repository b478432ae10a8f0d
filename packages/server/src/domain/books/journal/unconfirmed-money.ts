import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesOfPayout, mustBeConfirmed, selectUnconfirmed } from '../../statements/index.ts'
import { refundOf } from './refund-of.ts'
import { entriesAbout, usesOfRest } from './store.ts'

/** The lines by which we have this money: its own, and returns of earlier refunds of it. */
async function linesWithMoney(db: Queryable, line: StoredLine, restOf?: string): Promise<StoredLine[]> {
  const about = restOf === undefined ? await entriesAbout(db, line.id) : await usesOfRest(db, restOf)
  const found = [line]
  for (const { id, kind } of about) {
    if (kind !== 'refund_unexplained') continue
    const withdrawal = await refundOf(db, id)
    const its = withdrawal ? await linesOfPayout(db, withdrawal.id) : []
    found.push(...its.filter(({ direction }) => direction === 'credit'))
  }
  return found
}

/** The line among them that is not confirmed: a refund would send money that may never have come. */
export async function unconfirmedAmong(db: Queryable, line: StoredLine): Promise<StoredLine | undefined> {
  const ids = (await linesWithMoney(db, line)).map(({ id }) => id)
  return (await selectUnconfirmed(db, ids))[0]
}

export async function mustHaveCome(tx: Tx, line: StoredLine, restOf?: string): Promise<void> {
  for (const { id } of await linesWithMoney(tx, line, restOf)) await mustBeConfirmed(tx, id)
}
