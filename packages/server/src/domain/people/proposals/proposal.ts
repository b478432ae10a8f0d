import type { Said } from '../../../platform/refusal.ts'

/** Proposed, then exactly one of the others. A proposal that is too old has expired, whether or not its row says so yet. */
export type ProposalState = 'open' | 'applied' | 'rejected' | 'withdrawn' | 'expired'

type Value = string | number | boolean | readonly (string | Said)[] | null

/** Of a value that is no list. */
export const plainValue = (value: Value): string => (value === null || typeof value === 'object' ? '' : String(value))

/** `money` is kuruş as text, `bps` hundredths of a percent, `time` ISO 8601. A `fact` does not change: it has nothing before, or the same; `findings` are notices about a file. `personal` is a fact that only who may decide sees. */
type ShownAs = 'text' | 'money' | 'bps' | 'time' | 'list' | 'fact' | 'findings' | 'personal'

/** One value before and after. `as` says how to show it. */
export type Difference = { field: string; as: ShownAs; before: Value; after: Value }

/** What one person proposes and another approves. */
export type Proposal = {
  id: string
  kind: string
  target: string
  /** Whose users may decide about it, too. */
  merchantId: string | null
  /** Canonical JSON of the terms. */
  payload: string
  payloadSha256: string
  /** Before and after, when it was proposed. */
  rows: Difference[]
  /** Hash of kind, target, payload and rows: what a person approves. */
  seenSha256: string
  reason: string | null
  proposedBy: string
  proposedAt: Date
  state: ProposalState
  decidedBy: string | null
  decidedAt: Date | null
  note: string | null
}
