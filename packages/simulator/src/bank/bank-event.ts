import type { FaultPlan } from './fault-plan.ts'

/** The bank's persistent state: one journal line each. Everything else is computed from these. */
export type BankEvent =
  | { kind: 'customer'; iban: string; holder: string; wallet: string | null; amount: bigint }
  | { kind: 'world'; iban: string; amount: bigint }
  | ({ kind: 'moved'; bankReference: string } & Instruction)
  | ({ kind: 'held' } & Instruction)
  | ({ kind: 'rejected'; reason: RejectionReason } & Instruction)
  | { kind: 'given_back'; reference: string; bankReference: string; as: UndoKind; at: string }
  | { kind: 'closed'; iban: string; at: string }
  | { kind: 'faults'; plan: FaultPlan }

/** Currency of entries that name none. */
export const HOME_CURRENCY = 'TRY'

/** An instruction to the bank, as shown on the receiver's statement. */
export type Instruction = {
  /** A payment is a customer's, a transfer is a client's; each has its own references. */
  book: 'payment' | 'transfer'
  reference: string
  from: string
  to: string
  senderName: string
  receiverName: string
  amount: bigint
  currency: string
  narrative: string
  at: string
}

/** returned: the receiver's bank sent it back. reversed: this bank undid a transfer that it had accepted. */
export type UndoKind = 'returned' | 'reversed'

export type RejectionReason =
  | 'insufficient_funds'
  | 'invalid_iban'
  | 'account_closed'
  | 'name_mismatch'
  | 'limit_exceeded'
  | 'wrong_currency'
  | 'reversed'

/** The journal is the bank's own file: only amounts are converted. Old entries have no currency. */
export function readBankEvent(entry: object): BankEvent {
  if (!('amount' in entry)) return entry as BankEvent
  return { currency: HOME_CURRENCY, ...entry, amount: BigInt(entry.amount as number) } as BankEvent
}
