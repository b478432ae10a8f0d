/** The chart of accounts. docs/ledger.md tables which of them move on which event. */
export type AccountKind =
  /** What the merchant may withdraw. */
  | 'merchant_available'
  /** What is set aside for the merchant's withdrawals that are not yet sent. */
  | 'merchant_held'
  /** What we earned from the merchant. One per merchant, so that no row is shared by all. */
  | 'fees'
  /** What has left for the merchant's recipients and is not yet seen on a statement. */
  | 'payouts_in_transit'
  /** Money at the bank, one per collecting account; below zero by what the bank holds for us. */
  | 'bank_cash'
  /** Money that arrived on a collecting account and is not yet known to be anybody's. */
  | 'suspense'

export type AccountRef = { merchantId: string; kind: AccountKind; currency: string; subject?: string }

/** Owner of the accounts that belong to no merchant. */
export const HOUSE = '0'.repeat(24)

export function merchantAccount(kind: AccountKind, merchantId: string, currency: string): AccountRef {
  return { merchantId, kind, currency }
}

export function bankAccount(kind: 'bank_cash' | 'suspense', collectingAccountId: string, currency: string): AccountRef {
  return { merchantId: HOUSE, kind, currency, subject: collectingAccountId }
}

export function keyOf({ merchantId, kind, currency, subject = '' }: AccountRef): string {
  return `${merchantId}/${kind}/${currency}/${subject}`
}
