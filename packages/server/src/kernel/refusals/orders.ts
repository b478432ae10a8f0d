import type { MoneyFact, Said } from '../../platform/refusal.ts'
import { tells } from './catalogue.ts'

/** What holds an order file up, and why a report about one is not simply followed. */
export const ORDERS = {
  order_payout_in_doubt: tells<{ withdrawal: string; reason: string | null }>(),
  order_payout_ended: tells<{ withdrawal: string; state: string }>(),
  order_account_unknown: tells(),
  order_batch_forged: tells(),
  order_layout_wrong: tells<{ problems: readonly Said[] }>(),
  /** Read back, the file does not say what its payouts say. */
  order_file_differs: tells<{ difference: Said }>(),
  /** `error`: of the database. */
  order_failed: tells<{ error: string }>(),
  order_file_was_cancelled: tells(),
  order_file_was_reported: tells(),
  order_file_was_stopped: tells(),
  /** It was in outbox/ and must not be sent. */
  order_file_taken_out: tells<{ problem: Said; staged: string }>(),
  order_file_gone_again: tells<{ problem: Said }>(),

  report_of_no_file: tells(),
  report_order_unknown: tells(),
  report_file_cancelled: tells(),
  report_file_unreleased: tells(),
  report_count_differs: tells<{ said: number; orders: number }>(),
  report_sum_differs: tells<{ said: MoneyFact; sum: MoneyFact }>(),
  report_payment_differs: tells<{ payment: string }>(),
  report_two_statuses: tells(),
  report_amount_differs: tells<{ said: MoneyFact; amount: MoneyFact }>(),
  report_recipient_differs: tells(),
  report_levels_disagree: tells(),
  report_refused_but_left: tells<{ withdrawal: string }>(),
  report_in_another_file: tells<{ problem: Said; batch: string }>(),
  report_refused_in_doubt: tells<{ reason: string }>(),
  report_refused_but_paid: tells(),
  report_refused_as_duplicate: tells(),
  report_sent_before: tells(),
}
