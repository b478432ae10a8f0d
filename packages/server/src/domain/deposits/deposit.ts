export type DepositStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'expired' | 'cancelled'

/** Late money is one more transition of the same deposit, so `expired` is not the end; the others without a next are. */
export const NEXT: Record<DepositStatus, readonly DepositStatus[]> = {
  pending: ['processing', 'completed', 'expired', 'cancelled'],
  processing: ['completed', 'failed'],
  expired: ['processing', 'completed'],
  completed: [],
  failed: [],
  cancelled: [],
}

export const DEPOSIT_STATUSES = Object.keys(NEXT) as DepositStatus[]

export type DepositFlag = 'late' | 'underpaid' | 'overpaid' | 'duplicate' | 'name_mismatch'

/** Why it is in review or has failed. */
type DepositReason = 'short' | 'over' | 'third_party_sender' | 'late_review' | 'payment_rejected'

export type Deposit = {
  id: string
  merchantId: string
  processId: string
  amount: bigint
  currency: string
  status: DepositStatus
  /** How often it visibly changed: the number of history rows and of events. */
  sequence: number
  bankId: string | null
  collectingAccountId: string | null
  customer: { id: string; name: string; username: string }
  metadata: object | null
  returnUrl: string | null
  language: 'tr' | 'en'
  receivedAmount: bigint
  fee: bigint
  flags: DepositFlag[]
  reason: DepositReason | null
  /** What the customer writes into the transfer; null on deposits from before there was one. */
  referenceCode: string | null
  /** Grows with every change a page can show, so that of two answers the newer one is known. */
  version: number
  /** When the customer said that the transfer was sent. It moves no money. */
  claimedAt: Date | null
  /** When another account took the place of a blocked one. */
  accountChangedAt: Date | null
  /** Accounts shown to the customer before: money may still arrive there. */
  previousAccountIds: string[]
  expiresAt: Date
  createdAt: Date
  /** When it last changed visibly. */
  updatedAt: Date
}

/** Late money finds its deposit for this long, and the customer's page goes on telling the status. */
export const STATUS_PAGE_DAYS = 30

/** The contract's half hour: enough for havale and FAST. Money that comes later is late, not lost. */
export const EXPIRES_AFTER_MS = 30 * 60 * 1000

/** Under- and overpaid follow from the amounts; every other flag stays. */
export function flagsFor({ flags, amount }: Pick<Deposit, 'flags' | 'amount'>, receivedAmount: bigint): DepositFlag[] {
  const kept = flags.filter((flag) => flag !== 'underpaid' && flag !== 'overpaid')
  if (receivedAmount === amount || receivedAmount === 0n) return kept
  return [...kept, receivedAmount < amount ? 'underpaid' : 'overpaid']
}
