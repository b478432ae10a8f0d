import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { base32 } from '../../../platform/crypto/totp.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { beginProof, passwordSucceeded } from '../failures/attempts.ts'
import type { IdentityDeps, Visitor } from '../identity.ts'
import { finishSession, logInAgain } from '../log-in.ts'
import type { LoggedIn } from '../log-in.ts'
import type { LoginDeps } from '../login-events.ts'
import { recordSetUp } from '../login-events.ts'
import { selectPasskeys } from '../passkeys/store.ts'
import type { Session, UnfinishedSession } from '../sessions/session.ts'
import { mustBeSteppedUp } from '../sessions/session.ts'
import { revoke } from '../sessions/store.ts'
import { auditOwn, personIn } from '../own-acts.ts'
import { findLoginById } from '../mark-logins.ts'
import { countRecoveryCodes, lockLogin, updateRecoveryCodes } from '../store.ts'
import { confirmSecret, insertTotp, selectTotp } from './store.ts'
import { recoveryHash, totpOwner, useCodeOf, wrongCode } from './use-code.ts'

const ISSUER = 'Vezne'
const RECOVERY_CODES = 10

/** A new secret for an authenticator app. It counts after `confirmTotp`; until then an earlier one does. */
export async function setUpTotp(
  app: IdentityDeps,
  session: Session | UnfinishedSession,
): Promise<{ secret: string; uri: string }> {
  mustBeAllowed(session)
  const { loginId, name } = session
  const id = app.ids.next()
  const secret = Buffer.from(app.random.bytes(20))
  const sealed = app.vault.seal(secret.toString('hex'), totpOwner(loginId, id))
  await app.db.transaction(async (tx) => {
    if (!(await lockLogin(tx, loginId))) throw logInAgain()
    await insertTotp(tx, loginId, { id, sealed }, app.clock.now())
  })
  const text = base32(secret)
  const label = encodeURIComponent(`${ISSUER}:${name}`)
  return { secret: text, uri: `otpauth://totp/${label}?secret=${text}&issuer=${ISSUER}` }
}

/** The first code proves that the app has the secret. Ends all other sessions; returns a new token and recovery codes. */
export function confirmTotp(
  app: LoginDeps,
  session: Session | UnfinishedSession,
  code: string,
  visitor: Partial<Visitor> = {},
): Promise<LoggedIn & { recoveryCodes: string[] }> {
  return recordSetUp(app, session, 'code', visitor, () => confirm(app, session, code, visitor))
}

async function confirm(
  app: IdentityDeps,
  session: Session | UnfinishedSession,
  code: string,
  visitor: Partial<Visitor>,
): Promise<LoggedIn & { recoveryCodes: string[] }> {
  mustBeAllowed(session)
  const login = await findLoginById(app, app.db, session.loginId)
  if (!login) throw logInAgain()
  const attempt = await beginProof(app, session)
  return app.db.transaction(async (tx) => {
    if (!(await lockLogin(tx, login.id))) throw logInAgain()
    const secret = await selectTotp(tx, login.id, false)
    if (!secret) throw refuse('second_factor_secret_missing')
    if (!(await useCodeOf(app, tx, login.id, secret, code.replaceAll(/\s/g, '')))) throw wrongCode()
    const isReplaced = (await selectTotp(tx, login.id, true)) !== undefined
    await confirmSecret(tx, login.id, secret.id, app.clock.now())
    await revoke(tx, { loginId: login.id, except: session.id }, app.clock.now())
    const recoveryCodes = await makeRecoveryCodes(app, tx, login.id)
    await auditOwn(app, tx, personIn(session, login, visitor), 'login.add_app', {
      after: { isReplaced, recoveryCodes: recoveryCodes.length },
    })
    if ('needs' in session) await passwordSucceeded(tx, login, visitor)
    return { ...(await finishSession(app, tx, session, login, visitor, attempt)), recoveryCodes }
  })
}

/** Replaces all that are left. They are shown once. */
export async function newRecoveryCodes(app: IdentityDeps, session: Session): Promise<string[]> {
  mustBeSteppedUp(session)
  if (!session.hasSecondFactor) throw refuse('second_factor_missing')
  return app.db.transaction(async (tx) => {
    if (!(await lockLogin(tx, session.loginId))) throw logInAgain()
    const codes = await makeRecoveryCodes(app, tx, session.loginId)
    await auditOwn(app, tx, session, 'login.new_codes', { after: { recoveryCodes: codes.length } })
    return codes
  })
}

export async function makeRecoveryCodes(app: IdentityDeps, tx: Tx, loginId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(app.random.bytes(10)))
  await updateRecoveryCodes(tx, loginId, await Promise.all(codes.map((code) => recoveryHash(app, loginId, code))))
  return codes.map((code) => code.match(/.{4}/g)?.join('-').toLowerCase() ?? code)
}

/** Who only has the password must not replace a second factor. */
export function mustBeAllowed(session: Session | UnfinishedSession): void {
  if (!('needs' in session)) return mustBeSteppedUp(session)
  if (session.needs !== 'set_up') throw refuse('second_factor_not_passed')
}

/** What a login can prove itself with, besides the password; of recovery codes those that are left. */
export async function listFactors({ db }: { db: Queryable }, { loginId }: { loginId: string }) {
  const totp = (await selectTotp(db, loginId, true)) !== undefined
  const passkeys = (await selectPasskeys(db, loginId)).map(({ id, label, createdAt, lastUsedAt }) => {
    return { id, label, createdAt, lastUsedAt }
  })
  return { totp, passkeys, recoveryCodes: await countRecoveryCodes(db, loginId) }
}
