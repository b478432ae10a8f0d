import type { Queryable } from '../../platform/postgres/db.ts'
import type { Deposit, StatusChange } from '../deposits/index.ts'
import { findDeposit, historyOf } from '../deposits/index.ts'
import { findEvent, listEvents } from '../webhooks/index.ts'
import type { Withdrawal } from '../withdrawals/index.ts'
import { everyRefundOf, FAILURE_REASONS, findWithdrawal } from '../withdrawals/index.ts'

type EventWithAttempts = NonNullable<Awaited<ReturnType<typeof findEvent>>>

/** What a merchant may know of what happened: nothing of accounts, bank lines, ledger and people of the operator. */
export type MerchantMoment =
  | { at: Date; kind: 'created' | 'claimed' }
  | ({ at: Date; kind: 'status' } & Omit<StatusChange, 'at'>)
  | { at: Date; kind: 'refund'; refund: Withdrawal }
  | { at: Date; kind: 'callback'; event: EventWithAttempts }

export type MerchantTimeline = { moments: MerchantMoment[] } & (
  | { kind: 'deposit'; deposit: Deposit }
  | { kind: 'withdrawal'; withdrawal: Withdrawal }
)

/** More than any transaction has. */
const MAX_EVENTS = 20

/** One transaction of this merchant, oldest first; null if it is of another one, or of none. */
export async function merchantTimeline(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<MerchantTimeline | null> {
  const deposit = await findDeposit(db, merchantId, id)
  const withdrawal = deposit ? undefined : await findWithdrawal(db, merchantId, id)
  const callbacks = deposit || withdrawal ? await callbackMoments(db, merchantId, id) : []
  if (deposit) {
    const { createdAt, claimedAt } = deposit
    const claimed = claimedAt ? [{ at: claimedAt, kind: 'claimed' as const }] : []
    const moments = [...claimed, ...(await depositChanges(db, deposit)), ...callbacks]
    return { kind: 'deposit', deposit, moments: inOrder(createdAt, moments) }
  }
  if (!withdrawal) return null
  const history = await historyOf(db, withdrawal)
  const changes = history
    .filter(({ from, to, reason }) => from !== to || reason === 'returned')
    .map(({ reason, ...change }) => ({ kind: 'status' as const, ...change, reason: publicReason(reason) }))
  return { kind: 'withdrawal', withdrawal, moments: inOrder(withdrawal.createdAt, [...changes, ...callbacks]) }
}

/** Changes of its status, and its refunds: the history has a row for each change of an amount, too. */
export async function depositChanges(db: Queryable, deposit: Deposit) {
  const history = await historyOf(db, deposit)
  const refunds = await everyRefundOf(db, deposit.merchantId, deposit.id)
  return [
    ...history.filter(({ from, to }) => from !== to).map((change) => ({ kind: 'status' as const, ...change })),
    ...refunds.map((refund) => ({ at: refund.createdAt, kind: 'refund' as const, refund })),
  ]
}

/** The history has internal states, too. */
function publicReason(reason: string | null): string | null {
  return reason !== null && Object.hasOwn(FAILURE_REASONS, reason) ? reason : null
}

/** Of what has the same time, the change comes before its callback. */
function inOrder(createdAt: Date, moments: MerchantMoment[]): MerchantMoment[] {
  const sorted = moments.toSorted((a, b) => a.at.getTime() - b.at.getTime())
  return [{ at: createdAt, kind: 'created' }, ...sorted]
}

async function callbackMoments(db: Queryable, merchantId: string, transactionId: string): Promise<MerchantMoment[]> {
  const events = await listEvents(db, merchantId, { transactionId, limit: MAX_EVENTS })
  const whole = await Promise.all(events.toReversed().map(({ id }) => findEvent(db, merchantId, id)))
  // One may have been pruned since.
  return whole.flatMap((event) => (event ? [{ at: event.createdAt, kind: 'callback' as const, event }] : []))
}
