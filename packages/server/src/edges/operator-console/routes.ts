import { OWN } from '../web/console/own/routes.ts'
import { ACCOUNTS } from './accounts/routes.ts'
import { APPROVALS } from './approvals/routes.ts'
import { AUDIT } from './audit/routes.ts'
import { BANKS } from './banks/routes.ts'
import { BOOKS } from './books/routes.ts'
import { CALLBACKS } from './callbacks/routes.ts'
import { PROPOSALS } from './proposals/routes.ts'
import { CHARTS } from './charts/routes.ts'
import { ENTERED } from './entered/routes.ts'
import type { Section } from './kind.ts'
import { MATCHING } from './matching/routes.ts'
import { MERCHANTS } from './merchants/routes.ts'
import { ORDERS } from './order-files/routes.ts'
import { PAYOUTS } from './payouts/routes.ts'
import { PEOPLE } from './people/routes.ts'
import { RULES } from './rules/routes.ts'
import { STATEMENTS } from './statements/routes.ts'
import { SYSTEM } from './system/routes.ts'
import { TODAY } from './today/routes.ts'
import { TRANSACTIONS } from './transactions/routes.ts'
import { UNREAD } from './unread/routes.ts'

export const SECTIONS: readonly Section[] = [
  TODAY,
  TRANSACTIONS,
  CHARTS,
  MATCHING,
  RULES,
  UNREAD,
  APPROVALS,
  PAYOUTS,
  ORDERS,
  ACCOUNTS,
  STATEMENTS,
  ENTERED,
  BOOKS,
  PROPOSALS,
  MERCHANTS,
  BANKS,
  CALLBACKS,
  PEOPLE,
  AUDIT,
  SYSTEM,
  OWN,
]
