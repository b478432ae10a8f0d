/** Roles as Turkish pages name them. */
const ROLES: Record<string, string> = {
  viewer: 'izleyici',
  support: 'destek',
  cashier: 'vezne görevlisi',
  approver: 'onaylayan',
  admin: 'yönetici',
  auditor: 'denetçi',
  owner: 'sahip',
  finance: 'finans',
  developer: 'geliştirici',
}

/** A role in Turkish. */
export function rol(role: string): string {
  return Object.hasOwn(ROLES, role) ? (ROLES[role] as string) : role
}

export function roller(roles: readonly string[]): string {
  return new Intl.ListFormat('tr', { type: 'disjunction' }).format(roles.map(rol))
}

export function rolesOr(roles: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(roles)
}
