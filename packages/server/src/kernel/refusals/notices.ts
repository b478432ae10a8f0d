import { BANK_ANSWERS } from './bank-answers.ts'
import { CHECK_TODOS } from './check-todos.ts'
import { CHECKS } from './checks.ts'
import { FINDINGS } from './findings.ts'
import { ORDERS } from './orders.ts'
import { PAYOUT_CALLS } from './payout-calls.ts'
import { UNREAD } from './unread.ts'

/** What the service found and nobody asked for: checks of files, order files, reports, unread lines. */
export const NOTICES = {
  ...CHECKS,
  ...CHECK_TODOS,
  ...UNREAD,
  ...FINDINGS,
  ...BANK_ANSWERS,
  ...PAYOUT_CALLS,
  ...ORDERS,
}
