import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import {
  confirmTotp,
  findSession,
  findUnfinishedSession,
  listFactors,
  logIn,
  newRecoveryCodes,
  passSecondFactor,
  setUpTotp,
  stepUp,
} from '../../packages/server/src/domain/identity/index.ts'
import { addOperator, DECIDING, disableOperator } from '../../packages/server/src/domain/people/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
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
  setUpInLive,
} from '../harness/logins.ts'
import { startSecondProcess, startService } from '../harness/service.ts'

const service = await startService()
// Both clocks stand still: a code could be of the next thirty seconds, and a wait could be over.
const realClock = { now: () => new Date(1_800_000_000_000) }
const started = service.app.clock.now()
const app = { ...cheap(service.app), realClock, clock: { ...service.app.clock, now: () => started } }
const live = { ...app, sandbox: false }
await addOperator(app, UNATTRIBUTED, 'boss.admin', DECIDING)

const password = PASSWORD
const WRONG = { why: 'second_factor_code_wrong' }
const begin = async (name: string) => {
  const { token, needs } = await logIn(live, { audience: 'operator', name, password }, HOME)
  assert.equal(needs, 'second_factor')
  return token
}
const pass = (token: string, code: string, its = live) =>
  passSecondFactor(its, { audience: 'operator', token, code }, HOME)

test('live: an operator must set up a second factor; until then the password opens nothing', async () => {
  await operatorWithLogin(live, 'ada.aksoy')
  const { token, needs, device } = await logIn(live, { audience: 'operator', name: 'ada.aksoy', password }, HOME)
  assert.deepEqual([needs, device], ['set_up', null])
  assert.equal(await findSession(live, 'operator', token), null)
  assert.equal(await findUnfinishedSession(later(live, 16 * 60), 'operator', token), null)
  const unfinished = (await findUnfinishedSession(live, 'operator', token)) ?? assert.fail()
  await assert.rejects(confirmTotp(live, unfinished, '123456'), { why: 'second_factor_secret_missing' })
  const { secret, uri } = await setUpTotp(live, unfinished)
  assert.equal(uri, `otpauth://totp/Vezne%3Aada.aksoy?secret=${secret}&issuer=Vezne`)
  await assert.rejects(confirmTotp(live, unfinished, '000000'), WRONG)
  const done = await confirmTotp(live, unfinished, authenticator(secret)(live))
  assert.equal(done.recoveryCodes.length, 10)
  assert.ok((await sessionOf(live, 'operator', done.token)).hasSecondFactor)
  assert.equal(await findUnfinishedSession(live, 'operator', token), null, 'the token from before is worth nothing')
  assert.equal((await app.db.query(sql`select 1 from totp_secrets where sealed not like 'v2.%'`)).length, 0)
})

test('live: users of a merchant who decide about money, keys or people need one, too; support does not', async () => {
  const { merchantId } = await service.merchant()
  for (const role of ['owner', 'finance', 'developer', 'support']) {
    await merchantUser(live, merchantId, `${role}@second.example`, role)
    const given = { audience: 'merchant' as const, name: `${role}@second.example`, password }
    const expected = role === 'support' ? null : 'set_up'
    const { token, needs } = await logIn(live, given, HOME)
    assert.equal(needs, expected, role)
    assert.equal((await findSession(live, 'merchant', token)) === null, expected !== null, role)
    assert.equal((await logIn(app, given, HOME)).needs, null, 'in a sandbox')
  }
})

test('every step of a login is logged and counted, with network and a hash of the name; what was not looked at is counted', async () => {
  const lines: object[] = []
  const log = { info: (line: object) => void lines.push(line), warn: (line: object) => void lines.push(line) }
  const its = { ...live, log: { ...live.log, ...log } }
  await operatorWithLogin(live, 'zehra.zor')
  const { recoveryCodes } = await setUpInLive(live, 'zehra.zor')
  const given = { audience: 'operator' as const, name: 'Zehra.Zor', password }
  await assert.rejects(logIn(its, { ...given, password: 'a wrong password' }, HOME))
  const { token } = await logIn(its, given, HOME)
  await assert.rejects(pass(token, '000000', its))
  await pass(token, recoveryCodes[0] ?? '', its)
  const who = (await live.marks.of('login events', ['operator', 'zehra.zor'])).slice(0, 16)
  const step = (factor: string, outcome: string) => ({
    audience: 'operator',
    factor,
    outcome,
    who,
    network: '192.0.2.0/24',
  })
  assert.deepEqual(lines, [
    step('password', 'refused'),
    step('password', 'next_factor'),
    step('code', 'refused'),
    step('code', 'logged_in'),
  ])
  for (let times = 0; times < 6; times++)
    await assert.rejects(logIn(its, { ...given, name: 'nobody', password: 'a wrong password' }, HOME))
  assert.equal(lines.length, 9, 'the sixth was held up')
  const { values } = await live.metrics.logins.get()
  const count = (factor: string, outcome: string) =>
    values.find(({ labels }) => labels.factor === factor && labels.outcome === outcome)?.value ?? 0
  assert.deepEqual([count('code', 'refused') > 0, count('password', 'held_up')], [true, 1])
})

test('a code works once, for its own thirty seconds and those beside them', async () => {
  await operatorWithLogin(live, 'bora.boz')
  const { codes } = await setUpInLive(live, 'bora.boz')
  const token = await begin('bora.boz')
  assert.equal(await findSession(live, 'operator', token), null)
  await assert.rejects(pass(token, codes(live)), WRONG, 'used to set it up')
  await assert.rejects(pass(token, codes(live, 2)), WRONG, 'too early')
  const done = await pass(token, codes(live, 1))
  const session = await sessionOf(live, 'operator', done.token)
  await assert.rejects(pass(token, codes(live, 1)), { why: 'login_ended' })
  await assert.rejects(pass(await begin('bora.boz'), codes(live, 1)), WRONG)
  await assert.rejects(stepUp(live, session, { code: codes(live, 1) }), WRONG)
})

test('two processes with the same code at once: one gets in', async () => {
  await operatorWithLogin(live, 'cem.can')
  const { codes } = await setUpInLive(live, 'cem.can')
  const other = { ...cheap(await startSecondProcess(service), false), realClock }
  const tokens = [await begin('cem.can'), await begin('cem.can')] as const
  const outcomes = await Promise.allSettled([
    pass(tokens[0], codes(live, 1)),
    pass(tokens[1], codes(live, 1), { ...live, ...other }),
  ])
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})

test('a recovery code works once, however it is written; new ones replace all', async () => {
  await operatorWithLogin(live, 'deniz.duman')
  const { recoveryCodes } = await setUpInLive(live, 'deniz.duman')
  const [first = '', second = ''] = recoveryCodes
  const { token } = await pass(await begin('deniz.duman'), ` ${first.toUpperCase().replaceAll('-', '')}`)
  const session = await sessionOf(live, 'operator', token)
  assert.deepEqual(await listFactors(app, session), { totp: true, passkeys: [], recoveryCodes: 9 })
  await assert.rejects(pass(await begin('deniz.duman'), first), WRONG)
  await assert.rejects(newRecoveryCodes(live, { ...session, steppedUp: false }), { why: 'proof_needed' })
  const [fresh = ''] = await newRecoveryCodes(live, session)
  await assert.rejects(pass(await begin('deniz.duman'), second), WRONG)
  await pass(await begin('deniz.duman'), fresh)
})

test('who has only the password cannot replace the second factor', async () => {
  await operatorWithLogin(live, 'ece.er')
  await setUpInLive(live, 'ece.er')
  const unfinished = (await findUnfinishedSession(live, 'operator', await begin('ece.er'))) ?? assert.fail()
  await assert.rejects(setUpTotp(live, unfinished), { why: 'second_factor_not_passed' })
  await assert.rejects(confirmTotp(live, unfinished, '123456'), { why: 'second_factor_not_passed' })
})

test('an operator who is disabled between password and code does not get in', async () => {
  await operatorWithLogin(live, 'filiz.fer')
  const { codes } = await setUpInLive(live, 'filiz.fer')
  const token = await begin('filiz.fer')
  await disableOperator(app, operatorActor('boss.admin'), 'filiz.fer')
  await assert.rejects(pass(token, codes(live, 1)), { why: 'login_ended' })
})

test("a merchant's user may set one up; then every login asks for it, and other sessions end", async () => {
  const { merchantId } = await service.merchant()
  await merchantUser(live, merchantId, 'ayla@shop.example', 'support')
  const [own, other] = [
    await enter(live, 'merchant', 'ayla@shop.example'),
    await enter(live, 'merchant', 'ayla@shop.example'),
  ]
  await assert.rejects(setUpTotp(live, { ...own.session, steppedUp: false }), { why: 'proof_needed' })
  const { secret } = await setUpTotp(live, own.session)
  const { token } = await confirmTotp(live, own.session, authenticator(secret)(live))
  assert.ok(await findSession(live, 'merchant', token))
  assert.equal(await findSession(live, 'merchant', other.token), null)
  const { needs } = await logIn(live, { audience: 'merchant', name: 'ayla@shop.example', password }, HOME)
  assert.equal(needs, 'second_factor')
})

test('guessing codes has to wait longer and longer, and only who has the password can cause that', async () => {
  await operatorWithLogin(live, 'gizem.gul')
  const { codes, device } = await setUpInLive(live, 'gizem.gul')
  const token = await begin('gizem.gul')
  for (let tries = 0; tries < 10; tries++) await assert.rejects(pass(token, '000000'), WRONG)
  await assert.rejects(pass(token, codes(live, 1)), { code: 'RATE_LIMITED', retryAfterSeconds: 1 })
  const known = { ...HOME, device }
  await passSecondFactor(live, { audience: 'operator', token, code: codes(live, 1) }, known)
})

test('logins with a second factor leave no failures behind, and those of others do not hold up a session', async () => {
  await operatorWithLogin(live, 'halil.han')
  const { recoveryCodes, session } = await setUpInLive(live, 'halil.han')
  for (const code of recoveryCodes.slice(0, 8)) await pass(await begin('halil.han'), code)
  const stranger = await begin('halil.han')
  for (let tries = 0; tries < 10; tries++) await assert.rejects(pass(stranger, '000000'), WRONG)
  await assert.rejects(pass(stranger, '000000'), { code: 'RATE_LIMITED' })
  await stepUp(live, session, { password })
})
