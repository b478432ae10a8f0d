import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { money } from '../../kernel/refusals/facts.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { recordEvents } from '../webhooks/index.ts'
import type { Deposit, DepositStatus } from './deposit.ts'
import { NEXT, NEXT_BY_ENTRY } from './deposit.ts'
import type { Changed } from './store.ts'
import { insertHistory } from './history/store.ts'
import { updateDeposits } from './store.ts'

/** The merchant's view of a deposit; passed in by the edge. */
export type DepositViews = { deposit: (deposit: Deposit) => Promise<object> }
type Deps = { clock: Clock; ids: Ids; views: DepositViews }
export type Changes = Partial<
  Pick<
    Deposit,
    | 'status'
    | 'receivedAmount'
    | 'refundedAmount'
    | 'takenBackAmount'
    | 'duplicateAmount'
    | 'fee'
    | 'flags'
    | 'reason'
    | 'bankId'
    | 'collectingAccountId'
    | 'previousAccountIds'
    | 'claimedAt'
    | 'accountChangedAt'
  >
>

export async function changeStatus(app: Deps, tx: Tx, deposits: Deposit[], status: DepositStatus): Promise<Deposit[]> {
  const same = deposits.find((deposit) => deposit.status === status)
  if (same) throw new Error(`Deposit ${same.id} cannot go from ${status} to ${status}.`)
  return changeDeposits(
    app,
    tx,
    deposits.map((deposit) => ({ deposit, changes: { status } })),
  )
}

/**
 * The only way to change a deposit. Changes visible to the merchant add a sequence, a history row and an event; changes
 * visible only on the checkout page update the row alone. The caller has locked the rows in this transaction, each once.
 * `byEntry`: a journal entry may take a completed deposit back.
 */
export async function changeDeposits(
  app: Deps,
  tx: Tx,
  wanted: { deposit: Deposit; changes: Changes }[],
  { byEntry = false } = {},
): Promise<Deposit[]> {
  if (wanted.length === 0) return []
  const now = app.clock.now()
  const changed = await Promise.all(wanted.map(({ deposit, changes }) => change(app, deposit, changes, now, byEntry)))
  const visible = changed.filter(({ before, after }) => after.sequence > before.sequence)
  const events = await Promise.all(
    visible.map(async ({ before, after }) => ({ ...eventOf(before, after), data: await app.views.deposit(after) })),
  )
  const [updated] = await Promise.all([
    updateDeposits(tx, changed),
    visible.length > 0 ? insertHistory(tx, visible) : undefined,
    recordEvents(app, tx, events),
  ])
  if (updated !== changed.length) throw new Error('A deposit changed its status although its row was locked.')
  return changed.map(({ after }) => after)
}

async function change(app: Deps, before: Deposit, changes: Changes, now: Date, byEntry: boolean): Promise<Changed> {
  const { status = before.status } = changes
  const moved = status !== before.status
  const next = [...NEXT[before.status], ...((byEntry && NEXT_BY_ENTRY[before.status]) || [])]
  if (moved && !next.includes(status)) {
    throw new Error(`Deposit ${before.id} cannot go from ${before.status} to ${status}.`)
  }
  const after = { ...before, ...changes, version: before.version + 1 }
  mustCoverRefunds(after)
  if (!moved && !(await looksDifferent(app, before, after))) return { before, after }
  return { before, after: { ...after, sequence: before.sequence + 1, updatedAt: now } }
}

/**
 * Money that was refunded has left: whoever takes a payment off a deposit leaves at least as much. Every change is
 * checked; the constraint `deposits_refunded_within_received` checks it again.
 */
export function mustCoverRefunds({ id, currency, receivedAmount, refundedAmount }: Deposit): void {
  if (refundedAmount <= receivedAmount) return
  const [refunded, received] = [money(refundedAmount, currency), money(receivedAmount, currency)]
  throw refuse('deposit_below_refunds', { deposit: id, refunded, received })
}

/** Compares the merchant's views, so that a new field in the view needs no second list. */
async function looksDifferent({ views }: Deps, before: Deposit, after: Deposit): Promise<boolean> {
  return !isDeepStrictEqual(await views.deposit(before), await views.deposit(after))
}

function eventOf(before: Deposit, { merchantId, id, sequence, status }: Deposit) {
  const type = `deposit.${status === before.status ? 'updated' : status}`
  return { merchantId, transactionId: id, sequence, type }
}
