import type { MoneyFact, Said } from '../../platform/refusal.ts'
import { tells } from './catalogue.ts'

/** What a bank answered: its own text, a reason of ours, or what is wrong with the answer. */
type Answered = string | Said | null

/** What is kept about a payout: what the bank said of it, and what the service or a person did. */
export const PAYOUT_CALLS = {
  call_late: tells<{ said: Answered }>(),
  call_second_refused: tells<{ said: Answered }>(),
  call_rejected_doubted: tells<{ reason: string; doubt: Said }>(),
  call_unseen_doubted: tells<{ doubt: Said }>(),
  /** `error`: of the program or the database. */
  call_not_recorded: tells<{ said: Answered; error: string }>(),
  call_not_sent: tells<{ problem: Said }>(),
  call_in_order_file: tells<{ batch: string }>(),
  call_order_file_cancelled: tells<{ batch: string; person: string; reason: string }>(),
  call_order_file_back: tells<{ file: string }>(),
  call_order_file_stopped: tells<{ file: string; isStopped: boolean; problem: Said }>(),
  /** `said`: the status of the report, its codes and texts. `follows`: null if it is simply that. */
  call_report: tells<{ report: string; said: readonly string[]; follows: Said | null }>(),
  call_person_line: tells<{ person: string; line: string }>(),
  /** The line is the debit of several payouts. */
  call_person_shared_line: tells<{ person: string; line: string }>(),
  call_not_its_debit: tells<{ person: string }>(),
  call_not_its_return: tells<{ person: string }>(),
  /** Of a check after a restore. `marked`: when it was marked; earlier results do not count then. */
  call_restore_check: tells<{ restore: number; marked: string; said: Answered }>(),

  // Why a definite answer of the bank is not believed, or an order is not sent.
  doubt_differs: tells(),
  doubt_on_statement: tells<{ lines: readonly Said[] }>(),
  doubt_people_look: tells(),
  doubt_had_order: tells(),
  doubt_was_pending: tells(),
  unsent_account_unknown: tells(),
  unsent_recipient_ours: tells(),
  unsent_not_writable: tells<{ problem: Said }>(),

  // Lines of a statement that may be of the payout.
  statement_line_names: tells<{
    line: string
    direction: 'credit' | 'debit'
    state: string
    reason: string | null
  }>(),
  statement_unread_names: tells<{ line: string; problem: Said }>(),
  statement_line_may_be_debit: tells<{
    line: string
    amount: MoneyFact
    at: string
    fits: 'no_other_recipient' | 'recipient'
  }>(),
  /** Two people said otherwise. */
  statement_line_denied: tells<{ line: string; state: string; reason: string | null }>(),
}
