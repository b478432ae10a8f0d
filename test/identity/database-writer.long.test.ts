import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import {
  acceptInvitation,
  findSession,
  findUnfinishedSession,
  forgedLogins,
  forgedSessions,
  logIn,
  logInWithPasskey,
  passkeyLogin,
  passkeyRegistration,
  passSecondFactor,
  registerPasskey,
  stepUp,
} from '../../packages/server/src/domain/identity/index.ts'
import {
  addOperator,
  DECIDING,
  disableOperator,
  forgedOperators,
  setRoles,
} from '../../packages/server/src/domain/people/index.ts'
import { hashPassword } from '../../packages/server/src/platform/crypto/passwords.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { softwarePasskey } from '../harness/authenticator.ts'
import { cheap, enter, HOME, later, merchantUser, operatorWithLogin, PASSWORD, setUpInLive } from '../harness/logins.ts'
import { visitor } from '../harness/operator-console.ts'
import { startService } from '../harness/service.ts'

// Someone who may write to every table, as the owner of the database, and does not have the master key.
const service = await startService()
const app = cheap(service.app)
const live = cheap(service.app, false)
await addOperator(app, UNATTRIBUTED, 'boss.admin', DECIDING)
const BOSS = operatorActor('boss.admin')
const { merchantId } = await service.merchant()
const write = (statement: Sql) => app.db.query(statement)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const newToken = () => randomBytes(32).toString('base64url')
const WRONG = { said: { why: 'login_wrong', facts: { audience: 'operator' } } }

async function loginId(name: string): Promise<string> {
  const [row] = await app.db.query<{ id: string }>(
    sql`select id from logins where name = ${name} and disabled_at is null`,
  )
  return row?.id ?? assert.fail(`no login ${name}`)
}

async function insertSession(token: string, name: string, mark: string | null = null): Promise<string> {
  const id = randomBytes(12).toString('hex')
  await write(sql`
    insert into sessions (id, token_hash, login_id, kind, created_at, last_used_at, idle_seconds, ends_at, second_factor_at, stepped_up_at, mark)
    values (${id}, ${sha256(token)}, ${await loginId(name)}, 'browser', now(), now(), 1800, now() + interval '12 hours', now(), now(), ${mark})`)
  return id
}

test('a session that was inserted opens no page, with or without the mark of another', async () => {
  await operatorWithLogin(app, 'ada.aksoy')
  const own = await enter(app, 'operator', 'ada.aksoy')
  const [row] = await app.db.query<{ mark: string }>(sql`select mark from sessions where id = ${own.session.id}`)
  const mark = row?.mark ?? assert.fail('no session')
  assert.match(mark, /^[0-9a-f]{64}$/)
  for (const copied of [null, '', mark, sha256('a guess')]) {
    const token = newToken()
    const id = await insertSession(token, 'ada.aksoy', copied)
    const browser = visitor(service)
    browser.jar.set('vezne-operator', token)
    const { status, location } = await browser.request('/people')
    assert.deepEqual([status, location], [303, '/operator/login'], String(copied))
    assert.equal(await findSession(app, 'operator', token), null)
    assert.ok((await forgedSessions(app)).some((one) => one.id === id))
    await write(sql`delete from sessions where id = ${id}`)
  }
  const browser = visitor(service)
  browser.jar.set('vezne-operator', own.token)
  assert.equal((await browser.request('/people')).status, 200)
  assert.deepEqual(await forgedSessions(app), [])
})

test("an own session changed into another person's, or given a proof or more time, is none", async () => {
  await operatorWithLogin(app, 'bora.boz', ['viewer'])
  const changes: [string, Sql][] = [
    ['login', sql`login_id = ${await loginId('ada.aksoy')}`],
    ['second factor', sql`second_factor_at = now()`],
    ['step-up', sql`stepped_up_at = stepped_up_at + interval '1 minute'`],
    ['end', sql`ends_at = ends_at + interval '1 day'`],
    ['idle time', sql`idle_seconds = 1000000`],
    ['kind', sql`kind = 'command_line'`],
    ['last use', sql`last_used_at = last_used_at + interval '1 minute'`],
    ['token', sql`token_hash = ${sha256('x'.repeat(43))}`],
  ]
  for (const [what, change] of changes) {
    const { token, session } = await enter(app, 'operator', 'bora.boz')
    await write(sql`update sessions set ${change} where id = ${session.id}`)
    for (const given of [token, 'x'.repeat(43)]) assert.equal(await findSession(app, 'operator', given), null, what)
    await assert.rejects(
      stepUp(app, session, { password: PASSWORD }),
      { why: 'login_ended' },
      `${what} is not marked anew`,
    )
    await write(sql`delete from sessions where id = ${session.id}`)
  }
  const ended = await enter(app, 'operator', 'bora.boz')
  await setRoles(app, BOSS, 'bora.boz', ['viewer'])
  assert.ok(await findSession(app, 'operator', ended.token), 'a change by the service is one')
})

test('a session that was ended does not come back', async () => {
  await operatorWithLogin(app, 'cem.can')
  const browser = visitor(service)
  assert.equal((await browser.logIn('cem.can', PASSWORD)).status, 303)
  await browser.request('/logout', { csrf: await browser.csrf('/') })
  await write(sql`update sessions set revoked_at = null where login_id = ${await loginId('cem.can')}`)
  assert.equal((await browser.request('/people')).status, 303)
})

test('neither the password hash of another login nor one made elsewhere opens a login', async () => {
  await operatorWithLogin(app, 'deniz.duman', ['viewer'])
  const [row] = await app.db.query<{ password: string }>(sql`select password from logins where name = 'ada.aksoy'`)
  const before = row?.password ?? assert.fail('no login')
  const forgeries = [
    (await app.db.query<{ password: string }>(sql`select password from logins where name = 'deniz.duman'`))[0]
      ?.password,
    await hashPassword(app, { name: 'strangers' }, PASSWORD, app.passwordCost),
  ]
  for (const hash of forgeries) {
    await write(sql`update logins set password = ${hash} where name = 'ada.aksoy'`)
    const browser = visitor(service)
    const { status, text } = await browser.logIn('ada.aksoy', PASSWORD)
    assert.notEqual(status, 303, text)
    assert.deepEqual(await forgedLogins(app), [{ what: 'login', id: await loginId('ada.aksoy') }])
  }
  await write(sql`
    update logins set password = ${forgeries[0]}, mark = (select mark from logins where name = 'deniz.duman') where name = 'ada.aksoy'`)
  await assert.rejects(logIn(app, { audience: 'operator', name: 'ada.aksoy', password: PASSWORD }, HOME), WRONG)
  const mark = await app.marks.of(`logins/${await loginId('ada.aksoy')}`, {
    ...{ audience: 'operator', name: 'ada.aksoy', merchantId: null, role: null, password: before },
  })
  await write(sql`update logins set password = ${before}, mark = ${mark} where name = 'ada.aksoy'`)
  await enter(app, 'operator', 'ada.aksoy')
})

test('roles that were given in SQL are none: not on pages, and not in a decision', async () => {
  const browser = visitor(service)
  assert.equal((await browser.logIn('bora.boz', PASSWORD)).status, 303)
  await write(sql`update operators set roles = '{admin}' where name = 'bora.boz'`)
  assert.equal((await browser.request('/people')).status, 303)
  await assert.rejects(addOperator(live, operatorActor('bora.boz'), 'x.y', DECIDING), {
    said: { why: 'operator_roles_not_recorded', facts: { name: 'bora.boz' } },
  })
  assert.deepEqual(await forgedOperators(app), ['bora.boz'])
  await setRoles(app, BOSS, 'bora.boz', ['viewer'])
  assert.equal((await browser.request('')).status, 200)

  await write(sql`insert into operators (name, roles, created_at) values ('eve.evil', '{admin}', now())`)
  await assert.rejects(addOperator(live, operatorActor('eve.evil'), 'x.y', DECIDING), {
    said: { why: 'operator_roles_not_recorded', facts: { name: 'eve.evil' } },
  })
  await disableOperator(app, BOSS, 'eve.evil')
  await write(sql`update operators set disabled_at = null where name = 'eve.evil'`)
  await assert.rejects(addOperator(live, operatorActor('eve.evil'), 'x.y', DECIDING), {
    said: { why: 'operator_roles_not_recorded', facts: { name: 'eve.evil' } },
  })

  await merchantUser(app, merchantId, 'ayla@shop.example', 'support')
  const { token } = await enter(app, 'merchant', 'ayla@shop.example')
  await write(sql`update logins set role = 'owner' where name = 'ayla@shop.example'`)
  assert.equal(await findSession(app, 'merchant', token), null)
})

test('an invitation, a passkey and a recovery code that were inserted are worth nothing', async () => {
  const token = newToken()
  await write(sql`
    insert into login_invitations (id, token_hash, audience, name, invited_by, created_at, expires_at)
    values (${randomBytes(12).toString('hex')}, ${sha256(token)}, 'operator', 'ada.aksoy', 'boss.admin', now(), now() + interval '1 day')`)
  await assert.rejects(acceptInvitation(app, { token, password: PASSWORD }), { why: 'invitation_over' })

  const site = { ...live, publicUrl: () => 'https://pay.example' }
  await operatorWithLogin(site, 'filiz.fer')
  const begun = await logIn(site, { audience: 'operator', name: 'filiz.fer', password: PASSWORD }, HOME)
  const unfinished = (await findUnfinishedSession(site, 'operator', begun.token)) ?? assert.fail()
  const passkey = softwarePasskey({ origin: 'https://pay.example', counts: true })
  await registerPasskey(site, unfinished, {
    response: passkey.create(await passkeyRegistration(site, unfinished)),
    label: 'x',
  })
  const withPasskey = async () =>
    logInWithPasskey(site, { audience: 'operator', response: passkey.get(await passkeyLogin(site)) }, HOME)
  await withPasskey()
  await write(sql`update passkeys set login_id = ${await loginId('ada.aksoy')}`)
  await assert.rejects(withPasskey(), { why: 'passkey_not_verified' })
  await write(sql`update passkeys set mark = null, login_id = ${await loginId('filiz.fer')}`)
  await assert.rejects(withPasskey(), { why: 'passkey_not_verified' })

  await operatorWithLogin(live, 'gul.gezer')
  await setUpInLive(live, 'gul.gezer')
  const id = await loginId('gul.gezer')
  const code = 'AAAABBBBCCCCDDDD'
  await write(sql`update logins set recovery_codes = array[${sha256(`recovery ${id} ${code}`)}] where id = ${id}`)
  const half = await logIn(live, { audience: 'operator', name: 'gul.gezer', password: PASSWORD }, HOME)
  await assert.rejects(passSecondFactor(live, { audience: 'operator', token: half.token, code }, HOME), {
    why: 'second_factor_code_wrong',
  })
})

test('what was used is not made valid again: a recovery code, a code of the app, a session without use', async () => {
  await operatorWithLogin(live, 'hale.hun')
  const { recoveryCodes, codes } = await setUpInLive(live, 'hale.hun')
  const id = await loginId('hale.hun')
  const begin = async () =>
    (await logIn(live, { audience: 'operator', name: 'hale.hun', password: PASSWORD }, HOME)).token
  const pass = async (code: string) =>
    passSecondFactor(live, { audience: 'operator', token: await begin(), code }, HOME)
  const [used = '', left = ''] = recoveryCodes
  await pass(used)
  await assert.rejects(pass(used), { why: 'second_factor_code_wrong' })

  const next = codes(live, 1)
  const { token } = await pass(next)
  await write(sql`update totp_secrets set last_step = 0 where login_id = ${id}`)
  await assert.rejects(pass(next), { why: 'second_factor_code_wrong' })

  const idle = later(live, 31 * 60)
  await write(sql`update sessions set last_used_at = last_used_at + interval '31 minutes' where login_id = ${id}`)
  assert.equal(await findSession(idle, 'operator', token), null)
  await pass(left)
})

test('use of a session is marked anew, also at once with a proof', async () => {
  await operatorWithLogin(app, 'inci.ince')
  const { token, session } = await enter(app, 'operator', 'inci.ince')
  const soon = later(app, 120)
  await Promise.all([
    ...[1, 2, 3].map(() => findSession(soon, 'operator', token)),
    stepUp(soon, session, { password: PASSWORD }),
  ])
  assert.ok(await findSession(later(app, 31 * 60), 'operator', token), 'used two minutes after it began')
  assert.ok(!(await forgedSessions(app)).some((one) => one.id === session.id))
})

test("the sealed secret of another login's app is a wrong code", async () => {
  await operatorWithLogin(live, 'jale.jon')
  const { codes } = await setUpInLive(live, 'jale.jon')
  await write(sql`
    update totp_secrets set sealed = (select sealed from totp_secrets where login_id = ${await loginId('hale.hun')})
    where login_id = ${await loginId('jale.jon')}`)
  const browser = visitor(service)
  await browser.logIn('jale.jon', PASSWORD)
  const { status, text } = await browser.request('/login/code', { code: codes(live, 1) })
  assert.equal(status, 409, text)
})
