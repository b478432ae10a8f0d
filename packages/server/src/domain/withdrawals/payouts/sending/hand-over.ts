import { actorName, SENDING_GATE } from '../../../../kernel/actor.ts'
import type { SeenNumbers } from '../../../../platform/files/seen-numbers.ts'
import type { Log } from '../../../../platform/log.ts'
import type { Db, Tx } from '../../../../platform/postgres/db.ts'
import type { Audit, Authority } from '../../../people/index.ts'
import { authorize } from '../../../people/index.ts'
import { clearReadTimes } from '../../../statements/index.ts'
import { findOpenRestore, upsertRestore } from '../../restores/store.ts'
import { doubtIntents } from '../store.ts'
import type { Handover } from './store.ts'
import { adoptTimeline, countHandover, isAfterStart, selectSending } from './store.ts'

export type SendingDeps = Authority & { db: Db; log: Log; seen: SeenNumbers }

class OlderDatabase extends Error {}

/**
 * Every transaction that claims payouts for a bank, and so hands them over: it commits only if the database is no older than what this
 * process has seen. Otherwise nothing is claimed, and the database is marked as restored.
 */
export async function handOver<Row>(app: SendingDeps, claim: (tx: Tx) => Promise<Row[]>): Promise<Row[]> {
  let counted: Handover | undefined
  try {
    const rows = await app.db.transaction(async (tx) => {
      const claimed = await claim(tx)
      if (claimed.length === 0) return claimed
      // Last, because all claims wait for its row.
      counted = await countHandover(tx, app.seen.all(), app.clock.now())
      if (!counted) throw new OlderDatabase()
      return claimed
    })
    // Before the bank is called.
    if (counted) app.seen.raise(counted.id, counted.number)
    return rows
  } catch (error) {
    if (!(error instanceof OlderDatabase)) throw error
    await isNewest(app)
    return []
  }
}

/** Whether the database has everything that this process has seen. If not, it is marked as restored. Also notices what other processes have sent. */
export async function isNewest(app: SendingDeps): Promise<boolean> {
  const { isNewest: newest, stale, id, number } = await selectSending(app.db, app.seen.all())
  if (!newest) return markOlder(app).then(() => false)
  app.seen.raise(id, number)
  if (stale) await app.db.transaction((tx) => adoptIfNewest(app, tx))
  return true
}

/** A promotion without loss, or other synchronous standbys. */
async function adoptIfNewest({ seen }: SendingDeps, tx: Tx): Promise<void> {
  const { isNewest: newest } = await selectSending(tx, seen.all())
  if (newest) await adoptTimeline(tx, seen.all())
}

async function markOlder(app: SendingDeps): Promise<void> {
  await app.db.transaction(async (tx) => {
    const { isNewest: newest, at, ...found } = await selectSending(tx, app.seen.all())
    // Another process was faster.
    if (newest) return
    const { id, number, timeline, current } = found
    const seen = app.seen.all()[id] ?? 0
    app.log.error({ number, seen, timeline, current }, OLDER)
    // Everything up to the last handover that it knows is here.
    await markOnce(app, tx, at)
  })
}

const OLDER = 'the database is older than what was sent; nothing is sent until: vezne restore-check'

/** A bank shows a debit under a reference that only we give, of a withdrawal that is not here. One that a marked restore has lost is known. */
export async function markIfLost(app: SendingDeps, tx: Tx, reference: string, createdAt: Date): Promise<void> {
  if (createdAt > app.clock.now() || !(await isAfterStart(tx, createdAt))) return
  const marked = await markOnce(app, tx, createdAt)
  // Once: while a restore is open, restore-check lists all of them.
  if (marked) app.log.error({ reference, createdAt }, `a bank has paid a withdrawal that is not here: ${OLDER}`)
}

/** An open restore stays as it is: it began earlier, and nothing was sent since. Returns whether there was none. */
async function markOnce(app: SendingDeps, tx: Tx, to: Date): Promise<boolean> {
  if (await findOpenRestore(tx)) return adoptTimeline(tx, app.seen.all()).then(() => false)
  const audit = await authorize(app, tx, SENDING_GATE, 'restore.mark', { task: 'restore' })
  await stopSending(app, tx, { to, markedBy: actorName(SENDING_GATE), audit })
  return true
}

/**
 * Nothing is sent until a person has checked. The outcome of waiting payouts is unknown, so that the bank is queried before any of them is
 * sent.
 */
export async function stopSending(
  app: SendingDeps,
  tx: Tx,
  { to, markedBy, audit }: { to: Date; markedBy: string; audit: Audit },
): Promise<void> {
  const now = app.clock.now()
  const restoredTo = to < now ? to : now
  await upsertRestore(tx, { restoredTo, markedBy, markedAt: now })
  await doubtIntents(tx, now)
  // Statements count as unread until they are read again, so that no deposit expires before.
  await clearReadTimes(tx)
  await audit('deployment:database', { after: { restoredTo } })
  // Last: claims lock payouts first, then this row.
  await adoptTimeline(tx, app.seen.all())
}
