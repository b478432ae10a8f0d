import type { FaultPlan } from './fault-plan.ts'

/** What the bank remembers: one line of its journal each. Everything else is computed from these. */
export type BankEvent =
  | { kind: 'customer'; iban: string; holder: string; wallet: string | null; amount: bigint }
  | { kind: 'world'; iban: string; amount: bigint }
  | ({ kind: 'moved'; bankReference: string } & Instruction)
  | ({ kind: 'held' } & Instruction)
  | ({ kind: 'rejected'; reason: RejectionReason } & Instruction)
  | { kind: 'given_back'; reference: string; bankReference: string; as: GivenBack; at: string }
  | { kind: 'closed'; iban: string; at: string }
  | { kind: 'faults'; plan: FaultPlan }

/** Of what is not said to be in another currency. */
export const HOME_CURRENCY = 'TRY'

/** What somebody told the bank to do, as the receiver's statement will show it. */
export type Instruction = {
  /** A payment is a customer's, a transfer is a client's: two books of references. */
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

/** Returned: the receiver's bank sent it back. Reversed: this bank took back what it had accepted. */
export type GivenBack = 'returned' | 'reversed'

export type RejectionReason =
  | 'insufficient_funds'
  | 'invalid_iban'
  | 'account_closed'
  | 'name_mismatch'
  | 'limit_exceeded'
  | 'wrong_currency'
  | 'reversed'

/** The journal is the bank's own file: only the amounts need turning back into money. Old entries have no currency. */
export function readBankEvent(entry: object): BankEvent {
  if (!('amount' in entry)) return entry as BankEvent
  return { currency: HOME_CURRENCY, ...entry, amount: BigInt(entry.amount as number) } as BankEvent
}
