/** Roles of the operator's staff. A person may have several. `viewer` decides nothing, and `auditor` only to look at the audit and at personal data. */
export const ROLES = ['viewer', 'support', 'cashier', 'approver', 'admin', 'auditor'] as const
export type Role = (typeof ROLES)[number]

/** Roles that move money or change settings. */
export const DECIDING: readonly Role[] = ['cashier', 'approver', 'admin']

const MONEY: readonly Role[] = ['cashier', 'approver']

/** Who makes the rules would also pay. */
export const isAdminWithMoney = (roles: readonly string[]) =>
  roles.includes('admin') && MONEY.some((role) => roles.includes(role))
const APPROVER: readonly Role[] = ['approver']
const ADMIN: readonly Role[] = ['admin']
const CALLBACKS: readonly Role[] = ['support', 'admin']
/** Only a merchant's own users. */
const NO_ONE: readonly Role[] = []

/** Every decision of the domain, and whose it is. Where two people must agree, both need one of the roles. */
export const RIGHTS = {
  'account.connect': ADMIN,
  'account.karekod': ADMIN,
  'account.limits': ADMIN,
  'account.open': ADMIN,
  'account.state': ['cashier', 'approver', 'admin'],
  'audit.read': ['admin', 'auditor'],
  'bank.limits': ADMIN,
  'bank.switch': ADMIN,
  'batch.cancel': MONEY,
  'batch.retry': MONEY,
  'proposal.approve': ['cashier', 'approver', 'admin'],
  'proposal.reject': ['cashier', 'approver', 'admin'],
  'connection.add': ADMIN,
  'connection.change': ADMIN,
  'connection.switch': ADMIN,
  'connection.test': ADMIN,
  'data.reveal': ['support', 'cashier', 'approver', 'admin', 'auditor'],
  'day.close': MONEY,
  'day.reopen': MONEY,
  'endpoint.add': ADMIN,
  'endpoint.change': ADMIN,
  'endpoint.networks': ADMIN,
  'endpoint.rotate': ADMIN,
  'endpoint.switch': CALLBACKS,
  'endpoint.test': CALLBACKS,
  'event.resend': ['support', 'cashier', 'approver', 'admin'],
  'instruction.propose': NO_ONE,
  'journal.approve': APPROVER,
  'journal.propose': MONEY,
  'rule.approve': APPROVER,
  'rule.propose': MONEY,
  'rule.stop': MONEY,
  'key.revoke': ADMIN,
  'key.rotate': ADMIN,
  'line.correct': MONEY,
  'line.dismiss': MONEY,
  'line.enter': MONEY,
  'line.match': MONEY,
  'line.restore': MONEY,
  'line.retry': MONEY,
  'line.return': MONEY,
  'line.sent': MONEY,
  'line.suspend': MONEY,
  'link.make': NO_ONE,
  'login.disable': ADMIN,
  'login.role': ADMIN,
  'merchant.brand': ADMIN,
  'merchant.code': ADMIN,
  'merchant.create': ADMIN,
  'merchant.fees': ADMIN,
  'merchant.freeze': ['cashier', 'approver', 'admin'],
  'merchant.invite': ADMIN,
  'merchant.networks': ADMIN,
  'merchant.settings': ADMIN,
  'operator.add': ADMIN,
  'operator.change': ADMIN,
  'operator.disable': ADMIN,
  'operator.invite': ADMIN,
  'payout.decide': MONEY,
  'payout.sent': MONEY,
  'refund.make': NO_ONE,
  'restore.check': ['cashier', 'approver', 'admin'],
  'restore.mark': ADMIN,
  'restore.record': MONEY,
  'restore.release': APPROVER,
  'session.revoke': ADMIN,
  'settlement.account': ['approver', 'admin'],
  'settlement.request': MONEY,
  'settlement.schedule': ADMIN,
  'statement.import': MONEY,
  'statement.reread': MONEY,
  'statement.undo': MONEY,
  'transaction.erase': ADMIN,
  'unread.close': MONEY,
  'unread.reimport': MONEY,
  'unread.reopen': MONEY,
  'withdrawal.approve': APPROVER,
  'withdrawal.reject': APPROVER,
  'withdrawal.stop': MONEY,
  'withdrawal.unschedule': ['cashier', 'approver', 'admin'],
} as const satisfies Record<string, readonly Role[]>

export type Action = keyof typeof RIGHTS

export function mayTake(roles: readonly Role[], action: Action): boolean {
  const wanted: readonly Role[] = RIGHTS[action]
  return roles.some((role) => wanted.includes(role))
}

/** Roles of a merchant's users. `support` decides nothing but to resend. */
export const MERCHANT_ROLES = ['owner', 'finance', 'developer', 'support'] as const
export type MerchantRole = (typeof MERCHANT_ROLES)[number]

const OWNER: readonly MerchantRole[] = ['owner']
const DEVELOPER: readonly MerchantRole[] = ['owner', 'developer']
const FINANCE: readonly MerchantRole[] = ['owner', 'finance']

/** Decisions that a merchant's users may take about their own merchant, where the decision allows its merchant at all. */
export const MERCHANT_RIGHTS: Partial<Record<Action, readonly MerchantRole[]>> = {
  // Besides the right of its kind.
  'proposal.approve': ['owner', 'finance', 'developer'],
  'proposal.reject': ['owner', 'finance', 'developer'],
  'endpoint.add': DEVELOPER,
  'endpoint.change': DEVELOPER,
  'endpoint.rotate': DEVELOPER,
  'endpoint.switch': DEVELOPER,
  'endpoint.test': DEVELOPER,
  'event.resend': ['owner', 'developer', 'support'],
  'instruction.propose': FINANCE,
  'key.revoke': DEVELOPER,
  'key.rotate': DEVELOPER,
  'link.make': ['owner', 'finance', 'support'],
  'login.disable': OWNER,
  'login.role': OWNER,
  'merchant.brand': OWNER,
  'merchant.code': FINANCE,
  'merchant.invite': OWNER,
  'merchant.networks': DEVELOPER,
  'refund.make': FINANCE,
  'session.revoke': OWNER,
  'settlement.request': FINANCE,
}

/** About money, keys or people: more than `support` decides. */
export const decidesForMerchant = (role: string) => decidesMore(role, 'support')

/** Whether `role` decides what neither `than` nor `support` does. */
export function decidesMore(role: string, than: string): boolean {
  return Object.values(MERCHANT_RIGHTS).some(
    (roles: readonly string[]) => roles.includes(role) && !roles.includes(than) && !roles.includes('support'),
  )
}

export function merchantMayTake(role: string, action: Action): boolean {
  const wanted: readonly string[] = MERCHANT_RIGHTS[action] ?? []
  return wanted.includes(role)
}
