import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import type { BankDirectory } from '../banks/index.ts'
import { recordEvents } from '../callbacks/index.ts'
import type { Deposit, DepositStatus } from './deposit.ts'
import { NEXT } from './deposit.ts'
import { depositView } from './deposit-view.ts'
import type { Changed } from './store.ts'
import { insertHistory, updateDeposits } from './store.ts'

type Needs = { clock: Clock; ids: Ids; banks: BankDirectory }
export type Facts = Partial<Pick<Deposit, 'status' | 'receivedAmount' | 'fee' | 'flags' | 'reason'>>

/** The same new status for several deposits. */
export async function changeStatus(app: Needs, tx: Tx, deposits: Deposit[], status: DepositStatus): Promise<Deposit[]> {
  const same = deposits.find((deposit) => deposit.status === status)
  if (same) throw new Error(`Deposit ${same.id} cannot go from ${status} to ${status}.`)
  return changeDeposits(
    app,
    tx,
    deposits.map((deposit) => ({ deposit, facts: { status } })),
  )
}

/**
 * The only way a deposit's status changes: the row, its history and the event for the merchant, together. A change of
 * other facts alone writes only the row. The caller has locked the rows in this transaction, each of them once.
 */
export async function changeDeposits(
  app: Needs,
  tx: Tx,
  wanted: { deposit: Deposit; facts: Facts }[],
): Promise<Deposit[]> {
  if (wanted.length === 0) return []
  const changes = wanted.map(({ deposit, facts }) => ({
    before: deposit,
    after: changed(deposit, facts, app.clock.now()),
  }))
  const moved = changes.filter(({ before, after }) => after.status !== before.status)
  const events = await Promise.all(
    moved.map(async ({ after }) => ({ ...eventOf(after), data: await depositView(app, after) })),
  )
  const [updated] = await Promise.all([
    updateDeposits(tx, changes),
    moved.length > 0 ? insertHistory(tx, moved) : undefined,
    recordEvents(app, tx, events),
  ])
  if (updated !== changes.length) throw new Error('A deposit changed its status although its row was locked.')
  return changes.map(({ after }: Changed) => after)
}

function changed(before: Deposit, facts: Facts, updatedAt: Date): Deposit {
  const { status = before.status } = facts
  const moved = status !== before.status
  if (moved && !NEXT[before.status].includes(status)) {
    throw new Error(`Deposit ${before.id} cannot go from ${before.status} to ${status}.`)
  }
  return { ...before, ...facts, sequence: before.sequence + Number(moved), version: before.version + 1, updatedAt }
}

function eventOf({ merchantId, id, sequence, status }: Deposit) {
  return { merchantId, transactionId: id, sequence, type: `deposit.${status}` }
}
