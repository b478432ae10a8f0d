import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import {
  acceptInvitation,
  confirmTotp,
  findSession,
  findUnfinishedSession,
  inviteOperator,
  listFactors,
  logIn,
  logInWithPasskey,
  passkeyLogin,
  passkeyProof,
  passkeyRegistration,
  passSecondFactor,
  passSecondFactorWithPasskey,
  registerPasskey,
  removePasskey,
  renamePasskey,
  setUpTotp,
  stepUpWithPasskey,
} from '../../packages/server/src/domain/identity/index.ts'
import { addOperator, DECIDING, disableOperator } from '../../packages/server/src/domain/people/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { softwarePasskey } from '../harness/authenticator.ts'
import {
  authenticator,
  cheap,
  enter,
  HOME,
  later,
  merchantUser,
  operatorWithLogin,
  PASSWORD,
  sessionOf,
} from '../harness/logins.ts'
import { startSecondProcess, startService } from '../harness/service.ts'

const service = await startService()
const ORIGIN = 'https://pay.example'
const app = { ...cheap(service.app), publicUrl: () => `${ORIGIN}/vezne` }
const live = { ...app, sandbox: false }
await addOperator(app, UNATTRIBUTED, 'boss.admin', DECIDING)
const NOT_VERIFIED = { why: 'passkey_not_verified' }
const password = PASSWORD

/** An operator in live whose second factor is a passkey. */
async function withPasskey(name: string, counts = true) {
  await operatorWithLogin(live, name)
  const { token, needs } = await logIn(live, { audience: 'operator', name, password }, HOME)
  assert.equal(needs, 'set_up')
  const unfinished = (await findUnfinishedSession(live, 'operator', token)) ?? assert.fail()
  const passkey = softwarePasskey({ origin: ORIGIN, counts })
  const options = await passkeyRegistration(live, unfinished)
  const done = await registerPasskey(live, unfinished, { response: passkey.create(options), label: 'telefon' })
  return { passkey, ...done, session: await sessionOf(live, 'operator', done.token) }
}

const begin = async (name: string) => (await logIn(live, { audience: 'operator', name, password }, HOME)).token
const unfinishedOf = async (token: string) =>
  (await findUnfinishedSession(live, 'operator', token)) ?? assert.fail('no session')

test('a passkey is a second factor: set up in live, with recovery codes, for the host of the public address', async () => {
  const { passkey, session, recoveryCodes } = await withPasskey('ada.aksoy')
  assert.equal(recoveryCodes.length, 10)
  const { passkeys, totp } = await listFactors(live, session)
  assert.deepEqual([passkeys.map(({ id, label }) => [id, label]), totp], [[[passkey.id, 'telefon']], false])
  const token = await begin('ada.aksoy')
  const unfinished = await unfinishedOf(token)
  assert.equal(unfinished.needs, 'second_factor')
  const options = await passkeyProof(live, unfinished)
  assert.equal(options.rpId, 'pay.example')
  assert.deepEqual(
    options.allowCredentials?.map(({ id }) => id),
    [passkey.id],
  )
  const answer = { audience: 'operator', token, response: passkey.get(options, { verified: false }) } as const
  const done = await passSecondFactorWithPasskey(live, answer, HOME)
  assert.ok(await findSession(live, 'operator', done.token))
  await passSecondFactor(
    live,
    { audience: 'operator', token: await begin('ada.aksoy'), code: recoveryCodes[0] ?? '' },
    HOME,
  )
})

test('who proves again who is there with a passkey is verified by the device', async () => {
  const { passkey, session } = await withPasskey('zeki.zor')
  const options = await passkeyProof(live, session)
  assert.equal(options.userVerification, 'required')
  const touched = passkey.get(options, { verified: false })
  await assert.rejects(stepUpWithPasskey(live, session, touched), NOT_VERIFIED)
  await stepUpWithPasskey(live, session, passkey.get(await passkeyProof(live, session)))
})

test('a challenge works once, for five minutes, and for what it was made', async () => {
  const { passkey, session } = await withPasskey('bora.boz')
  const used = await passkeyProof(live, session)
  await stepUpWithPasskey(live, session, passkey.get(used))
  await assert.rejects(stepUpWithPasskey(live, session, passkey.get(used)), NOT_VERIFIED, 'used')
  const old = await passkeyProof(live, session)
  await assert.rejects(stepUpWithPasskey(later(live, 301), session, passkey.get(old)), NOT_VERIFIED, 'too old')
  const forLogin = await passkeyLogin(live)
  await assert.rejects(stepUpWithPasskey(live, session, passkey.get(forLogin)), NOT_VERIFIED, 'for a login')
  const forProof = await passkeyProof(live, session)
  const entering = (response: ReturnType<typeof passkey.get>) =>
    logInWithPasskey(live, { audience: 'operator', response }, HOME)
  await assert.rejects(entering(passkey.get(forProof)), NOT_VERIFIED, 'for a proof')
  const failed = await passkeyProof(live, session)
  await assert.rejects(
    stepUpWithPasskey(live, session, passkey.get(failed, { at: 'https://evil.example' })),
    NOT_VERIFIED,
  )
  await assert.rejects(stepUpWithPasskey(live, session, passkey.get(failed)), NOT_VERIFIED, 'an answer uses it up')
})

test('a challenge works in the session that it was made in, and in no frame of another origin', async () => {
  const { passkey, session } = await withPasskey('kaan.kurt')
  const other = await unfinishedOf(await begin('kaan.kurt'))
  const ofOther = passkey.get(await passkeyProof(live, other))
  await assert.rejects(stepUpWithPasskey(live, session, ofOther), NOT_VERIFIED, 'of another session')
  const framed = passkey.get(await passkeyProof(live, session), { framed: true })
  await assert.rejects(stepUpWithPasskey(live, session, framed), NOT_VERIFIED, 'framed')
  const second = softwarePasskey({ origin: ORIGIN })
  const register = async (options: { framed?: boolean }, made = session) => {
    const response = second.create(await passkeyRegistration(live, made), options)
    return registerPasskey(live, session, { response, label: 'x' })
  }
  await assert.rejects(register({ framed: true }), NOT_VERIFIED, 'framed')
  const { token } = await logInWithPasskey(
    live,
    { audience: 'operator', response: passkey.get(await passkeyLogin(live)) },
    HOME,
  )
  await assert.rejects(register({}, await sessionOf(live, 'operator', token)), NOT_VERIFIED, 'of another session')
  await register({})
})

const FRAMES: object[] = [{ crossOrigin: 'true' }, { crossOrigin: 1 }, { crossOrigin: null }]
const TOPS = ['https://evil.example', 'https://pay.example.evil.example', 7, null].map((topOrigin) => ({ topOrigin }))

test('what a browser says about frames counts unless it is plainly ours', async () => {
  const { passkey, session } = await withPasskey('lale.lam')
  const second = softwarePasskey({ origin: ORIGIN })
  const add = async (client: object) => {
    const response = second.create(await passkeyRegistration(live, session), { client })
    return registerPasskey(live, session, { response, label: 'x' })
  }
  for (const client of [...FRAMES, ...TOPS]) {
    const said = JSON.stringify(client)
    const proof = passkey.get(await passkeyProof(live, session), { client })
    await assert.rejects(stepUpWithPasskey(live, session, proof), NOT_VERIFIED, said)
    const response = passkey.get(await passkeyLogin(live), { client })
    await assert.rejects(logInWithPasskey(live, { audience: 'operator', response }, HOME), NOT_VERIFIED, said)
    await assert.rejects(add(client), NOT_VERIFIED, said)
  }
  const proof = passkey.get(await passkeyProof(live, session), { client: { crossOrigin: undefined } })
  await stepUpWithPasskey(live, session, proof)
  await add({ crossOrigin: undefined, topOrigin: ORIGIN })
})

test('the name of a passkey has no characters that are invisible or turn the text around', async () => {
  const { session } = await withPasskey('mert.mum')
  const passkey = softwarePasskey({ origin: ORIGIN })
  const response = passkey.create(await passkeyRegistration(live, session))
  await registerPasskey(live, session, { response, label: '\u202Enof\u2066 elet\u200B\n' })
  const labels = async () => (await listFactors(live, session)).passkeys.map(({ label }) => label)
  assert.deepEqual(await labels(), ['telefon', 'nof  elet'])
  await renamePasskey(live, session, passkey.id, 'i\u202Eş')
  assert.deepEqual(await labels(), ['telefon', 'i ş'])
  await assert.rejects(renamePasskey(live, session, passkey.id, '\u202E\u2069'), { code: 'VALIDATION_ERROR' })
})

test('a look at the login by passkey stores nothing; its challenge works once, for five minutes, unchanged', async () => {
  const { passkey } = await withPasskey('nil.nar', false)
  const stored = async () => (await app.db.query(sql`select from passkey_challenges where purpose = 'log_in'`)).length
  const before = await stored()
  const options = await passkeyLogin(live)
  assert.equal(await stored(), before)
  const enterWith = (response: ReturnType<typeof passkey.get>, on = live) =>
    logInWithPasskey(on, { audience: 'operator', response }, HOME)
  await assert.rejects(enterWith(passkey.get(options), later(live, 301)), NOT_VERIFIED, 'too old')
  const text = Buffer.from(options.challenge, 'base64url').toString()
  const longer = Buffer.from(text.replace(/^\d/, '9')).toString('base64url')
  const forged = passkey.get({ ...options, challenge: longer })
  await assert.rejects(enterWith(forged, later(live, 301)), NOT_VERIFIED, 'changed')
  const other = { ...live, db: (await startSecondProcess(service)).db }
  const outcomes = await Promise.allSettled([live, other].map((one) => enterWith(passkey.get(options), one)))
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  await assert.rejects(enterWith(passkey.get(options)), NOT_VERIFIED, 'used')
})

test('two processes with one answer at once: one accepts it', async () => {
  const { passkey, session } = await withPasskey('cem.can', false)
  const other = { ...live, db: (await startSecondProcess(service)).db }
  const response = passkey.get(await passkeyProof(live, session))
  const outcomes = await Promise.allSettled([live, other].map((one) => stepUpWithPasskey(one, session, response)))
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})

test('without a password: only if the device verified its user, in its own console, while the login works', async () => {
  const { passkey } = await withPasskey('deniz.duman')
  const entering = async (verified = true, audience: 'operator' | 'merchant' = 'operator') => {
    const response = passkey.get(await passkeyLogin(live), { verified })
    return logInWithPasskey(live, { audience, response }, HOME)
  }
  const { token, needs, device } = await entering()
  assert.equal(needs, null)
  assert.ok(device)
  assert.ok((await sessionOf(live, 'operator', token)).steppedUp)
  await assert.rejects(entering(false), NOT_VERIFIED)
  await assert.rejects(entering(true, 'merchant'), NOT_VERIFIED)
  await disableOperator(app, operatorActor('boss.admin'), 'deniz.duman')
  await assert.rejects(entering(), NOT_VERIFIED)
})

test('a counter that does not rise is that of a copy; passkeys that do not count are accepted', async () => {
  const { passkey, session } = await withPasskey('ece.er')
  await stepUpWithPasskey(live, session, passkey.get(await passkeyProof(live, session)))
  passkey.setCounter(0)
  await assert.rejects(stepUpWithPasskey(live, session, passkey.get(await passkeyProof(live, session))), NOT_VERIFIED)
  const synced = await withPasskey('filiz.fer', false)
  for (let times = 0; times < 2; times++)
    await stepUpWithPasskey(live, synced.session, synced.passkey.get(await passkeyProof(live, synced.session)))
})

test('a passkey is of one login: not of another, nor registered twice', async () => {
  const [one, two] = [await withPasskey('gizem.gul'), await withPasskey('halil.han')]
  const options = await passkeyProof(live, two.session)
  await assert.rejects(stepUpWithPasskey(live, two.session, one.passkey.get(options)), NOT_VERIFIED)
  for (const odd of [{}, { id: '\0' }, { id: two.passkey.id }, { ...two.passkey.get(options), response: null }])
    await assert.rejects(stepUpWithPasskey(live, two.session, odd as never), NOT_VERIFIED)
  const again = one.passkey.create(await passkeyRegistration(live, two.session))
  await assert.rejects(registerPasskey(live, two.session, { response: again, label: 'x' }), NOT_VERIFIED)
  const unfinished = await unfinishedOf(await begin('gizem.gul'))
  await assert.rejects(passkeyRegistration(live, unfinished), { why: 'second_factor_not_passed' })
})

test('the last second factor stays; an invitation removes all', async () => {
  const { passkey, session } = await withPasskey('inci.ince')
  await assert.rejects(removePasskey(live, session, passkey.id), { why: 'second_factor_last' })
  await assert.rejects(removePasskey(live, session, 'unknown'), { why: 'passkey_unknown' })
  const { secret } = await setUpTotp(live, session)
  const { token } = await confirmTotp(live, session, authenticator(secret)(live))
  await removePasskey(live, await sessionOf(live, 'operator', token), passkey.id)
  assert.deepEqual((await listFactors(live, session)).passkeys, [])
  const { passkey: lost } = await withPasskey('jale.jon')
  const invited = await inviteOperator(app, operatorActor('boss.admin'), 'jale.jon')
  await acceptInvitation(app, { token: invited.token, password })
  const response = lost.get(await passkeyLogin(live))
  await assert.rejects(logInWithPasskey(live, { audience: 'operator', response }, HOME), NOT_VERIFIED)
})

test("a merchant's user adds one, with a label, after a fresh proof", async () => {
  const { merchantId } = await service.merchant()
  await merchantUser(app, merchantId, 'ayla@shop.example')
  const { session } = await enter(app, 'merchant', 'ayla@shop.example')
  await assert.rejects(passkeyRegistration(app, { ...session, steppedUp: false }), { why: 'proof_needed' })
  const response = softwarePasskey({ origin: ORIGIN }).create(await passkeyRegistration(app, session))
  await assert.rejects(registerPasskey(app, session, { response, label: ' ' }), {
    said: { why: 'length_wrong', facts: { least: 1, most: 60 } },
  })
  const { token } = await registerPasskey(app, session, { response, label: ' anahtar ' })
  assert.equal((await listFactors(app, session)).passkeys[0]?.label, 'anahtar')
  assert.ok(await findSession(app, 'merchant', token))
})
