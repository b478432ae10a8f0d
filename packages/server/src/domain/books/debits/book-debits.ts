import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Log } from '../../../platform/log.ts'
import { debitClearing, debitReceipt, openAndPost } from '../../ledger/index.ts'
import { runBatch } from '../../set-aside/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { claimDebitsToBook, setBooked } from '../../statements/index.ts'

type Deps = { db: Db; clock: Clock; ids: Ids; log: Log; marks: Marks }

const BATCH_SIZE = 100

/**
 * Takes unexplained debits out of the cash of their account, and puts back those that are explained by something with a
 * booking of its own. Compares the line with its flag, so that it does not matter which process or version moved the line.
 */
export async function bookDebits(app: Deps): Promise<number> {
  const { moved } = await runBatch<StoredLine, StoredLine>(app, {
    what: 'line',
    idOf: ({ id }) => id,
    claim: (tx, only) => claimDebitsToBook(tx, BATCH_SIZE, only),
    work: (tx, lines) => book(app, tx, lines),
  })
  return moved
}

async function book(app: Deps, tx: Tx, lines: StoredLine[]): Promise<StoredLine[]> {
  const [explained, unexplained] = [lines.filter(({ isBooked }) => isBooked), lines.filter(({ isBooked }) => !isBooked)]
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
  return lines
}
