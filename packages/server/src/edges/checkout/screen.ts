import type { Deposit } from '../../domain/deposits/index.ts'
import { isClaimed, isShort, payableUntil } from '../../domain/deposits/index.ts'

export type Screen =
  | 'choose-bank'
  | 'no-account'
  | 'account-changed'
  | 'pay'
  | 'claimed'
  | 'short'
  | 'short-claimed'
  | 'short-ended'
  | 'over'
  | 'review'
  | 'completed'
  | 'awaiting-bank'
  | 'expired'
  | 'cancelled'
  | 'failed'

type Facts = Pick<
  Deposit,
  | 'status'
  | 'bankId'
  | 'collectingAccountId'
  | 'previousAccountIds'
  | 'claimedAt'
  | 'accountChangedAt'
  | 'expiresAt'
  | 'updatedAt'
  | 'amount'
  | 'receivedAmount'
  | 'reason'
>

/** What the customer should see. Only the operator may know why money is held: any other reason is shown as `review`. */
export function screenOf(deposit: Facts, now: Date): Screen {
  if (deposit.status === 'pending') return pendingScreen(deposit, now)
  if (deposit.status !== 'processing') return deposit.status
  if (isShort(deposit)) return shortScreen(deposit, now)
  return deposit.reason === 'over' ? 'over' : 'review'
}

function pendingScreen(deposit: Facts, now: Date): Screen {
  // The worker expires it a little later, once the statement is read; until then the customer must not be asked to send money.
  if (deposit.expiresAt <= now) return overdueScreen(deposit)
  if (deposit.collectingAccountId === null) return deposit.bankId === null ? 'choose-bank' : 'no-account'
  if (deposit.accountChangedAt !== null) return 'account-changed'
  return deposit.claimedAt === null ? 'pay' : 'claimed'
}

function shortScreen(deposit: Facts, now: Date): Screen {
  if (isClaimed(deposit)) return 'short-claimed'
  return payableUntil(deposit) <= now ? 'short-ended' : 'short'
}

/** Whoever has reported the transfer goes on waiting: the deadline was for sending. */
function overdueScreen(deposit: Facts): Screen {
  if (!sawAccount(deposit)) return 'expired'
  return deposit.claimedAt === null ? 'awaiting-bank' : 'claimed'
}

/** Only a customer who was shown an account can have sent money. */
export function sawAccount(deposit: Pick<Facts, 'collectingAccountId' | 'previousAccountIds'>): boolean {
  return deposit.collectingAccountId !== null || deposit.previousAccountIds.length > 0
}

/** No further change that a page could wait for follows these screens. After `completed`, a second payment or a refund may. */
export function isFinal(screen: Screen): boolean {
  return screen === 'cancelled' || screen === 'failed'
}
