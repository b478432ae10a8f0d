import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Tx } from '../../../platform/postgres/db.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import { beginProof, passwordSucceeded } from '../failures/attempts.ts'
import { makeRecoveryCodes, mustBeAllowed } from '../factors/set-up.ts'
import { hasFactor } from '../factors/store.ts'
import type { Visitor } from '../identity.ts'
import type { LoggedIn } from '../log-in.ts'
import type { LoginDeps } from '../login-events.ts'
import { recordSetUp } from '../login-events.ts'
import { finishSession, logInAgain } from '../log-in.ts'
import type { Session, UnfinishedSession } from '../sessions/session.ts'
import { mustBeSteppedUp } from '../sessions/session.ts'
import { auditOwn, personIn } from '../own-acts.ts'
import { findLoginById, passkeyMark } from '../mark-logins.ts'
import { countRecoveryCodes, lockLogin } from '../store.ts'
import { deletePasskeys, insertPasskey, selectPasskeys, updateLabel } from './store.ts'
import type { PasskeyDeps } from './verify-passkey.ts'
import { ALGORITHMS, newChallenge, notVerified, relyingParty, verifyRegistration, webAuthn } from './verify-passkey.ts'

/** For `navigator.credentials.create` in the browser. */
export async function passkeyRegistration(
  app: PasskeyDeps,
  session: Session | UnfinishedSession,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  mustBeAllowed(session)
  const { rpID } = relyingParty(app)
  const known = await selectPasskeys(app.db, session.loginId)
  const { generateRegistrationOptions } = await webAuthn()
  return generateRegistrationOptions({
    rpName: 'Vezne',
    rpID,
    userName: session.name,
    userID: new Uint8Array(Buffer.from(session.loginId)),
    challenge: await newChallenge(app, 'register', session),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

/** Adds a passkey. With the first second factor of a login come its recovery codes. Returns a new token. */
export function registerPasskey(
  app: PasskeyDeps & LoginDeps,
  session: Session | UnfinishedSession,
  given: { response: RegistrationResponseJSON; label: string },
  visitor: Partial<Visitor> = {},
): Promise<LoggedIn & { recoveryCodes: string[] }> {
  return recordSetUp(app, session, 'passkey', visitor, () => register(app, session, given, visitor))
}

async function register(
  app: PasskeyDeps,
  session: Session | UnfinishedSession,
  { response, label }: { response: RegistrationResponseJSON; label: string },
  visitor: Partial<Visitor>,
): Promise<LoggedIn & { recoveryCodes: string[] }> {
  mustBeAllowed(session)
  const name = readLabel(label)
  const login = await findLoginById(app, app.db, session.loginId)
  if (!login) throw logInAgain()
  const attempt = await beginProof(app, session)
  const { id, publicKey, counter, transports = [] } = await verifyRegistration(app, response, session)
  return app.db.transaction(async (tx) => {
    if (!(await lockLogin(tx, login.id))) throw logInAgain()
    const key = Buffer.from(publicKey).toString('base64url')
    const passkey = { id, loginId: login.id, publicKey: key, counter, transports, label: name }
    const mark = await passkeyMark(app.marks, passkey)
    if (!(await insertPasskey(tx, { ...passkey, mark, createdAt: app.clock.now() }))) throw notVerified()
    const recoveryCodes = (await countRecoveryCodes(tx, login.id)) > 0 ? [] : await makeRecoveryCodes(app, tx, login.id)
    const after = { label: name, ...(recoveryCodes.length > 0 && { recoveryCodes: recoveryCodes.length }) }
    await auditOwn(app, tx, personIn(session, login, visitor), 'login.add_passkey', { after })
    if ('needs' in session) await passwordSucceeded(tx, login, visitor)
    return { ...(await finishSession(app, tx, session, login, visitor, attempt)), recoveryCodes }
  })
}

const MAX_LABEL = 60

/** Among them characters that turn the text around them: a name must not look like another. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu

function readLabel(label: string): string {
  const name = label.replaceAll(INVISIBLE, ' ').trim()
  if (name.length === 0 || name.length > MAX_LABEL)
    throw refuseField('label', 'length_wrong', { least: 1, most: MAX_LABEL })
  return name
}

export async function renamePasskey(app: PasskeyDeps, session: Session, id: string, label: string): Promise<void> {
  mustBeSteppedUp(session)
  const name = readLabel(label)
  const { loginId } = session
  await app.db.transaction(async (tx) => {
    const before = await labelOf(tx, loginId, id)
    await updateLabel(tx, { loginId, id }, name)
    await auditOwn(app, tx, session, 'login.rename_passkey', { before: { label: before }, after: { label: name } })
  })
}

async function labelOf(tx: Tx, loginId: string, id: string): Promise<string> {
  if (!(await lockLogin(tx, loginId))) throw logInAgain()
  const passkey = (await selectPasskeys(tx, loginId)).find((one) => one.id === id)
  if (!passkey) throw refuse('passkey_unknown')
  return passkey.label
}

/** Not the last second factor: a password that was long enough with one may be too short without. */
export async function removePasskey(app: PasskeyDeps, session: Session, id: string): Promise<void> {
  mustBeSteppedUp(session)
  await app.db.transaction(async (tx) => {
    const label = await labelOf(tx, session.loginId, id)
    await deletePasskeys(tx, { loginId: session.loginId, id })
    if (!(await hasFactor(tx, session.loginId))) throw refuse('second_factor_last')
    await auditOwn(app, tx, session, 'login.remove_passkey', { before: { label } })
  })
}
