import type { Said } from '../../platform/refusal.ts'
import { tells } from './catalogue.ts'

/** Why a bank's answer is not a plain yes or no. Text of the bank is a fact. */
export const BANK_ANSWERS = {
  answer_late: tells(),
  /** `error`: of the network. */
  answer_none: tells<{ error: string }>(),
  answer_too_large: tells<{ megabytes: number }>(),
  answer_unreadable: tells<{ error: string }>(),
  answer_without_status: tells(),
  answer_http: tells<{ status: number; text: string }>(),
  answer_http_differs: tells<{ status: number; difference: Said }>(),
  answer_differs: tells<{ field: 'reference' | 'amount' | 'recipient' | 'currency'; written: string }>(),
  answer_contradicts: tells<{ status: 'accepted' | 'pending' | 'returned'; difference: Said }>(),
  answer_without_reference: tells(),
  answer_refused_as_known: tells<{ reason: string }>(),
  answer_of_files: tells(),
  page_unreadable: tells(),
  page_cursor_wrong: tells<{ most: number }>(),
  page_too_long: tells<{ lines: number; most: number }>(),
}
