/** The pseudo-bank of the bank list: a transfer by FAST, from whichever bank the customer has. */
export const FAST = 'FAST'

/** What FAST and EFT carry. Any other currency moves only between two accounts of the same bank. */
export const INTERBANK_CURRENCY = 'TRY'

export type Bank = { id: string; code: string; name: string; officialName: string; kind: string; enabled: boolean }
export type Limits = { minAmount: bigint; maxAmount: bigint }

/** One line of a merchant's bank list. */
export type BankOption = Limits & { id: string; code: string; name: string }

/**
 * active: given to customers · paused, draining: no new customers, those who have it may still pay · blocked: nobody
 * may pay into it any more, and open deposits get another account.
 */
export type AccountState = 'active' | 'paused' | 'draining' | 'blocked'

/** An account of the operator's company on which customers' money arrives. */
export type CollectingAccount = {
  id: string
  bankId: string
  bankName: string
  title: string
  iban: string
  currency: string
  state: AccountState
  /** What it may take in a day; null is no limit of its own. */
  dailyAmountLimit: bigint | null
  dailyCountLimit: number | null
  /** What may leave it in a day; null is no limit of its own. */
  dailySendLimit: bigint | null
}

export function fits(amount: bigint, { minAmount, maxAmount }: Limits): boolean {
  return minAmount <= amount && amount <= maxAmount
}
