import type { Clock } from '../../../platform/time/clock.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { debitClearing, debitReceipt, openAndPost } from '../../ledger/index.ts'
import { claimDebitsToBook, setBooked } from '../../statements/index.ts'

const BATCH_SIZE = 100

/**
 * Takes unexplained debits out of the cash of their account, and puts back those that are explained by something with a
 * booking of its own. Compares the line with its flag, so that it does not matter which process or version moved the line.
 */
export async function bookDebits(app: { db: Db; clock: Clock; ids: Ids }): Promise<number> {
  return app.db.transaction(async (tx) => {
    const lines = await claimDebitsToBook(tx, BATCH_SIZE)
    if (lines.length === 0) return 0
    const [explained, unexplained] = [
      lines.filter(({ isBooked }) => isBooked),
      lines.filter(({ isBooked }) => !isBooked),
    ]
    await openAndPost(app, tx, [...unexplained.map(debitReceipt), ...explained.map(debitClearing)])
    for (const [group, isBooked] of [
      [unexplained, true],
      [explained, false],
    ] as const)
      await setBooked(
        tx,
        group.map(({ id }) => id),
        isBooked,
      )
    return lines.length
  })
}
