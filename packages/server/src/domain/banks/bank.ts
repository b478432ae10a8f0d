/** The pseudo-bank of the bank list: a FAST transfer from any bank. */
export const FAST = 'FAST'

/** The currency of FAST and EFT. Any other currency moves only between two accounts of the same bank. */
export const INTERBANK_CURRENCY = 'TRY'

export type Bank = { id: string; code: string; name: string; officialName: string; kind: string; enabled: boolean }
export type Limits = { minAmount: bigint; maxAmount: bigint }

/** One line of a merchant's bank list. */
export type BankOption = Limits & { id: string; code: string; name: string }

/**
 * active: assigned to customers · paused, draining: not assigned to new customers, existing ones may still pay ·
 * blocked: no payments, and open deposits get another account.
 */
export type AccountState = 'active' | 'paused' | 'draining' | 'blocked'

/** An account of the operator's company that receives customers' money. */
export type CollectingAccount = {
  id: string
  bankId: string
  bankName: string
  title: string
  iban: string
  currency: string
  state: AccountState
  /** Its source of record, which gives its lines and sends its payouts; null until a worker has filled it. */
  connection: string | null
  /** Until a person has connected it, nothing is booked for it and no customer gets it. */
  awaitsConnection: boolean
  /** Maximum received per day; null: no limit of its own. */
  dailyAmountLimit: bigint | null
  dailyCountLimit: number | null
  /** Maximum sent per day; null: no limit of its own. */
  dailySendLimit: bigint | null
  /** Of the institution that may produce TR Karekod for it; null: none is shown. */
  karekodProducer: string | null
  /** Why no payout leaves from it. `not_recorded`: the service has not written its row, so that it is blocked. */
  stoppedBy: 'books_differ' | 'not_recorded' | null
}

/** Whether the service has written what its row says. */
export function isRecorded({ stoppedBy }: Pick<CollectingAccount, 'stoppedBy'>): boolean {
  return stoppedBy !== 'not_recorded'
}

/** Whether new customers get the account. */
export function isOffered({ state, awaitsConnection }: CollectingAccount): boolean {
  return state === 'active' && !awaitsConnection
}

export function fits(amount: bigint, { minAmount, maxAmount }: Limits): boolean {
  return minAmount <= amount && amount <= maxAmount
}

/** Payouts have only the name of their connection; the constraint `connections_manual_by_name` makes it enough. */
export function isManual(name: string): boolean {
  return name === 'manual' || name.startsWith('manual-')
}
