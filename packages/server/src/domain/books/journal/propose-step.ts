import type { JournalKind, Terms } from './journal-entry.ts'

/** What a person must still say. */
type Missing = 'line' | 'withdrawal' | 'iban' | 'costs' | 'settles'

/** A proposal that would be accepted, once `missing` is said. `afterwards`: what is proposed after it is posted. */
export type ProposeStep = {
  do: 'propose'
  kind: JournalKind
  terms: Terms
  missing: Missing[]
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
