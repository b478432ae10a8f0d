import type { JournalKind } from '../../../../domain/books/index.ts'
import type { DepositFlag, DepositReason, DepositStatus } from '../../../../domain/deposits/index.ts'
import type { OwnAct } from '../../../../domain/identity/index.ts'
import type { AccountKind, EntryKind } from '../../../../domain/ledger/index.ts'
import type {
  DoubtDecision,
  PayoutState,
  CallOutcome,
  FailureReason,
  PayoutCall,
  WithdrawalState,
  StateReason,
  WithdrawalStatus,
} from '../../../../domain/withdrawals/index.ts'
import type { Action, MerchantRole, Role } from '../../../../domain/people/index.ts'
import type { LineReason, LineState, LineVerdict } from '../../../../domain/statements/index.ts'
import type { SystemTask } from '../../../../kernel/actor.ts'
import type { FoundBy } from '../../../../kernel/search.ts'

/** `entered_by_hand`: a line of the bank that shows an entered one. */
type Status = DepositStatus | WithdrawalStatus | LineState | 'entered_by_hand'

/** Words for every code that a page can meet. A code that is added to its list does not compile without words here. */
export type Codes = {
  statuses: Record<Status, string>
  flags: Record<DepositFlag, string>
  depositReasons: Record<DepositReason, string>
  /** Of a withdrawal, and of what a worker does with its payout. */
  withdrawalStates: Record<WithdrawalState | PayoutState, string>
  stateReasons: Record<StateReason, string>
  failures: Record<FailureReason, string>
  lineReasons: Record<LineReason, string>
  verdicts: Record<LineVerdict, string>
  rails: Record<'havale' | 'fast' | 'eft', string>
  callKinds: Record<PayoutCall['kind'], string>
  callOutcomes: Record<CallOutcome | DoubtDecision['verdict'], string>
  accounts: Record<AccountKind, string>
  entries: Record<EntryKind, string>
  journal: Record<JournalKind, string>
  foundBy: Record<FoundBy, string>
  roles: Record<Role | MerchantRole, string>
  tasks: Record<SystemTask, string>
  actions: Record<Action | OwnAct, string>
}

/** A process of a newer version may have written a code that this one does not know: it is shown as it is. */
export function worded(words: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(words, code) ? (words[code] ?? code) : code
}

/** A person's name, or the work that decided without one. */
export function deciderName({ tasks }: Codes, name: string): string {
  return worded(tasks, name)
}

/** Why a line is in its state: a reason, or the kind of the journal entry that explains it. */
export function lineReason({ lineReasons, journal }: Codes, code: string): string {
  const kind = code.replace(/^journal_/, '')
  return Object.hasOwn(lineReasons, code) ? worded(lineReasons, code) : worded(journal, kind)
}

/** Why a status changed: of a deposit or of a withdrawal. */
export function reasonWord(
  { depositReasons, failures, stateReasons, withdrawalStates }: Codes,
  reason: string,
): string {
  return worded({ ...withdrawalStates, ...stateReasons, ...failures, ...depositReasons }, reason)
}

/** The flag that a reason says with other words. */
const SAYS: Record<string, string> = { short: 'underpaid', over: 'overpaid', late_review: 'late' }

/** Flags and reasons of a deposit; state and reasons of a withdrawal. */
export function noteWords(codes: Codes, kind: 'deposit' | 'withdrawal', notes: readonly string[]): string {
  const { flags, depositReasons, withdrawalStates, stateReasons, failures } = codes
  const words =
    kind === 'deposit' ? { ...depositReasons, ...flags } : { ...failures, ...stateReasons, ...withdrawalStates }
  const told = notes.filter((note) => !notes.some((reason) => SAYS[reason] === note))
  return told.map((note) => worded(words, note)).join(', ')
}
