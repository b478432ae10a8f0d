import type { Marks } from '../../platform/crypto/marks.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Action } from '../people/index.ts'
import { merchantMayTake } from '../people/index.ts'
import { findLoginById } from './mark-logins.ts'
import { shareLogin } from './store.ts'

/** Whether this user of a merchant, as it is stored with a decision, may take one now. A change of the role waits, as in `lockEntitled`. */
export async function lockEntitledUser(
  app: { marks: Marks },
  tx: Tx,
  person: string,
  action: Action,
): Promise<boolean> {
  const [kind, merchantId, loginId = ''] = person.split(':')
  if (kind !== 'merchant' || !(await shareLogin(tx, loginId))) return false
  const login = await findLoginById(app, tx, loginId)
  return (
    login !== undefined && login.merchantId === merchantId && login.roles.some((role) => merchantMayTake(role, action))
  )
}
