import type { Tx } from '../../platform/postgres/db.ts'
import { openAudit } from '../audit/index.ts'
import type { IdentityDeps, Visitor } from './identity.ts'
import type { Session, UnfinishedSession } from './sessions/session.ts'
import { actorOf } from './sessions/session.ts'
import type { Login } from './store.ts'

/** What people do to their own login. It takes no right; the audit has it beside decisions. */
export const OWN_ACTS = [
  'login.accept_invitation',
  'login.add_app',
  'login.add_passkey',
  'login.by_passkey',
  'login.change_password',
  'login.new_codes',
  'login.remove_passkey',
  'login.rename_passkey',
  'login.use_recovery_code',
] as const
export type OwnAct = (typeof OWN_ACTS)[number]

type Person = Pick<Session, 'loginId' | 'actor'>
type Entering = Pick<Login, 'id' | 'name' | 'merchantId' | 'roles'>
type Recorded = { before?: Record<string, unknown>; after?: Record<string, unknown> }

export function auditOwn(
  app: Pick<IdentityDeps, 'clock' | 'marks'>,
  tx: Tx,
  { loginId, actor }: Person,
  act: OwnAct,
  what: Recorded = {},
): Promise<void> {
  return openAudit(app, tx, actor, act)(`login:${loginId}`, what)
}

/** Someone who has proven to be there with a code. One of the app is used every day and leaves no entry. */
export async function auditCode(
  app: Pick<IdentityDeps, 'clock' | 'marks'>,
  tx: Tx,
  person: Person,
  used: 'app' | 'recovery',
): Promise<void> {
  if (used === 'recovery') await auditOwn(app, tx, person, 'login.use_recovery_code')
}

/** Who sets up a factor, as part of a login or later. */
export const personIn = (session: Session | UnfinishedSession, login: Login, visitor: Partial<Visitor>): Person =>
  'needs' in session ? entering(session.id, login, visitor) : session

/** Someone whose login is not complete before this act; without a session, who accepts an invitation. */
export function entering(sessionId: string | null, login: Entering, { address, host }: Partial<Visitor>): Person {
  const place = { ...(address && { address: address.toString() }), ...(host !== undefined && { host }) }
  const origin = {
    edge: host === undefined ? 'console' : 'cli',
    ...(sessionId !== null && { session: sessionId }),
    ...place,
  } as const
  return { loginId: login.id, actor: { ...actorOf({ ...login, loginId: login.id }), origin } }
}
