import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merchantUserActor, operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import {
  acceptInvitation,
  createAdmin,
  findInvitation,
  giveInvitationCode,
  findSession,
  inviteMerchantUser,
  inviteOperator,
  logIn,
} from '../../packages/server/src/domain/identity/index.ts'
import { addOperator, DECIDING, disableOperator } from '../../packages/server/src/domain/people/index.ts'
import type { Said } from '../../packages/server/src/platform/refusal.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { cheap, enter, HOME, later, merchantUser, operatorWithLogin, PASSWORD, setUpInLive } from '../harness/logins.ts'
import { startSecondProcess, startService } from '../harness/service.ts'

const service = await startService()
const app = cheap(service.app)
const live = cheap(service.app, false)
await addOperator(app, UNATTRIBUTED, 'boss.admin', DECIDING)
const BOSS = operatorActor('boss.admin')
const HOURS = 3600
const password = PASSWORD
const EXPIRED = { why: 'invitation_over' }

async function invited(name: string): Promise<string> {
  await addOperator(app, BOSS, name, DECIDING)
  return (await inviteOperator(app, BOSS, name)).token
}

test('an invitation works once, for 72 hours, and is stored as a digest', async () => {
  const token = await invited('ada.aksoy')
  assert.ok(!JSON.stringify(await app.db.query(sql`select i::text from login_invitations i`)).includes(token))
  assert.equal((await findInvitation(later(app, 71 * HOURS), token))?.name, 'ada.aksoy')
  assert.equal(await findInvitation(later(app, 73 * HOURS), token), null)
  await assert.rejects(acceptInvitation(later(app, 73 * HOURS), { token, password }), EXPIRED)
  assert.deepEqual(await acceptInvitation(app, { token, password }), { audience: 'operator', name: 'ada.aksoy' })
  await assert.rejects(acceptInvitation(app, { token, password }), EXPIRED)
  await enter(app, 'operator', 'ada.aksoy')
})

test('two processes accept it at once: one does', async () => {
  const other = cheap(await startSecondProcess(service))
  const token = await invited('bora.boz')
  const outcomes = await Promise.allSettled([app, other].map((one) => acceptInvitation(one, { token, password })))
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})

test('a newer invitation replaces an earlier one', async () => {
  const token = await invited('cem.can')
  const { token: newer } = await inviteOperator(app, BOSS, 'cem.can')
  await assert.rejects(acceptInvitation(app, { token, password }), EXPIRED)
  await acceptInvitation(app, { token: newer, password })
})

test('an operator who was disabled meanwhile gets no login, nor an invitation', async () => {
  const token = await invited('deniz.duman')
  await disableOperator(app, BOSS, 'deniz.duman')
  await assert.rejects(acceptInvitation(app, { token, password }), EXPIRED)
  await assert.rejects(inviteOperator(app, BOSS, 'deniz.duman'), {
    said: { why: 'operator_not_active', facts: { name: 'deniz.duman' } },
  })
})

test('weak passwords are refused, and the invitation stays', async () => {
  const token = await invited('ece.erdem')
  const weak: [string, Said, typeof app?][] = [
    ['on dört harf :', { why: 'password_too_short', facts: { min: 15 } }],
    ['on bir hrf:', { why: 'password_too_short', facts: { min: 12 } }, live],
    ['x'.repeat(201), { why: 'password_too_long', facts: { max: 200 } }],
    ['benim adım Ece.Erdem tamam', { why: 'password_has_name', facts: {} }],
    ['Password123456789', { why: 'password_common', facts: {} }],
    ['QwertyUiopAsdfGh', { why: 'password_common', facts: {} }],
  ]
  for (const [one, said, its = app] of weak)
    await assert.rejects(acceptInvitation(its, { token, password: one }), { said, fields: ['password'] }, one)
  const { code } = await giveInvitationCode(live, operatorActor('cem.can'), 'ece.erdem')
  await acceptInvitation(live, { token, password: 'on iki harf:', code })
})

test('a person who is invited again sets up everything anew: password, second factor, sessions', async () => {
  await operatorWithLogin(live, 'filiz.fer')
  const before = await setUpInLive(live, 'filiz.fer')
  const { token } = await inviteOperator(app, BOSS, 'filiz.fer')
  assert.ok(await findSession(live, 'operator', before.token), 'until the invitation is accepted')
  await acceptInvitation(app, { token, password: 'yepyeni bir parola cümlesi' })
  assert.equal(await findSession(live, 'operator', before.token), null)
  const login = { audience: 'operator', name: 'filiz.fer' } as const
  await assert.rejects(logIn(live, { ...login, password }, HOME), {
    said: { why: 'login_wrong', facts: { audience: 'operator' } },
  })
  const { needs } = await logIn(live, { ...login, password: 'yepyeni bir parola cümlesi' }, HOME)
  assert.equal(needs, 'set_up')
})

test("an owner invites users of its own merchant; an address that works elsewhere can't be taken", async () => {
  const [shop, other] = [await service.merchant(), await service.merchant()]
  await merchantUser(app, shop.merchantId, 'owner@shop.example')
  const { actor } = (await enter(app, 'merchant', 'owner@shop.example')).session
  const finance = { email: ' Fin@shop.example', role: 'finance' }
  assert.equal((await inviteMerchantUser(live, actor, shop.merchantId, finance)).name, 'fin@shop.example')
  await assert.rejects(inviteMerchantUser(live, actor, other.merchantId, finance), { why: 'decision_not_of_merchant' })
  const developer = merchantUserActor(shop.merchantId, 'f'.repeat(24), 'developer')
  await assert.rejects(inviteMerchantUser(live, developer, shop.merchantId, finance), {
    why: 'user_without_right',
    message: /"role":"developer"/,
  })
  await assert.rejects(inviteMerchantUser(app, BOSS, shop.merchantId, { email: 'no', role: 'owner' }), {
    fields: ['email'],
    why: 'email_malformed',
  })
  await assert.rejects(inviteMerchantUser(app, BOSS, shop.merchantId, { ...finance, role: 'boss' }), {
    fields: ['role'],
    why: 'not_one_of',
  })
  const taken = { email: 'owner@shop.example', role: 'owner' }
  await assert.rejects(inviteMerchantUser(app, BOSS, other.merchantId, taken), { why: 'user_email_taken' })
})

test('live: the first admin needs no one, and there is no second one', async () => {
  const fresh = await startService({ mode: 'live', publicUrl: 'https://x.example' })
  const its = cheap(fresh.app)
  const admin = operatorActor('ayse.yilmaz')
  await addOperator(its, admin, 'bora.boz', ['cashier'])
  await assert.rejects(createAdmin(its, 'bora.boz'), {
    said: { why: 'admin_role_missing', facts: { name: 'bora.boz' } },
  })
  await assert.rejects(createAdmin(its, 'cem.can'), { why: 'decider_missing' })
  const { token, path } = await createAdmin(its, 'ayse.yilmaz')
  assert.equal(path, `/operator/invitation/${token}`)
  await createAdmin(its, 'ayse.yilmaz').then((again) => acceptInvitation(its, { token: again.token, password }))
  await assert.rejects(createAdmin(its, 'ayse.yilmaz'), { why: 'first_login_made' })
})
