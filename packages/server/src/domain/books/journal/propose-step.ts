import type { JournalKind, Terms } from './journal-entry.ts'

/** What a person must still say. */
type Missing = 'line' | 'withdrawal' | 'iban' | 'costs' | 'settles'

/** Why this step, and not the one that a person would expect. */
export type StepReason =
  | 'refund_paid'
  | 'part_taken_back'
  | 'part_of_unexplained'
  | 'refund_is_sent'
  | 'refund_first'
  | 'no_credit_covers_it'
  | 'explain_first'
  | 'second_debit_first'
  | 'debit_first'
  | 'ask_bank'
  | 'not_shown'
  | 'split_first'
  | 'storno_cancelled'
  | 'takes_no_more'

/** A proposal that would be accepted, once `missing` is said. `afterwards`: what is proposed after it is posted. */
export type ProposeStep = {
  do: 'propose'
  kind: JournalKind
  terms: Terms
  missing: Missing[]
  /** Of a reversal. */
  reverses?: string
  because?: StepReason
  afterwards?: ProposeStep
}

export function propose(
  kind: JournalKind,
  lineIds: string[],
  terms: Omit<Terms, 'lineIds'> = {},
  missing: Missing[] = [],
): ProposeStep {
  return { do: 'propose', kind, terms: { lineIds, ...terms }, missing }
}

/** The entry is taken back. */
export const reverseStep = (entryId: string): ProposeStep => ({ ...propose('reversal', []), reverses: entryId })
