export type WithdrawalStatus = 'pending' | 'processing' | 'completed' | 'failed'

/** `failed` is reached only by a definite result: cancelled or rejected before sending, or refused by the bank. */
export const NEXT: Record<WithdrawalStatus, readonly WithdrawalStatus[]> = {
  pending: ['processing', 'failed'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
}

export const WITHDRAWAL_STATUSES = Object.keys(NEXT) as WithdrawalStatus[]

/** The life of a withdrawal. The status that merchants see follows from its state. */
export const STATUS_OF = {
  awaiting_approval: 'pending',
  /** Also one that waits until `scheduledFor`. */
  queued: 'pending',
  sending: 'processing',
  unknown: 'processing',
  sent: 'completed',
  returned: 'completed',
  failed: 'failed',
} as const satisfies Record<string, WithdrawalStatus>

export type WithdrawalState = keyof typeof STATUS_OF
export const WITHDRAWAL_STATES = Object.keys(STATUS_OF) as WithdrawalState[]

/** Stable codes; the texts are for people and may be improved. */
export const FAILURE_REASONS = {
  cancelled_by_merchant: { tr: 'Talep iptal edildi.', en: 'The request was cancelled.' },
  rejected_by_operator: { tr: 'Talep onaylanmadı.', en: 'The request was not approved.' },
  stopped_by_operator: { tr: 'Talep durduruldu.', en: 'The request was stopped.' },
  account_closed: { tr: 'Alıcı hesabı kapalı.', en: "The recipient's account is closed." },
  name_mismatch: { tr: 'Alıcı adı hesapla uyuşmuyor.', en: "The recipient's name does not match the account." },
  limit_exceeded: { tr: 'Banka limiti aşıldı.', en: "The bank's limit was exceeded." },
  invalid_iban: { tr: 'Banka bu IBAN’ı kabul etmedi.', en: 'The bank did not accept this IBAN.' },
  not_sent: { tr: 'Transfer gönderilemedi.', en: 'The transfer could not be sent.' },
  bank_refused: { tr: 'Banka transferi reddetti.', en: 'The bank refused the transfer.' },
} as const

export type FailureReason = keyof typeof FAILURE_REASONS

/** Why a state lasts: a rule, what a payout lacks, or what contradicts an outcome. */
export type StateReason =
  | 'amount'
  | 'merchant_day'
  | 'iban_day'
  | 'merchant_rules'
  | 'settlement_account'
  | 'refund_recipient'
  | 'eft_closed'
  | 'own_account'
  | 'no_account'
  | 'books_differ'
  | 'no_connection'
  | 'no_rail'
  | 'no_funds'
  | 'daily_limit'
  | 'unconfirmed'
  | 'cannot_be_booked'
  | 'named_on_statement'
  | 'similar_debit_on_statement'
  | 'report_contradicts'
  | 'differs_from_withdrawal'

export type Withdrawal = {
  id: string
  merchantId: string
  processId: string
  amount: bigint
  fee: bigint
  currency: string
  status: WithdrawalStatus
  /** Number of visible changes, which is the number of history rows and events. */
  sequence: number
  bankId: string | null
  iban: string
  accountName: string
  userId: string
  userName: string
  name: string
  metadata: object | null
  /** The deposit that it refunds. */
  refundOf: string | null
  refundReason: string | null
  /** Sends the merchant's balance to its own account. */
  settlement: boolean
  /** Two people approve it, whatever the merchant's rules say. */
  approvalRequired: boolean
  /** Who proposed to approve it, and who approved. */
  approvedBy: string[] | null
  failureReason: FailureReason | null
  state: WithdrawalState
  stateReason: StateReason | null
  firstTimeIban: boolean
  rail: string | null
  sourceAccountId: string | null
  scheduledFor: Date | null
  bankReference: string | null
  createdAt: Date
  /** Time of the last visible change. */
  updatedAt: Date
  /** Of what is paid, to whom, and who approved it. */
  mark: string | null
}

/** Reasons that hold all withdrawals, or all of a merchant. Not stored on each one, and lifted for all at once. */
export type HeldBy = 'restored' | 'ledger_drifted' | 'merchant_frozen' | null

/** Why it waits, as text for people. */
export function waitsFor({ state, stateReason }: Withdrawal, heldBy: HeldBy, payoutState?: string): string | null {
  const isHeld = state === 'queued' || payoutState === 'ready'
  return isHeld ? (heldBy ?? stateReason) : stateReason
}
