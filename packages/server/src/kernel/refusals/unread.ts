import type { MoneyFact, Said } from '../../platform/refusal.ts'
import { tells } from './catalogue.ts'

/** Fields of a line, as the bank's API names them. */
export type LineField = 'account' | 'reference' | 'senderName' | 'senderIban' | 'narrative' | 'currency'

/** Why a bank line could not be taken in. */
export const UNREAD = {
  /** What an erasure leaves, because a person must decide about it first. */
  line_kept: tells<{ line: string; state: string }>(),
  unread_lines_kept: tells<{ count: number }>(),
  /** About a file that an inbox refused. `isTable`: its columns may be mapped. */
  inbox_file_refused: tells<{ isTable: boolean }>(),
  unread_not_ours: tells(),
  /** Needs no person: the recipient's side of a payout. */
  unread_other_side: tells(),
  /** Needs no person: banks write remarks as lines without money. */
  unread_amount_zero: tells(),
  unread_no_connection: tells(),
  unread_other_source: tells<{ connection: string }>(),
  unread_currency_differs: tells<{ line: string; account: string }>(),
  unread_no_object: tells(),
  unread_amount_wrong: tells(),
  unread_direction_unknown: tells(),
  unread_value_date_wrong: tells(),
  unread_booked_at_wrong: tells(),
  unread_reference_odd: tells(),
  unread_field_missing: tells<{ field: LineField }>(),
  unread_field_long: tells<{ field: LineField; length: number; most: number }>(),
  unread_booked_ahead: tells<{ days: number }>(),
  unread_booked_before: tells<{ year: string }>(),
  unread_value_ahead: tells<{ days: number }>(),
  unread_value_before: tells<{ year: string }>(),
  /** `error`: of PostgreSQL. */
  unread_not_storable: tells<{ error: string }>(),
  /** One of a file, for who approves it. */
  unread_line: tells<{ day: string; amount: MoneyFact; why: Said }>(),
}
