import type { Actor } from '../../../kernel/actor.ts'
import { merchantUserActor, operatorActor } from '../../../kernel/actor.ts'
import { digestOf, macOf, sameText } from '../../../platform/crypto/tokens.ts'
import { decidesForMerchant, proofNeeded } from '../../people/index.ts'
import type { Audience, IdentityDeps } from '../identity.ts'
import { plusSeconds } from '../identity.ts'
import { sessionFits, touchSession } from './mark-session.ts'
import type { SessionRow } from './store.ts'
import { selectSession, selectValid } from './store.ts'

/** Someone who has passed everything that is asked for. */
export type Session = {
  id: string
  loginId: string
  audience: Audience
  /** The operator's name, or the e-mail address of a merchant's user. */
  name: string
  merchantId: string | null
  /** At this moment: roles of the operator, or the one role of a merchant's user. */
  roles: readonly string[]
  actor: Actor
  /** For the forms of this session; compare with `csrfFits`. */
  csrf: string
  /** Whether password or second factor was given in the last ten minutes, as money and keys require. */
  steppedUp: boolean
  hasSecondFactor: boolean
  createdAt: Date
  endsAt: Date
}

/** After the password: it still takes the second factor, or one must be set up first. */
export type UnfinishedSession = Pick<Session, 'id' | 'loginId' | 'audience' | 'name' | 'csrf'> & {
  needs: 'second_factor' | 'set_up'
}

const MINUTE = 60
const HOUR = 3600
const WRITE_EVERY = MINUTE
const STEP_UP = 10 * MINUTE
/** From the password to the second factor, or to having set one up. */
export const UNFINISHED_SECONDS = 15 * MINUTE

/** Half an hour unused is a person who has left, in front of a browser or a terminal; twelve hours are a shift. */
export function limitsOf(audience: Audience): { idleSeconds: number; seconds: number } {
  return { idleSeconds: 30 * MINUTE, seconds: (audience === 'operator' ? 12 : 24) * HOUR }
}

/** A token of the command line is stored with its host, so it works nowhere else, nor as a cookie. */
export function tokenHash(token: string, host?: string): string {
  return digestOf(host === undefined ? token : `${token} on ${host}`)
}

/** The session of a token, if nothing more is asked for. Reads the database each time: what is revoked ends at once. */
export async function findSession(
  app: IdentityDeps,
  audience: Audience,
  token: string,
  host?: string,
): Promise<Session | null> {
  const row = await findRow(app, audience, token, host)
  return row && needs(app, row) === null ? asSession(app, row, token) : null
}

/** The same for what a page asks on its own: it does not count as use, so that a page left open does not prolong its session. */
export async function peekSession(app: IdentityDeps, audience: Audience, token: string): Promise<Session | null> {
  const row = await readRow(app, audience, token)
  return row && needs(app, row) === null ? asSession(app, row, token) : null
}

/** Those of these sessions that have not ended. */
export async function validSessions({ db, clock }: IdentityDeps, ids: readonly string[]): Promise<Set<string>> {
  return new Set(ids.length === 0 ? [] : await selectValid(db, ids, clock.now()))
}

/** The session of a token that lacks the second factor. */
export async function findUnfinishedSession(
  app: IdentityDeps,
  audience: Audience,
  token: string,
  host?: string,
): Promise<UnfinishedSession | null> {
  const row = await findRow(app, audience, token, host)
  const lacking = row && needs(app, row)
  if (!row || !lacking) return null
  const { id, loginId, name } = row
  return { id, loginId, audience, name, csrf: csrfOf(token), needs: lacking }
}

async function findRow(app: IdentityDeps, audience: Audience, token: string, host?: string) {
  const row = await readRow(app, audience, token, host)
  const now = app.clock.now()
  if (row && plusSeconds(row.lastUsedAt, WRITE_EVERY) < now) await touchSession(app, row, now)
  return row
}

async function readRow({ db, clock, marks }: IdentityDeps, audience: Audience, token: string, host?: string) {
  if (!/^[\w-]{43}$/.test(token)) return null
  const row = await selectSession(db, tokenHash(token, host), clock.now())
  return row?.audience === audience && (await sessionFits(marks, row)) ? row : null
}

export function needs(
  app: { sandbox: boolean },
  row: Pick<SessionRow, 'audience' | 'roles' | 'hasFactor' | 'secondFactorAt'>,
): UnfinishedSession['needs'] | null {
  if (row.secondFactorAt !== null) return null
  if (row.hasFactor) return 'second_factor'
  return takesFactor(app, row) ? 'set_up' : null
}

/** In live: the operator's staff, and users of merchants who decide about money, keys or people. */
export function takesFactor(
  { sandbox }: { sandbox: boolean },
  { audience, roles }: { audience: Audience; roles: readonly string[] },
): boolean {
  return !sandbox && (audience === 'operator' || roles.some(decidesForMerchant))
}

function asSession({ clock }: IdentityDeps, row: SessionRow, token: string): Session {
  const { id, loginId, audience, name, merchantId, roles, createdAt, endsAt } = row
  const steppedUp = row.steppedUpAt !== null && plusSeconds(row.steppedUpAt, STEP_UP) > clock.now()
  const actor = { ...actorOf(row), proved: steppedUp } as Actor
  const hasSecondFactor = row.hasFactor
  const csrf = csrfOf(token)
  return { id, loginId, audience, name, merchantId, roles, actor, csrf, steppedUp, hasSecondFactor, createdAt, endsAt }
}

export function actorOf({
  loginId,
  name,
  merchantId,
  roles,
}: Pick<Session, 'loginId' | 'name' | 'merchantId' | 'roles'>): Actor {
  return merchantId === null ? operatorActor(name) : merchantUserActor(merchantId, loginId, roles[0] ?? 'no role')
}

function csrfOf(token: string): string {
  return macOf(token, 'csrf')
}

export function csrfFits({ csrf }: { csrf: string }, given: string): boolean {
  return sameText(csrf, given)
}

/** For what people do to their own login. */
export function mustBeSteppedUp({ steppedUp }: Session): void {
  if (!steppedUp) throw proofNeeded()
}
