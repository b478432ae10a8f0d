import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { istanbul } from '../../kernel/istanbul.ts'
import type { AccountRef } from './accounts.ts'

/**
 * The business events that move money, each named after its subject. docs/ledger.md lists the transfers of each; the
 * constraint `transfers_known_kind` has the same list.
 */
export const ENTRY_KINDS = [
  'withdrawal_hold',
  'withdrawal_release',
  'withdrawal_submission',
  'withdrawal_settlement',
  'withdrawal_refusal',
  'withdrawal_return',
  'deposit_settlement',
  'deposit_reversal',
  'suspense_receipt',
  'suspense_clearing',
  'suspense_reversal',
  'debit_receipt',
  'debit_clearing',
  'journal_own_transfer',
  'journal_bank_charge',
  'journal_bank_tax',
  'journal_interest',
  'journal_receivable',
  'journal_fee_withdrawal',
  'journal_refund',
  'journal_refund_failure',
  'journal_storno',
  'journal_own_funds',
  'journal_opening_balance',
  'journal_reversal',
  /** Written in SQL by two people who correct the ledger. The service never posts one. */
  'correction',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** A movement of money between two accounts of one currency. */
type Transfer = { from: AccountRef; to: AccountRef; amount: bigint }

/** Why an entry is posted, as far as the caller knows more than the defaults. */
export type Cause = {
  /** Accounting date (yyyy-mm-dd) in Istanbul; the day of the business clock if absent. */
  effectiveOn?: string
  /** Automatic work if absent. */
  actor?: Actor
}

/** One business event and all money that it moves. It gets its id when it is posted. */
export type NewEntry = Cause & {
  kind: EntryKind
  merchantId: string
  /** The deposit, the withdrawal, the bank line or the journal entry. */
  subjectId: string
  transfers: Transfer[]
}

/** Accounting date of an entry that books a bank line: the day on which the bank booked it. */
export function bookedOn({ bookedAt }: { bookedAt: Date }): string {
  return istanbul(bookedAt).day
}

/** As stored with an entry: `system`, `merchant:ID`, `merchant:ID:LOGIN` or `operator:NAME`; a sandbox may have `operator` alone. */
export function authorOf(actor: Actor | undefined): string {
  if (actor?.kind === 'operator') return `operator:${actor.name}`
  if (actor?.kind === 'merchant' || actor?.kind === 'merchant_user') return actorName(actor)
  return actor?.kind === 'unattributed' ? 'operator' : 'system'
}
