import type { MoneyFact, Said } from '../../platform/refusal.ts'
import { tells } from './catalogue.ts'

type Days = { from: string; to: string }

/** What the checks of a statement file found. */
export const FINDINGS = {
  finding_no_statement: tells(),
  finding_none_ours: tells(),
  finding_account_not_ours: tells<{ account: string }>(),
  finding_account_missing: tells(),
  finding_account_differs: tells<{ written: string; chosen: string }>(),
  finding_account_ambiguous: tells<{ number: string }>(),
  finding_account_unconnected: tells<{ account: string }>(),
  finding_account_without_source: tells<{ account: string }>(),
  finding_other_source: tells<{ account: string; source: string; connection: string }>(),
  finding_currency: tells<{ written: string; account: string; currency: string }>(),
  finding_future: tells<{ day: string }>(),
  finding_other_origin: tells<Days>(),
  finding_other_format: tells<{ format: string; days: readonly Said[] }>(),
  finding_overlap: tells<{ days: readonly Said[] }>(),
  finding_days_of_file: tells<Days & { file: string; format: string | null }>(),

  // Balances.
  finding_first: tells<{ account: string }>(),
  finding_opening_unlike_last: tells<{ day: string; balance: MoneyFact; lastDay: string; lastBalance: MoneyFact }>(),
  finding_balance_unlike_file: tells<{
    which: 'opening' | 'closing'
    day: string
    balance: MoneyFact
    file: string
    other: MoneyFact
  }>(),
  finding_closing_missing: tells<{ day: string; file: string; other: MoneyFact }>(),
  finding_closing_unlike_next: tells<{ day: string; balance: MoneyFact; nextDay: string; nextBalance: MoneyFact }>(),
  finding_gap_empty: tells<Days>(),
  finding_gap: tells<Days>(),
  finding_closed_day: tells<{
    which: 'opening' | 'closing'
    day: string
    was: MoneyFact
    is: MoneyFact
    difference: MoneyFact
  }>(),
  finding_closed_days_more: tells<{ count: number }>(),
  finding_lines_come_alone: tells<{ account: string; connection: string }>(),
  finding_no_balances: tells(),
  finding_balances_not_continued: tells(),

  // Lines that are stored, and those of the file. `finding_line` is one of them.
  finding_line: tells<{ line: string; number: string | null; amount: MoneyFact }>(),
  finding_line_state: tells<{ line: Said; state: string }>(),
  finding_lines_missing: tells<{ day: string; count: number; first: Said }>(),
  finding_lines_missing_more: tells<{ count: number }>(),
  finding_lines_renumbered: tells<{ day: string; count: number; first: Said; number: string }>(),
  finding_line_suspected: tells<{ line: Said; day: string; number: string | null; hereDay: string }>(),

  // Statements that come in pages.
  finding_page_waits: tells<{ statement: string; page: number; missing: readonly number[] }>(),
  finding_pages_sum: tells<{ statement: string; closing: MoneyFact; expected: MoneyFact; pages: number }>(),
  /** `fate`: booked again or not, and why. */
  finding_repeats: tells<{
    statement: string
    repeats: readonly Said[]
    more: number
    fate: 'booked' | 'waits' | 'unproven' | 'not_seen'
  }>(),
  finding_repeat: tells<{ number: string; amount: MoneyFact; pages: readonly number[] }>(),
}
