import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorName, operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import {
  changePassword,
  csrfFits,
  disableLogin,
  findSession,
  listLogins,
  listSessions,
  logIn,
  logOut,
  mustBeSteppedUp,
  pruneLogins,
  revokeSession,
  stepUp,
} from '../../packages/server/src/domain/identity/index.ts'
import { freezeMerchant, unfreezeMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import {
  addOperator,
  DECIDING,
  disableOperator,
  isProofNeeded,
  setRoles,
} from '../../packages/server/src/domain/people/index.ts'
import { resendFailed } from '../../packages/server/src/domain/webhooks/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import {
  cheap,
  enter,
  from,
  HOME,
  later,
  merchantUser,
  operatorWithLogin,
  PASSWORD,
  sessionOf,
} from '../harness/logins.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const app = cheap(service.app)
await addOperator(app, UNATTRIBUTED, 'boss.admin', DECIDING)
const BOSS = operatorActor('boss.admin')
const { merchantId } = await service.merchant()
const MINUTE = 60
const HOUR = 3600

test('a session tells who it is, with the roles of this moment, and only in its own console', async () => {
  await operatorWithLogin(app, 'ada.aksoy', ['cashier'])
  const { token, session } = await enter(app, 'operator', ' Ada.Aksoy ')
  assert.deepEqual([session.name, session.roles, session.merchantId], ['ada.aksoy', ['cashier'], null])
  assert.deepEqual(session.actor, { ...operatorActor('ada.aksoy'), proved: true })
  await setRoles(app, BOSS, 'ada.aksoy', ['viewer'])
  assert.deepEqual((await sessionOf(app, 'operator', token)).roles, ['viewer'])
  assert.equal(await findSession(app, 'merchant', token), null)
  for (const wrong of ['', 'x'.repeat(43), `${token} `]) assert.equal(await findSession(app, 'operator', wrong), null)
})

test("a merchant's user has an actor of its own, whose stored text never changes", async () => {
  await merchantUser(app, merchantId, 'Ayla@Shop.example')
  const { session } = await enter(app, 'merchant', 'ayla@shop.example')
  const own = { kind: 'merchant_user', merchantId, login: session.loginId, role: 'owner' }
  assert.deepEqual(session.actor, { ...own, proved: true })
  assert.equal(actorName(session.actor), `merchant:${merchantId}:${session.loginId}`)
})

test('the token is stored as a digest only, and the CSRF token is another secret of the session', async () => {
  await operatorWithLogin(app, 'cem.can')
  const [one, two] = [await enter(app, 'operator', 'cem.can'), await enter(app, 'operator', 'cem.can')]
  const stored = JSON.stringify(await app.db.query(sql`select s::text from sessions s`))
  assert.ok(!stored.includes(one.token) && !stored.includes(one.session.csrf))
  assert.ok(csrfFits(one.session, one.session.csrf))
  for (const wrong of [two.session.csrf, '', one.token]) assert.ok(!csrfFits(one.session, wrong))
})

test('a session ends after thirty minutes without use, and 12 hours after the login', async () => {
  await operatorWithLogin(app, 'deniz.duman')
  const { token } = await enter(app, 'operator', 'deniz.duman')
  assert.ok(await findSession(later(app, 29 * MINUTE), 'operator', token))
  assert.ok(await findSession(later(app, 58 * MINUTE), 'operator', token), 'used again in time')
  assert.equal(await findSession(later(app, 89 * MINUTE), 'operator', token), null)
  const other = await enter(app, 'operator', 'deniz.duman')
  for (let minutes = 20; minutes < 12 * 60; minutes += 20)
    assert.ok(await findSession(later(app, minutes * MINUTE), 'operator', other.token), `${minutes}`)
  assert.equal(await findSession(later(app, 12 * HOUR + 1), 'operator', other.token), null)
  await merchantUser(app, merchantId, 'long@shop.example')
  const { session } = await enter(app, 'merchant', 'long@shop.example')
  assert.equal(session.endsAt.getTime() - session.createdAt.getTime(), 24 * HOUR * 1000)
})

test('the time of the last use is written at most once a minute', async () => {
  await operatorWithLogin(app, 'ece.er')
  const { token, session } = await enter(app, 'operator', 'ece.er')
  const written = async (seconds: number) => {
    await findSession(later(app, seconds), 'operator', token)
    const [row] = await listSessions(later(app, seconds), { loginId: session.loginId })
    return row?.lastUsedAt.getTime()
  }
  const first = await written(0)
  assert.equal(await written(50), first)
  assert.notEqual(await written(70), first)
})

test('sessions are listed with where they come from, and each can be ended', async () => {
  await operatorWithLogin(app, 'filiz.fer', ['viewer'])
  const own = await enter(app, 'operator', 'filiz.fer')
  const visitor = { ...from('2001:db8::7'), userAgent: 'b'.repeat(500) }
  const { token } = await logIn(app, { audience: 'operator', name: 'filiz.fer', password: PASSWORD }, visitor)
  const listed = await listSessions(app, { loginId: own.session.loginId })
  assert.deepEqual(listed.map(({ address }) => String(address)).toSorted(), ['192.0.2.10', '2001:db8::7'])
  assert.ok(listed.every(({ userAgent }) => (userAgent?.length ?? 0) <= 200))
  const second = await sessionOf(app, 'operator', token)
  await operatorWithLogin(app, 'gizem.gul', ['viewer'])
  await assert.rejects(revokeSession(app, operatorActor('gizem.gul'), second.id), {
    said: { why: 'operator_without_right', facts: { name: 'gizem.gul', action: 'session.revoke', needs: ['admin'] } },
  })
  await revokeSession(app, own.session.actor, second.id)
  assert.equal(await findSession(app, 'operator', token), null)
  await logOut(app, own.session)
  assert.equal(await findSession(app, 'operator', own.token), null)
  const again = await enter(app, 'operator', 'filiz.fer')
  await revokeSession(app, BOSS, again.session.id)
  assert.equal(await findSession(app, 'operator', again.token), null)
})

test('disabling the operator, or the login, ends all its sessions at once; a new login can be made', async () => {
  await operatorWithLogin(app, 'halil.han')
  const { token } = await enter(app, 'operator', 'halil.han')
  await disableOperator(app, BOSS, 'halil.han')
  assert.equal(await findSession(app, 'operator', token), null)
  await assert.rejects(enter(app, 'operator', 'halil.han'), {
    said: { why: 'login_wrong', facts: { audience: 'operator' } },
  })
  await merchantUser(app, merchantId, 'temp@shop.example')
  const user = await enter(app, 'merchant', 'temp@shop.example')
  await disableLogin(app, BOSS, user.session.loginId)
  assert.equal(await findSession(app, 'merchant', user.token), null)
  await assert.rejects(enter(app, 'merchant', 'temp@shop.example'), {
    said: { why: 'login_wrong', facts: { audience: 'merchant' } },
  })
  await merchantUser(app, merchantId, 'temp@shop.example', 'support')
  assert.deepEqual((await enter(app, 'merchant', 'temp@shop.example')).session.roles, ['support'])
})

test('money and keys take a proof of the last ten minutes', async () => {
  await operatorWithLogin(app, 'inci.ince')
  const { token, session } = await enter(app, 'operator', 'inci.ince')
  mustBeSteppedUp(session)
  const afterwards = later(app, 11 * MINUTE)
  const old = await sessionOf(afterwards, 'operator', token)
  assert.throws(() => mustBeSteppedUp(old), isProofNeeded)
  await assert.rejects(setRoles(app, old.actor, 'cem.can', ['viewer']), isProofNeeded)
  assert.equal(await resendFailed(app, old.actor, merchantId, new Date(0)), 0, 'moves neither money nor rights')
  await freezeMerchant(app, old.actor, merchantId, 'stolen key')
  await assert.rejects(unfreezeMerchant(app, old.actor, merchantId, 'a new key'), isProofNeeded)
  await unfreezeMerchant(app, BOSS, merchantId, 'a new key')
  const other = await enter(app, 'operator', 'inci.ince')
  await revokeSession(app, old.actor, other.session.id)
  await assert.rejects(stepUp(afterwards, old, { password: 'not the password' }), { why: 'password_wrong' })
  await assert.rejects(stepUp(afterwards, old, { code: '123456' }), { why: 'second_factor_code_wrong' })
  await stepUp(afterwards, old, { password: PASSWORD })
  mustBeSteppedUp(await sessionOf(afterwards, 'operator', token))
  assert.equal((await sessionOf(later(app, 22 * MINUTE), 'operator', token)).steppedUp, false)
})

test('a new password ends all other sessions', async () => {
  await operatorWithLogin(app, 'jale.jon')
  const [kept, other] = [await enter(app, 'operator', 'jale.jon'), await enter(app, 'operator', 'jale.jon')]
  const next = 'bambaşka uzun bir cümle'
  await assert.rejects(changePassword(app, kept.session, { current: 'wrong', next }), { why: 'password_wrong' })
  await assert.rejects(changePassword(app, kept.session, { current: PASSWORD, next: 'short' }), {
    said: { why: 'password_too_short', facts: { min: 15 } },
  })
  await changePassword(app, kept.session, { current: PASSWORD, next })
  assert.ok(await findSession(app, 'operator', kept.token))
  assert.equal(await findSession(app, 'operator', other.token), null)
  await assert.rejects(enter(app, 'operator', 'jale.jon'), {
    said: { why: 'login_wrong', facts: { audience: 'operator' } },
  })
  assert.ok(await logIn(app, { audience: 'operator', name: 'jale.jon', password: next }, HOME))
})

test('a password that was hashed at a lower cost is hashed again at the next login', async () => {
  await operatorWithLogin(app, 'kaan.kar')
  const higher = { ...app, passwordCost: { memory: 128, passes: 2, parallelism: 1 } }
  const stored = async () =>
    JSON.stringify(await app.db.query(sql`select password from logins where name = 'kaan.kar' and disabled_at is null`))
  assert.match(await stored(), /\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  await enter(higher, 'operator', 'kaan.kar')
  assert.match(await stored(), /\$argon2id\$v=19\$m=128,t=2,p=1\$/)
  await enter(app, 'operator', 'kaan.kar')
  assert.match(await stored(), /m=128,t=2/)
})

test('what has ended is deleted after thirty days', async () => {
  await operatorWithLogin(app, 'lale.lim')
  const { session } = await enter(app, 'operator', 'lale.lim')
  const rows = () => app.db.query(sql`select 1 from sessions where id = ${session.id}`)
  await pruneLogins(later(app, 29 * 24 * HOUR))
  assert.equal((await rows()).length, 1)
  await pruneLogins(later(app, 31 * 24 * HOUR))
  assert.equal((await rows()).length, 0)
  assert.ok((await listLogins(app.db, { audience: 'operator' })).some(({ name }) => name === 'lale.lim'))
})
