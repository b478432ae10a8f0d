import type { Said } from '../../platform/refusal.ts'
import { field, is } from './catalogue.ts'

/** Statement files and bank lines that people enter. */
export const STATEMENTS = {
  /** A stored line may be the same booking. */
  entered_line_repeats: is<{ line: string; state: string }>('INVALID_STATE'),
  entered_line_not_similar: field<{ line: string }>(),
  entered_day_wrong: field(),
  entered_name_missing: field(),
  line_not_bookable: is<{ problem: Said }>('INVALID_STATE'),
  account_without_source: is<{ account: string }>('INVALID_STATE'),

  /** `file`: of the final statement of the day, which lacks it; null: there is none yet. */
  line_not_confirmed: is<{ line: string; day: string; file: string | null }>('INVALID_STATE'),
  line_decided_meanwhile: is('INVALID_STATE'),
  /** Of a transaction that is to be erased. */
  transaction_line_undecided: is<{ line: string; state: string }>('INVALID_STATE'),

  unread_line_unknown: is<{ line: string }>('NOT_FOUND'),
  closed_line_unknown: is<{ line: string }>('NOT_FOUND'),
  unread_line_ambiguous: is<{ line: string }>('INVALID_STATE'),
  source_never_read: is<{ source: string; known: string[] }>('NOT_FOUND'),

  file_unreadable: is<{ file: string; problem: Said }>('INVALID_STATE'),
  file_not_importable: is<{ file: string; problems: readonly Said[] }>('INVALID_STATE'),
  /** Imported only for a reason. */
  file_doubtful: is<{ file: string; problems: readonly Said[] }>('INVALID_STATE'),
  file_brings_nothing: is<{ file: string }>('INVALID_STATE'),
  file_changed_while_read: is<{ file: string }>('INVALID_STATE'),
  file_forged: is<{ file: string; person: string }>('INVALID_STATE'),
  import_stopped: is<{ file: string; line: string }>('INVALID_STATE'),
  import_undone: is<{ file: string }>('INVALID_STATE'),
  import_overlapped: is<{ newer: string }>('INVALID_STATE'),
  import_confirms_refunded: is<{ line: string }>('INVALID_STATE'),
}
