import { CHECK_TODOS } from './check-todos.ts'
import { CHECKS } from './checks.ts'
import { FINDINGS } from './findings.ts'
import { UNREAD } from './unread.ts'

/** What the service found and nobody asked for: checks of files, order files, reports, unread lines. */
export const NOTICES = { ...CHECKS, ...CHECK_TODOS, ...UNREAD, ...FINDINGS }
