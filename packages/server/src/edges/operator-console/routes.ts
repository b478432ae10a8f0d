import { ACCOUNTS } from './accounts/routes.ts'
import { APPROVALS } from './approvals/routes.ts'
import type { Section } from './kind.ts'
import { PAYOUTS } from './payouts/routes.ts'
import { STATEMENTS } from './statements/routes.ts'
import { TODAY } from './today/routes.ts'
import { TRANSACTIONS } from './transactions/routes.ts'

export const SECTIONS: readonly Section[] = [TODAY, TRANSACTIONS, APPROVALS, PAYOUTS, ACCOUNTS, STATEMENTS]
