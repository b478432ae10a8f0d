import type { Actor } from '../../kernel/actor.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Connection } from '../connections/index.ts'
import { fetchLines } from '../connections/index.ts'
import type { StoredLine } from '../statements/index.ts'
import { readCursor } from '../statements/index.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { matchPayoutLines } from '../matching/index.ts'
import type { Payout, PayoutDeps, Withdrawal, Restore } from '../withdrawals/index.ts'
import {
  doubtIntents,
  listPayouts,
  queryPayoutStatus,
  findOpenRestore,
  MAX_ROWS,
  outgoingLines,
} from '../withdrawals/index.ts'
import type { Checked } from './query-pending.ts'
import type { Authority } from '../people/index.ts'
import { authorized } from '../people/index.ts'
import { queryPending, maySend } from './query-pending.ts'
import { isDebitOf, settleLost } from './lost-payouts.ts'
import type { Released } from './list-released.ts'
import { listReleased } from './list-released.ts'
import type { PaidPair } from './paid-pairs.ts'
import { listPaidPairs, listWaiting } from './paid-pairs.ts'

export type RestoreCheck = {
  restore: Restore
  /** Banks whose statement was not read to the end since the restore. */
  incomplete: string[]
  /** Waiting here, but the statement shows that they were sent: settled now. */
  settled: string[]
  /** Waiting here, but refused by the bank: ended as failed now. */
  refused: Withdrawal[]
  /** Everything that has not ended, and what a release does with it. */
  open: Released[]
  /** Waiting here, and the bank has them or gave no definite response. */
  uncertain: Checked[]
  /** Sent by hand, or over a connection that this process lacks: a person checks at the bank. */
  byHand: (Payout | Withdrawal)[]
  /** Waiting here, and probably paid under the reference of a withdrawal that was lost here. */
  pairs: PaidPair[]
  /** Other debits since the restore point that belong to no payout, including withdrawals that were lost here entirely. */
  debits: StoredLine[]
}

/** Reads statements, then queries the bank about everything that may have been sent after the restore point. Sends nothing. */
export async function checkRestored(app: PayoutDeps & Authority, actor: Actor): Promise<RestoreCheck> {
  const restore = await authorized(app, actor, 'restore.check', async (tx, audit) => {
    const open = await mustBeRestored(tx, app.connections)
    await audit(`restore:${open.number}`)
    return open
  })
  const connections = app.connections.filter(({ kind }) => kind === 'http_api')
  const filesToo = app.connections.some(({ kind }) => kind === 'file_exchange')
  const incomplete = await readStatements(app, connections)
  // Repeated at every check, for payouts that a worker stored while the restore was marked, and those without a response so far.
  await app.db.transaction((tx) => doubtIntents(tx, app.clock.now()))
  while ((await queryPayoutStatus(app)) > 0);
  const settled = await settleShown(app)
  const lines = await outgoingLines(app.db)
  const evidence = { restore, connections, filesToo, debits: lines, complete: incomplete.length === 0 }
  const queried = await queryPending(app, await listWaiting(app.db), evidence)
  const pending = queried.filter(({ withdrawal }) => withdrawal.status === 'pending')
  const refused = queried.filter(({ withdrawal, said }) => withdrawal.status === 'failed' && said === 'rejected')
  const notQueried = (await listPayouts(app.db, 'asking', MAX_ROWS)).filter(
    ({ connection }) => !connections.some(({ name }) => name === connection),
  )
  const pairs = await listPaidPairs(app.db)
  const [paid, paying] = [new Set(pairs.map((one) => one.withdrawalId)), new Set(pairs.map(({ line }) => line.id))]
  const open = await listReleased(app, pending, connections)
  return {
    restore,
    incomplete,
    settled,
    refused: refused.map(({ withdrawal }) => withdrawal),
    open: open.map((one) => (paid.has(one.withdrawalId) ? { ...one, next: 'probably paid already' } : one)),
    uncertain: pending.filter(({ said }) => !maySend(said)),
    byHand: [...notQueried, ...pending.filter(({ said }) => said === 'not_asked').map(({ withdrawal }) => withdrawal)],
    pairs,
    debits: lines.filter(({ id, bookedAt }) => bookedAt >= restore.restoredTo && !paying.has(id)),
  }
}

async function mustBeRestored(tx: Tx, connections: Connection[]): Promise<Restore> {
  const restore = await findOpenRestore(tx)
  if (!restore) throw refuse('restore_not_open')
  if (connections.length === 0) throw refuse('restore_bank_unknown')
  return restore
}

/** Returns the names of connections that were not read to the end. */
async function readStatements(app: PayoutDeps, connections: Connection[]): Promise<string[]> {
  const incomplete: string[] = []
  for (const connection of connections) {
    while ((await fetchLines(app, connection)) > 0);
    if (!(await readCursor(app.db, connection.name))?.readAt) incomplete.push(connection.name)
  }
  while ((await matchPayoutLines(app)) > 0);
  return incomplete
}

async function settleShown(app: PayoutDeps): Promise<string[]> {
  const [pending, lines] = await Promise.all([listWaiting(app.db), outgoingLines(app.db)])
  const settled: string[] = []
  for (const withdrawal of pending) {
    const [line, another] = lines.filter((one) => isDebitOf(one, withdrawal))
    if (line && !another && (await settleLost(app, withdrawal, line.id))) settled.push(withdrawal.id)
  }
  return settled
}
