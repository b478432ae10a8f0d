// Requests and responses of the API (docs/api.md). Amounts are integers in minor units (kuruş), times are ISO 8601 in UTC.

/** A list that may grow: a newer service may send other values. */
type Open<Known extends string> = Known | (string & Record<never, never>)

export type Bank = {
  _id: string
  name: string
  code: string
  minAmount: number
  maxAmount: number
  /** Absent on the FAST entry. */
  logo?: string
}

export type Customer = { id: string; name: string; username: string }

export type DepositRequest = {
  /** Your identifier and the idempotency key: it never creates a second deposit. */
  processId: string
  amount: number
  currency?: string
  /** Without it the customer chooses a bank on the checkout page. */
  bankCode?: string
  customer: Customer
  metadata?: Record<string, unknown>
  returnUrl?: string
  language?: 'tr' | 'en'
}

export type WithdrawalRequest = {
  /** Your identifier and the idempotency key: it never creates a second withdrawal. */
  processId: string
  amount: number
  currency?: string
  bankId?: string
  accountName: string
  iban: string
  userId: string
  userName: string
  name: string
  metadata?: Record<string, unknown>
}

export type RefundRequest = {
  /** Your identifier and the idempotency key, unique among withdrawals and refunds. */
  processId: string
  /** Left out: all that is not refunded yet. */
  amount?: number
  reason?: string
  /** Only for a deposit whose bank named no sender; two people of the operator then approve it. */
  iban?: string
  accountName?: string
}

export type AssignedAccount = { bankName: string; accountName: string; iban: string }

type TransactionFields = {
  transactionId: string
  processId: string
  amount: number
  fee: number
  currency: string
  metadata?: Record<string, unknown>
  createdAt: string
  updatedAt: string
  /** Increases with every change shown here. Of two views, the one with the higher number is newer. */
  sequence: number
}

export type DepositStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'expired' | 'cancelled'
export type WithdrawalStatus = 'pending' | 'processing' | 'completed' | 'failed'

export type Deposit = TransactionFields & {
  type: 'deposit'
  status: DepositStatus
  /** The amount received. Credit the customer with this, not with `amount`. */
  receivedAmount: number
  netAmount: number
  /** Sum of its refunds that neither failed nor came back; absent if there are none. */
  refundedAmount?: number
  /** What the bank took back of it, and your balance was charged with; absent if nothing. */
  takenBackAmount?: number
  flags: Open<'late' | 'underpaid' | 'overpaid' | 'duplicate' | 'name_mismatch'>[]
  reason?: Open<
    | 'short'
    | 'over'
    | 'third_party_sender'
    | 'late_review'
    | 'payment_rejected'
    | 'match_corrected'
    | 'payment_reversed'
  >
  bankCode?: string
  assignedAccount?: AssignedAccount
  customer: Customer
  expiresAt: string
  /** Only while `pending`. */
  checkoutUrl?: string
}

export type Withdrawal = TransactionFields & {
  type: 'withdrawal'
  status: WithdrawalStatus
  iban: string
  accountName: string
  userId: string
  userName: string
  name: string
  bankId?: string
  failureReason?: Open<
    | 'cancelled_by_merchant'
    | 'rejected_by_operator'
    | 'stopped_by_operator'
    | 'account_closed'
    | 'name_mismatch'
    | 'limit_exceeded'
    | 'invalid_iban'
    | 'not_sent'
    | 'bank_refused'
  >
  failureText?: { tr: string; en: string }
  scheduledFor?: string
  bankReference?: string
  returned?: boolean
  /** The deposit that it refunds. */
  refundOf?: string
  refundReason?: string
  /** Sends your balance to your own account. */
  settlement?: boolean
}

export type Transaction = Deposit | Withdrawal

type CreatedFields = 'transactionId' | 'processId' | 'amount' | 'currency' | 'status' | 'createdAt'
/** `true` when an earlier request with the same processId and the same fields had created it. */
type Existed = { alreadyExisted: boolean }
/** `checkoutUrl` is absent when it existed already and is no longer `pending`. */
export type CreatedDeposit = Pick<Deposit, CreatedFields | 'assignedAccount' | 'checkoutUrl' | 'expiresAt'> & Existed
export type CreatedWithdrawal = Pick<Withdrawal, CreatedFields> & Existed
export type CreatedRefund = Pick<Withdrawal, CreatedFields> & { refundOf: string } & Existed

/** The words of a payment, for an e-mail or a message to the customer. */
export type Instructions = { transactionId: string; language: 'tr' | 'en'; text: string }

export type Balance = { currency: string; available: number; held: number }

export type TransactionFilter = {
  type?: 'deposit' | 'withdrawal'
  status?: DepositStatus
  processId?: string
  from?: string | Date
  to?: string | Date
}
export type EventFilter = {
  type?: EventType
  transactionId?: string
  state?: 'waiting' | 'given_up'
  /** Newer events than this cursor, the oldest first. `'0'` begins with the first event. */
  after?: string
}
/** One page: its start and its size. Default 20, at most 100. */
export type PageOf<Filter> = Filter & { cursor?: string; limit?: number }
export type TransactionPage = { transactions: Transaction[]; nextCursor: string | null }
export type EventPage = { events: VezneEvent[]; nextCursor: string | null }

export type DepositEventType = `deposit.${Exclude<DepositStatus, 'pending'> | 'updated'}`
export type WithdrawalEventType = `withdrawal.${Exclude<WithdrawalStatus, 'pending'> | 'returned' | 'updated'}`
export type EventType = Open<DepositEventType | WithdrawalEventType | 'endpoint.test'>

export type Outcome = 'accepted' | '4xx' | '5xx' | 'redirect' | 'timeout' | 'tls' | 'dns' | 'refused'

export type Delivery = {
  endpointId: string
  url: string | null
  state: 'waiting' | 'delivered' | 'given_up'
  tries: number
  nextAttemptAt?: string
  finishedAt?: string
  lastOutcome: Outcome | null
  lastStatus: number | null
}

export type VezneEvent = {
  eventId: string
  type: EventType
  transactionId: string
  sequence: number
  cursor: string
  createdAt: string
  /** The body of its callbacks, byte for byte. */
  payload: string
  deliveries: Delivery[]
}

export type DeliveryAttempt = {
  endpointId: string
  at: string
  outcome: Outcome
  status: number | null
  problem: string | null
  durationMs: { connect: number; wait: number; read: number }
  answer: string
}
export type VezneEventWithAttempts = VezneEvent & { attempts: DeliveryAttempt[] }

/** A verified callback. `eventId` is its `webhook-id`, the same at every attempt. Ignore types that you do not know. */
export type CallbackEvent = { eventId: string; timestamp: string } & (
  | { type: DepositEventType; data: Deposit }
  | { type: WithdrawalEventType; data: Withdrawal }
  | { type: 'endpoint.test'; data: { endpointId: string } }
)

/** In a sandbox only: a field of the request that is not documented and was ignored. */
export type Warning = { field: string; message: string }
