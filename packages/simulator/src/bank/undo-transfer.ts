import type { RejectionReason, ReturnTerms, UndoKind } from './bank-event.ts'
import type { Books } from './bank.ts'
import { newBankReference } from './decide.ts'
import type { Outcome } from './ledger.ts'
import { available } from './ledger.ts'

export type Undone = Outcome | 'not_accepted' | 'costs_too_high' | RejectionReason | null

type Undoing = { reference: string; as: UndoKind; bankReference?: string; at?: string } & ReturnTerms

/** Null if there is no such transfer, a code if it cannot be undone. Repeating has no effect. */
export function undoTransfer({ ledger, record, now }: Books, undoing: Undoing): Undone {
  const { reference, as, to, costs = 0n } = undoing
  const outcome = ledger.outcomes.transfer.get(reference)
  if (!outcome || outcome.status === as) return outcome ?? null
  if (outcome.status !== 'accepted') return 'not_accepted'
  if (ledger.accounts.get(to ?? outcome.from)?.closed) return 'account_closed'
  // The receiver has spent the money, so it cannot be returned.
  if (outcome.amount > available(ledger, outcome.to)) return 'insufficient_funds'
  if (costs >= outcome.amount) return 'costs_too_high'
  record([{ kind: 'given_back', bankReference: newBankReference(ledger), at: now().toISOString(), ...undoing }])
  return ledger.outcomes.transfer.get(reference) ?? null
}
