import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { passwordSucceeded } from '../failures/attempts.ts'
import type { Audience, Visitor } from '../identity.ts'
import type { LoggedIn } from '../log-in.ts'
import type { LoginDeps } from '../login-events.ts'
import { recordLoginStep } from '../login-events.ts'
import { createSession, finishSession, logInAgain } from '../log-in.ts'
import type { Session, UnfinishedSession } from '../sessions/session.ts'
import { findUnfinishedSession } from '../sessions/session.ts'
import { changeSession } from '../sessions/mark-session.ts'
import { auditOwn, entering } from '../own-acts.ts'
import { findLoginById } from '../mark-logins.ts'
import { lockLogin } from '../store.ts'
import { selectPasskeys } from './store.ts'
import type { PasskeyDeps } from './verify-passkey.ts'
import {
  isAlone,
  newChallenge,
  newLoginChallenge,
  notVerified,
  relyingParty,
  verifyPasskey,
  webAuthn,
} from './verify-passkey.ts'

// A signature cannot be guessed: no failure is counted here.
const NO_ATTEMPT = { own: [], network: [] }

/** For `navigator.credentials.get` before anyone is known: the browser offers the passkeys of this host. */
export function passkeyLogin(app: PasskeyDeps): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return requestOptions(app, null)
}

/** For the second factor of a login, or to prove again who is there. */
export function passkeyProof(
  app: PasskeyDeps,
  session: Session | UnfinishedSession,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return requestOptions(app, session)
}

async function requestOptions(app: PasskeyDeps, session: Session | UnfinishedSession | null) {
  const { generateAuthenticationOptions } = await webAuthn()
  const known = session && (await selectPasskeys(app.db, session.loginId))
  return generateAuthenticationOptions({
    rpID: relyingParty(app).rpID,
    challenge: session ? await newChallenge(app, 'prove', session) : await newLoginChallenge(app),
    userVerification: isAlone(session) ? 'required' : 'preferred',
    ...(known && { allowCredentials: known.map(({ id, transports }) => ({ id, transports })) }),
  })
}

/** Without a password: the passkey is on a device, and the device has verified its user. */
export function logInWithPasskey(
  app: PasskeyDeps & LoginDeps,
  { audience, response }: { audience: Audience; response: AuthenticationResponseJSON },
  visitor: Visitor,
): Promise<LoggedIn> {
  return recordLoginStep(app, { audience, factor: 'passkey' }, visitor, async (know) => {
    const { passkey, useIt } = await verifyPasskey(app, response, null)
    const login = await findLoginById(app, app.db, passkey.loginId)
    if (login?.audience !== audience) throw notVerified()
    know(login.name)
    return app.db.transaction(async (tx) => {
      if (!(await lockLogin(tx, login.id))) throw notVerified()
      await useIt(tx)
      const { id } = await createSession(app, tx, login, visitor)
      await auditOwn(app, tx, entering(id, login, visitor), 'login.by_passkey', { after: { label: passkey.label } })
      return finishSession(app, tx, { id, audience }, login, visitor, NO_ATTEMPT)
    })
  })
}

/** The second step of a login. Returns a new token. */
export async function passSecondFactorWithPasskey(
  app: PasskeyDeps & LoginDeps,
  { audience, token, response }: { audience: Audience; token: string; response: AuthenticationResponseJSON },
  visitor: Visitor,
): Promise<LoggedIn> {
  const session = await findUnfinishedSession(app, audience, token, visitor.host)
  const login = session && (await findLoginById(app, app.db, session.loginId))
  if (!login || session.needs !== 'second_factor') throw logInAgain()
  return recordLoginStep(app, { audience, factor: 'passkey' }, visitor, async (know) => {
    know(login.name)
    const { useIt } = await verifyPasskey(app, response, session)
    return app.db.transaction(async (tx) => {
      await useIt(tx)
      await passwordSucceeded(tx, login, visitor)
      return finishSession(app, tx, session, login, visitor, NO_ATTEMPT)
    })
  })
}

/** Proves again who is there. Counts for ten minutes. */
export async function stepUpWithPasskey(
  app: PasskeyDeps,
  session: Session,
  response: AuthenticationResponseJSON,
): Promise<void> {
  const { useIt } = await verifyPasskey(app, response, session)
  await app.db.transaction(async (tx) => {
    await useIt(tx)
    const now = app.clock.now()
    if (!(await changeSession(app, tx, session.id, { steppedUpAt: now }, now))) throw logInAgain()
  })
}
