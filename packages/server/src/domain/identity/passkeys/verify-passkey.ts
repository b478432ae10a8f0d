import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Tx } from '../../../platform/postgres/db.ts'
import { digestOf } from '../../../platform/crypto/tokens.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { IdentityDeps } from '../identity.ts'
import { plusSeconds } from '../identity.ts'
import { passkeyMark } from '../mark-logins.ts'
import type { UnfinishedSession } from '../sessions/session.ts'
import type { Passkey, Purpose } from './store.ts'
import { findPasskey, insertChallenge, spendChallenge, takeChallenge, updateCounter } from './store.ts'

/** Passkeys belong to the host of the public address, and are used from its origin only. */
export type PasskeyDeps = IdentityDeps & { publicUrl: () => string }

const CHALLENGE_SECONDS = 300

/** Ed25519, ES256 and RS256 (COSE numbers): what authenticators have. */
export const ALGORITHMS = [-8, -7, -257]

/** Loaded when it is used: it takes as long as all other commands of the command line together. */
export const webAuthn = () => import('@simplewebauthn/server')

export function relyingParty({ publicUrl }: PasskeyDeps): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl())
  return { rpID: hostname, origin }
}

/** Browsers have passkeys for names only, and only where the page cannot be read on its way. */
export function takesPasskeys({ publicUrl }: Pick<PasskeyDeps, 'publicUrl'>): boolean {
  const { protocol, hostname } = new URL(publicUrl())
  if (/^[\d.]+$|^\[/.test(hostname)) return false
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}

/** Whose challenge it is; null before anyone is known. */
type Asked = { id: string; loginId: string; needs?: UnfinishedSession['needs'] } | null

/** Without a password that was just given: the device must have asked for a finger, a face or a PIN. */
export const isAlone = (session: Asked) => session?.needs === undefined

/** A new challenge, stored for five minutes. */
export async function newChallenge(app: PasskeyDeps, purpose: Purpose, session: NonNullable<Asked>) {
  const challenge = new Uint8Array(app.random.bytes(32))
  const stored = challengeRow(Buffer.from(challenge).toString('base64url'), purpose, session)
  const expiresAt = plusSeconds(app.clock.now(), CHALLENGE_SECONDS)
  await app.db.oneStatement((tx) => insertChallenge(tx, stored, expiresAt))
  return challenge
}

/** With its end and a mark instead of a row: anyone may ask for one. It is stored when it is used. */
export async function newLoginChallenge(app: PasskeyDeps): Promise<Uint8Array<ArrayBuffer>> {
  const endsAt = plusSeconds(app.clock.now(), CHALLENGE_SECONDS).getTime()
  const text = `${endsAt}.${app.random.hex(16)}`
  return new Uint8Array(Buffer.from(`${text}.${await app.marks.of(LOGIN_CHALLENGE, text)}`))
}

const LOGIN_CHALLENGE = 'passkey_challenges'

async function spendLoginChallenge(app: PasskeyDeps, challenge: string): Promise<boolean> {
  const given = Buffer.from(challenge, 'base64url').toString()
  const [, text = '', endsAt, mark = ''] = /^((\d{1,16})\.[0-9a-f]{32})\.([0-9a-f]{64})$/.exec(given) ?? []
  const isOurs = await app.marks.fits(mark, LOGIN_CHALLENGE, text)
  if (!isOurs || Number(endsAt) <= app.clock.now().getTime()) return false
  const row = challengeRow(text, 'log_in', null)
  return app.db.oneStatement((tx) => spendChallenge(tx, row, new Date(Number(endsAt))))
}

/** The hash covers the session, so that the challenge works in no other one of the same person. */
function challengeRow(challenge: string, purpose: Purpose, session: Asked) {
  const hash = digestOf(session ? `${challenge} of ${session.id}` : challenge)
  return { hash, purpose, loginId: session?.loginId ?? null }
}

/** Taken before anything is checked: an answer that does not fit uses it up as well. */
function expectedChallenge(app: PasskeyDeps, purpose: Purpose, session: Asked) {
  if (session === null) return (challenge: string) => spendLoginChallenge(app, challenge)
  return (challenge: string) =>
    app.db.oneStatement((tx) => takeChallenge(tx, challengeRow(challenge, purpose, session), app.clock.now()))
}

export const notVerified = (cause?: unknown) => refuse('passkey_not_verified', {}, { cause })

/** Checks an answer to a challenge. The counter is to be stored in the transaction of what it allows. */
export async function verifyPasskey(
  app: PasskeyDeps,
  response: AuthenticationResponseJSON,
  session: Asked,
): Promise<{ passkey: Passkey; useIt: (tx: Tx) => Promise<void> }> {
  // From a request body: it may be anything.
  const passkey = /^[\w-]{1,2000}$/.test(response.id) ? await findPasskey(app.db, response.id) : null
  if (!passkey || (session && passkey.loginId !== session.loginId)) throw notVerified()
  // One that was written in SQL is not the person's.
  if (passkey.mark !== (await passkeyMark(app.marks, passkey))) throw notVerified()
  const { rpID, origin } = relyingParty(app)
  const { verifyAuthenticationResponse } = await webAuthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: expectedChallenge(app, session ? 'prove' : 'log_in', session),
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: { ...passkey, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')) },
    requireUserVerification: isAlone(session),
  }).catch((error: unknown) => {
    throw notVerified(error)
  })
  if (!verified || isFramed(response, origin)) throw notVerified()
  const useIt = async (tx: Tx) => {
    if (!(await updateCounter(tx, passkey.id, authenticationInfo.newCounter, app.clock.now()))) throw notVerified()
  }
  return { passkey, useIt }
}

/** Whether a page of another origin may have shown ours in a frame; the library does not look. Only for what is verified. */
function isFramed({ response }: AuthenticationResponseJSON | RegistrationResponseJSON, origin: string): boolean {
  const client = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as Record<string, unknown>
  const { crossOrigin = false, topOrigin = origin } = client
  return crossOrigin !== false || topOrigin !== origin
}

export async function verifyRegistration(
  app: PasskeyDeps,
  response: RegistrationResponseJSON,
  session: NonNullable<Asked>,
) {
  const { rpID, origin } = relyingParty(app)
  const { verifyRegistrationResponse } = await webAuthn()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: expectedChallenge(app, 'register', session),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    throw notVerified(error)
  })
  if (!verified || isFramed(response, origin)) throw notVerified()
  return registrationInfo.credential
}
