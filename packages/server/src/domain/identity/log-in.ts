import type { Tx } from '../../platform/postgres/db.ts'
import { costOf, hashPassword, passwordFits } from '../../platform/crypto/passwords.ts'
import { newToken } from '../../platform/crypto/tokens.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Attempt } from './failures/attempts.ts'
import {
  attemptSucceeded,
  beginFactor,
  beginPassword,
  newDevice,
  notCountedIfBusy,
  passwordSucceeded,
} from './failures/attempts.ts'
import { hasFactor } from './factors/store.ts'
import { mustUseCode } from './factors/use-code.ts'
import type { Audience, IdentityDeps, Visitor } from './identity.ts'
import { plusSeconds, queueOf } from './identity.ts'
import type { LoginDeps } from './login-events.ts'
import { recordLoginStep } from './login-events.ts'
import { changeLogin, findLogin, findLoginById } from './mark-logins.ts'
import { auditCode, entering } from './own-acts.ts'
import type { UnfinishedSession } from './sessions/session.ts'
import { findUnfinishedSession, limitsOf, needs, tokenHash, UNFINISHED_SECONDS } from './sessions/session.ts'
import { changeSession, sessionMark } from './sessions/mark-session.ts'
import { insertSession } from './sessions/store.ts'
import type { Login } from './store.ts'
import { lockLogin } from './store.ts'

/** `token` goes into the session cookie; `device` into one that lasts, if the login is complete. */
export type LoggedIn = {
  token: string
  needs: UnfinishedSession['needs'] | null
  device: string | null
}

const MAX_NAME = 254

/** The same words and the same work for an unknown name and for a wrong password. */
export function logIn(
  app: LoginDeps,
  { audience, name: given, password }: { audience: Audience; name: string; password: string },
  visitor: Visitor,
): Promise<LoggedIn> {
  const name = given
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .toLowerCase()
    .slice(0, MAX_NAME)
  return recordLoginStep(app, { audience, factor: 'password' }, visitor, (know) => {
    know(name)
    return checkPassword(app, { audience, name, password }, visitor)
  })
}

async function checkPassword(
  app: IdentityDeps,
  { audience, name, password }: { audience: Audience; name: string; password: string },
  visitor: Visitor,
): Promise<LoggedIn> {
  const known = await findLogin(app, app.db, audience, name)
  const attempt = await beginPassword(app, { audience, name, known, visitor })
  const queue = known && attempt.network.length === 0 ? queueOf(known) : ({ name: 'strangers' } as const)
  const stored = known?.password ?? null
  const fits = await notCountedIfBusy(app, attempt, () => passwordFits(queue, password, stored, app.passwordCost))
  if (!known || !fits) throw refuse('login_wrong', { audience })
  const renewed = await raisedCost(app, known, password)
  return app.db.transaction(async (tx) => {
    // Disabled or changed while the password was checked.
    const login = (await lockLogin(tx, known.id)) ? await findLoginById(app, tx, known.id) : undefined
    if (login?.password !== known.password) throw refuse('login_wrong', { audience })
    if (renewed) await changeLogin(app, tx, login, { password: renewed })
    return startSession(app, tx, login, visitor, attempt)
  })
}

/** A new hash if the stored one was made at a lower cost. */
async function raisedCost(app: IdentityDeps, login: Login, given: string): Promise<string | null> {
  const { memory, passes } = costOf(login.password)
  const isLower = memory < app.passwordCost.memory || passes < app.passwordCost.passes
  return isLower ? hashPassword(app, queueOf(login), given, app.passwordCost) : null
}

/** Failures before a login count until it is complete: the password alone does not forgive them. */
async function startSession(
  app: IdentityDeps,
  tx: Tx,
  login: Login,
  visitor: Visitor,
  attempt: Attempt,
): Promise<LoggedIn> {
  const lacking = needs(app, { ...login, hasFactor: await hasFactor(tx, login.id), secondFactorAt: null })
  const { token } = await createSession(app, tx, login, visitor, lacking ? UNFINISHED_SECONDS : undefined)
  if (lacking) return { token, needs: lacking, device: null }
  await attemptSucceeded(tx, attempt)
  return { token, needs: null, device: newDevice(app, login) }
}

/** With `seconds`, one that is not complete yet. */
export async function createSession(
  app: IdentityDeps,
  tx: Tx,
  login: Login,
  { address, userAgent, host }: Visitor,
  seconds?: number,
): Promise<{ id: string; token: string }> {
  const now = app.clock.now()
  const kind = host === undefined ? 'browser' : 'command_line'
  const limits = limitsOf(login.audience)
  const [id, token] = [app.ids.next(), newToken(app)]
  const session = {
    ...({ id, tokenHash: tokenHash(token, host), loginId: login.id, kind, createdAt: now } as const),
    idleSeconds: limits.idleSeconds,
    endsAt: plusSeconds(now, seconds ?? limits.seconds),
    secondFactorAt: null,
    steppedUpAt: seconds === undefined ? now : null,
    lastUsedAt: now,
  }
  await insertSession(tx, {
    ...session,
    mark: await sessionMark(app.marks, session),
    address: address?.toString() ?? null,
    userAgent: (host === undefined ? userAgent : `vezne on ${host}`)?.slice(0, 200) ?? null,
  })
  return { id, token }
}

/** The second step of a login: a code of the app, or a recovery code. Returns a new token. */
export async function passSecondFactor(
  app: LoginDeps,
  { audience, token, code }: { audience: Audience; token: string; code: string },
  visitor: Visitor,
): Promise<LoggedIn> {
  const session = await findUnfinishedSession(app, audience, token, visitor.host)
  const login = session && (await findLoginById(app, app.db, session.loginId))
  if (!login || session.needs !== 'second_factor') throw logInAgain()
  return recordLoginStep(app, { audience, factor: 'code' }, visitor, async (know) => {
    know(login.name)
    const attempt = await beginFactor(app, login, visitor)
    return app.db.transaction(async (tx) => {
      await auditCode(app, tx, entering(session.id, login, visitor), await mustUseCode(app, tx, login.id, code))
      await passwordSucceeded(tx, login, visitor)
      return finishSession(app, tx, session, login, visitor, attempt)
    })
  })
}

export const logInAgain = () => refuse('login_ended')

export async function finishSession(
  app: IdentityDeps,
  tx: Tx,
  session: { id: string; audience: Audience },
  login: Login,
  { host }: Pick<Visitor, 'host'>,
  attempt: Attempt,
): Promise<LoggedIn> {
  const now = app.clock.now()
  const token = newToken(app)
  const { seconds } = limitsOf(session.audience)
  // With a new token, so that one known from before the second factor is worth nothing.
  const proved = { tokenHash: tokenHash(token, host), secondFactorAt: now, steppedUpAt: now }
  if (!(await changeSession(app, tx, session.id, { ...proved, endsAt: plusSeconds(now, seconds) }, now)))
    throw logInAgain()
  await attemptSucceeded(tx, attempt)
  return { token, needs: null, device: newDevice(app, login) }
}
