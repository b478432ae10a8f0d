export type DepositStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'expired' | 'cancelled'

/** Late money is one more transition of the same deposit, so `expired` is not final; other statuses without a next one are. */
export const NEXT: Record<DepositStatus, readonly DepositStatus[]> = {
  pending: ['processing', 'completed', 'expired', 'cancelled'],
  processing: ['completed', 'failed'],
  expired: ['processing', 'completed'],
  completed: [],
  failed: [],
  cancelled: [],
}

/** What only a journal entry of two people may do: it takes back what was credited, or credits again what the bank took back and gave again. */
export const NEXT_BY_ENTRY: Partial<Record<DepositStatus, readonly DepositStatus[]>> = {
  completed: ['processing', 'failed'],
  failed: ['completed'],
}

export const DEPOSIT_STATUSES = Object.keys(NEXT) as DepositStatus[]

export type DepositFlag = 'late' | 'underpaid' | 'overpaid' | 'duplicate' | 'name_mismatch'

/** Why the deposit is in review or has failed. */
export type DepositReason =
  | 'short'
  | 'over'
  | 'third_party_sender'
  | 'late_review'
  | 'payment_rejected'
  | 'match_corrected'
  | 'payment_reversed'

export type Deposit = {
  id: string
  merchantId: string
  processId: string
  amount: bigint
  currency: string
  status: DepositStatus
  /** Number of visible changes, which is the number of history rows and events. */
  sequence: number
  bankId: string | null
  collectingAccountId: string | null
  customer: { id: string; name: string; username: string }
  metadata: object | null
  returnUrl: string | null
  language: 'tr' | 'en'
  receivedAmount: bigint
  /** Sum of its refunds that neither failed nor came back. */
  refundedAmount: bigint
  /** What its bank took back of a completed deposit, or after a refund, and its merchant was charged for. */
  takenBackAmount: bigint
  /** What arrived with its code after it was completed, and was not credited. */
  duplicateAmount: bigint
  fee: bigint
  flags: DepositFlag[]
  reason: DepositReason | null
  /** What the customer writes into the transfer. */
  referenceCode: string
  /** Increases with every change that a page can show, so that the newer of two responses is known. */
  version: number
  /** When the customer reported the transfer as sent. It moves no money. */
  claimedAt: Date | null
  /** When another account replaced a blocked one. */
  accountChangedAt: Date | null
  /** Accounts shown to the customer before: money may still arrive there. */
  previousAccountIds: string[]
  expiresAt: Date
  createdAt: Date
  /** Time of the last visible change. */
  updatedAt: Date
}

/** Its bank took the payment back. The bank may give it again. */
export function wasReversed({ status, reason }: Pick<Deposit, 'status' | 'reason'>): boolean {
  return status === 'failed' && reason === 'payment_reversed'
}

/** Late money is matched to its deposit for this long, and the customer's page still shows the status. */
export const LATE_PAYMENT_DAYS = 30

/** Half an hour by contract: enough for havale and FAST. Money that arrives later is late, not lost. */
export const EXPIRES_AFTER_MS = 30 * 60 * 1000

type Paying = Pick<Deposit, 'status' | 'reason' | 'amount' | 'receivedAmount' | 'expiresAt' | 'updatedAt' | 'claimedAt'>

/** A part has arrived and the rest may follow. */
export function isShort({ status, reason, amount, receivedAmount }: Omit<Paying, 'expiresAt' | 'updatedAt'>): boolean {
  return status === 'processing' && reason === 'short' && receivedAmount < amount
}

/** The customer learns of a missing rest when the part arrives, and then has as long for it as for the whole. */
export function payableUntil(deposit: Paying): Date {
  const { expiresAt, updatedAt } = deposit
  if (!isShort(deposit)) return expiresAt
  return new Date(Math.max(expiresAt.getTime(), updatedAt.getTime() + EXPIRES_AFTER_MS))
}

/** A claim that was made before a part arrived says nothing about the rest. */
export function isClaimed(deposit: Paying): boolean {
  const { claimedAt, updatedAt } = deposit
  return claimedAt !== null && (!isShort(deposit) || claimedAt > updatedAt)
}

/** Also a deposit that is still pending past its deadline, because its bank was unreachable. */
export function isLate({ status, expiresAt }: Pick<Deposit, 'status' | 'expiresAt'>, bookedAt: Date): boolean {
  return status === 'expired' || bookedAt > expiresAt
}

/** Derives underpaid and overpaid from the amounts; all other flags stay. */
export function flagsFor({ flags, amount }: Pick<Deposit, 'flags' | 'amount'>, receivedAmount: bigint): DepositFlag[] {
  const kept = flags.filter((flag) => flag !== 'underpaid' && flag !== 'overpaid')
  if (receivedAmount === amount || receivedAmount === 0n) return kept
  return [...kept, receivedAmount < amount ? 'underpaid' : 'overpaid']
}

/** A stored deposit with the bank that its request named: the customer may have chosen another one since. */
export type FirstDeposit = Deposit & { requestedBankId: string | null }
