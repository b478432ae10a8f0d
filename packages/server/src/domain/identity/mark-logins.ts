import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { operatorFits } from '../people/index.ts'
import type { Audience } from './identity.ts'
import type { Invitation } from './invitations/store.ts'
import { openInvitations, updateInvitationMark } from './invitations/store.ts'
import type { Passkey } from './passkeys/store.ts'
import { allPasskeys, updatePasskeyMark } from './passkeys/store.ts'
import { revokeAll } from './sessions/store.ts'
import type { Login } from './store.ts'
import { allLogins, selectLogin, selectLoginById, updateLogin } from './store.ts'

type Marked = Pick<Login, 'id' | 'audience' | 'name' | 'merchantId' | 'role' | 'password'>

/** Covers the password, so that neither another login's nor one made elsewhere opens it. */
export function loginMark(marks: Marks, login: Marked): Promise<string> {
  return marks.of(`logins/${login.id}`, says(login))
}

const says = ({ audience, name, merchantId, role, password }: Marked) => {
  return { audience, name, merchantId, role, password }
}

/** Whether the service has written this login, and given the roles of its operator. */
export async function loginFits(
  marks: Marks,
  login: Marked & Pick<Login, 'roles' | 'mark' | 'operatorMark'>,
): Promise<boolean> {
  const { audience, name, roles, operatorMark } = login
  if (!(await marks.fits(login.mark, `logins/${login.id}`, says(login)))) return false
  return audience === 'merchant' || operatorFits(marks, { name, roles, mark: operatorMark })
}

type Deps = { marks: Marks }

/** Only one that the service has written. */
export async function findLogin(
  app: Deps,
  db: Queryable,
  audience: Audience,
  name: string,
): Promise<Login | undefined> {
  return ifItFits(app, await selectLogin(db, audience, name))
}

export async function findLoginById(app: Deps, db: Queryable, id: string): Promise<Login | undefined> {
  return ifItFits(app, await selectLoginById(db, id))
}

async function ifItFits({ marks }: Deps, login: Login | undefined): Promise<Login | undefined> {
  return login && (await loginFits(marks, login)) ? login : undefined
}

/** The caller has locked the login, and read it since. */
export async function changeLogin(
  { marks }: Deps,
  tx: Tx,
  login: Login,
  change: Partial<Pick<Login, 'password' | 'deviceKey' | 'role'>>,
): Promise<void> {
  const next = { ...login, ...change }
  await updateLogin(tx, { ...next, mark: await loginMark(marks, next) })
}

/** Marks what is there when the first key is made. Sessions end instead. */
export async function markLogins(tx: Tx, marks: Marks, now: Date): Promise<void> {
  await revokeAll(tx, now)
  for (const login of await allLogins(tx)) await changeLogin({ marks }, tx, login, {})
  for (const one of await allPasskeys(tx)) await updatePasskeyMark(tx, one.id, await passkeyMark(marks, one))
  for (const one of await openInvitations(tx, now))
    await updateInvitationMark(tx, one.id, await invitationMark(marks, one))
}

/** `id`: of a passkey that of its login. */
type ForgedLogin = { what: 'login' | 'passkey' | 'invitation'; id: string }

/** Logins, passkeys and invitations that work for no one: the service has not written their rows. */
export async function forgedLogins({
  db,
  marks,
  clock,
}: Deps & { db: Queryable; clock: Clock }): Promise<ForgedLogin[]> {
  const found: ForgedLogin[] = []
  for (const login of await allLogins(db))
    if (!(await loginFits(marks, login))) found.push({ what: 'login', id: login.id })
  for (const one of await allPasskeys(db))
    if (one.mark !== (await passkeyMark(marks, one))) found.push({ what: 'passkey', id: one.loginId })
  for (const one of await openInvitations(db, clock.now()))
    if (one.mark !== (await invitationMark(marks, one))) found.push({ what: 'invitation', id: one.id })
  return found
}

/** Covers whom it invites, as what, until when, and which token is asked for. */
export function invitationMark(marks: Marks, one: Invitation): Promise<string> {
  const { id, tokenHash, audience, name, merchantId, role, expiresAt } = one
  return marks.of(`login_invitations/${id}`, { tokenHash, audience, name, merchantId, role, expiresAt })
}

/** Covers whose key it is. */
export function passkeyMark(marks: Marks, one: Pick<Passkey, 'id' | 'loginId' | 'publicKey'>): Promise<string> {
  const { id, loginId, publicKey } = one
  return marks.of(`passkeys/${id}`, { loginId, publicKey })
}
