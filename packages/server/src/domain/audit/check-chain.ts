import type { Log } from '../../platform/log.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { selectState, updateVerified } from './store.ts'
import { verifyChain } from './verify-chain.ts'

const EVERY_MS = 60 * 60_000

type Deps = { db: Db; log: Log; realClock: Clock; marks: Marks }

/** Verifies the whole chain once an hour, by whichever process comes first, and records what it found. */
export async function checkChain({ db, log, realClock, marks }: Deps): Promise<void> {
  const { verifiedAt } = await selectState(db)
  if (verifiedAt && realClock.now().getTime() - verifiedAt.getTime() < EVERY_MS) return
  const { last, problem } = await verifyChain({ db: db.pages, marks })
  await db.oneStatement((tx) => updateVerified(tx, last.number, problem, realClock.now()))
  if (problem !== null) log.error({ problem }, 'the chain of the audit is broken')
}
