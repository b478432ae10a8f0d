/** The chart of accounts. docs/ledger.md lists which accounts each event changes. */
export type AccountKind =
  /** Available to withdraw. */
  | 'merchant_available'
  /** Reserved for withdrawals of the merchant that are not sent yet. */
  | 'merchant_held'
  /** Our earnings from the merchant. One account per merchant avoids a row that all share. */
  | 'fees'
  /** Sent to recipients and not yet seen on a statement. */
  | 'payouts_in_transit'
  /** Money at the bank, one per collecting account; negative by the amount that the bank holds for us. */
  | 'bank_cash'
  /** Received on a collecting account and not yet attributed. */
  | 'suspense'
  /** Left a collecting account for a reason that is not known yet; zero or negative. */
  | 'unexplained_debits'
  /** Paid to the bank by the operator; zero or negative. */
  | 'bank_charges'
  | 'bank_taxes'
  /** Received from the bank, or paid to it if negative. */
  | 'interest'
  /** Left by a fault of the bank and owed to us; zero or negative. */
  | 'receivables'
  /** The operator's own money, such as what was on the account before Vezne. */
  | 'operator_funds'

/** Kinds with one account per collecting account. */
type BankAccountKind = Exclude<AccountKind, 'merchant_available' | 'merchant_held' | 'fees' | 'payouts_in_transit'>

export type AccountRef = { merchantId: string; kind: AccountKind; currency: string; subject?: string }

/** Owner of accounts that belong to no merchant, and id of the house merchant, whose withdrawals refund unexplained money. */
export const NO_MERCHANT = '0'.repeat(24)

export function merchantAccount(kind: AccountKind, merchantId: string, currency: string): AccountRef {
  return { merchantId, kind, currency }
}

export function bankAccount(kind: BankAccountKind, collectingAccountId: string, currency: string): AccountRef {
  return { merchantId: NO_MERCHANT, kind, currency, subject: collectingAccountId }
}

export function keyOf({ merchantId, kind, currency, subject = '' }: AccountRef): string {
  return `${merchantId}/${kind}/${currency}/${subject}`
}
