import type { ModelLine } from './bank-model.ts'

/** Fee of a merchant: basis points, rounded half up, and a fixed part. */
type ModelFee = { bps: bigint; fixed: bigint }

export type ModelMerchant = {
  id: string
  name: string
  /** What it must have at the end, from the story alone. */
  balance: bigint
  depositFee: ModelFee
  withdrawFee: ModelFee
}

export type ModelDeposit = {
  id: string
  code: string
  merchant: ModelMerchant
  iban: string
  amount: bigint
  customer: Party
  status: 'completed' | 'expired' | 'failed'
  flags: Set<string>
}

export type ModelPayout = {
  id: string
  /** Null: the house gives unexplained money back. */
  merchant: ModelMerchant | null
  amount: bigint
  to: Party
  /** Our account, once the bank has the order. */
  from: string | null
  status: 'completed' | 'failed'
  isReturned: boolean
}

export type Party = { name: string; iban: string }

/** What a line was really for. Lines of one matter name each other. */
export type Truth =
  | { is: 'deposits'; parts: { deposit: ModelDeposit; amount: bigint }[]; rest: bigint }
  | { is: 'payouts'; payouts: ModelPayout[]; charge: bigint; others: ModelLine[] }
  | { is: 'returns'; payouts: ModelPayout[]; costs: bigint }
  /** The bank's fault, of which it has told staff; of a payout if it was debited again. */
  | { is: 'owed'; payout: ModelPayout | null }
  | { is: 'settles'; debit: ModelLine }
  | { is: 'charge' | 'tax' | 'interest' | 'fees_taken' | 'own_funds' }
  /** Money that we do not keep: its sender gets it back. */
  | { is: 'refund'; sender: Party }
  /** `other` is null until the bank books it. */
  | { is: 'own_transfer' | 'storno'; other: ModelLine | null }
  /** The bank counts it in place of the other line, of which the truth is then `replaced`. */
  | { is: 'correction'; of: ModelLine; meant: Truth }
  /** `isSeen`: staff look at it before they look at what takes its place. */
  | { is: 'replaced'; isSeen: boolean }

export function feeOf({ bps, fixed }: ModelFee, amount: bigint): bigint {
  const fee = (amount * bps + 5_000n) / 10_000n + fixed
  return fee < amount ? fee : amount
}
