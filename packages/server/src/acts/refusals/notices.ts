import type { Notices } from '../../kernel/refusals/note.ts'
import { BANK_ANSWERS_SENTENCES } from './bank-answers.ts'
import { CHECK_TODO_SENTENCES } from './check-todos.ts'
import { CHECK_SENTENCES } from './checks.ts'
import { CONTENT_SENTENCES } from './file-contents.ts'
import { FORM_SENTENCES } from './file-forms.ts'
import { FINDINGS_SENTENCES } from './findings.ts'
import { LAYOUT_SENTENCES } from './layouts.ts'
import { ORDER_PROBLEM_SENTENCES, ORDERS_SENTENCES } from './orders.ts'
import { PAYOUT_CALLS_SENTENCES } from './payout-calls.ts'
import type { Sentences } from './sentence.ts'
import { UNREAD_SENTENCES } from './unread.ts'

export const NOTICES_SENTENCES: Sentences<Notices> = {
  ...CHECK_SENTENCES,
  ...CHECK_TODO_SENTENCES,
  ...UNREAD_SENTENCES,
  ...FINDINGS_SENTENCES,
  ...BANK_ANSWERS_SENTENCES,
  ...PAYOUT_CALLS_SENTENCES,
  ...ORDERS_SENTENCES,
  ...ORDER_PROBLEM_SENTENCES,
  ...LAYOUT_SENTENCES,
  ...FORM_SENTENCES,
  ...CONTENT_SENTENCES,
}
