import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examine } from '../../packages/server/src/domain/doctor/index.ts'
import {
  acceptInvitation,
  findInvitation,
  giveInvitationCode,
  inviteOperator,
} from '../../packages/server/src/domain/identity/index.ts'
import { addOperator, disableOperator } from '../../packages/server/src/domain/people/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { later } from '../harness/logins.ts'
import { ada, ADMINS, bora, cem, deployment, password } from '../harness/two-admins.ts'
import { travelTo } from '../harness/until.ts'

test('the admin who sees the link does not become the person: link and code are of two', async () => {
  const { app, sandbox, hasLogin } = await deployment(...ADMINS)
  const WRONG = { why: 'invitation_code_wrong' }
  for (const [name, role] of [
    ['kasa.uc', 'cashier'],
    ['view.uc', 'viewer'],
  ] as const) {
    await addOperator(sandbox, ada, name, [role])
    const invited = await inviteOperator(app, ada, name)
    const { token } = invited
    assert.equal(invited.needsCode, true)
    assert.equal((await findInvitation(app, token))?.needsCode, true)
    await assert.rejects(acceptInvitation(app, { token, password }), WRONG)
    await assert.rejects(giveInvitationCode(app, ada, name), {
      said: { why: 'invitation_code_not_yours', facts: { name, giver: 'admin' } },
    })
    await app.db.query(sql`update login_invitations set invited_by = 'cem.can' where name = ${name}`)
    await assert.rejects(giveInvitationCode(app, ada, name), {
      said: { why: 'word_not_recorded', facts: { person: 'cem.can' } },
    })
    await assert.rejects(acceptInvitation(app, { token, password }), WRONG)
    await app.db.query(sql`update login_invitations set invited_by = 'ada.aksoy' where name = ${name}`)
    const { code: first } = await giveInvitationCode(app, bora, name)
    const { code } = await giveInvitationCode(app, cem, name)
    await assert.rejects(acceptInvitation(app, { token, password, code: first }), WRONG, 'a newer one replaces it')
    await app.db.query(sql`update login_invitations set code_mark = ${'0'.repeat(64)} where name = ${name}`)
    await assert.rejects(acceptInvitation(app, { token, password, code }), WRONG)
    assert.equal(await hasLogin(name), undefined)
    const again = (await giveInvitationCode(app, cem, name)).code
    await acceptInvitation(app, { token, password, code: ` ${again.toUpperCase().replace('-', ' ')}` })
    await assert.rejects(giveInvitationCode(app, cem, name), {
      said: { why: 'invitation_missing', facts: { name, merchant: null } },
    })
  }
})

test('wrong codes of an invitation are counted: after ten the right one waits, too', async () => {
  const { app, sandbox } = await deployment(...ADMINS)
  await addOperator(sandbox, ada, 'kasa.on', ['cashier'])
  const { token } = await inviteOperator(app, ada, 'kasa.on')
  const { code } = await giveInvitationCode(app, bora, 'kasa.on')
  const still = {
    ...app,
    clock: {
      ...app.clock,
      now: (
        (at) => () =>
          at
      )(app.clock.now()),
    },
  }
  for (let times = 0; times < 10; times++)
    await assert.rejects(acceptInvitation(still, { token, password, code: 'aaaa-aaaa' }), {
      why: 'invitation_code_wrong',
    })
  await assert.rejects(acceptInvitation(still, { token, password, code }), {
    code: 'RATE_LIMITED',
    retryAfterSeconds: 1,
  })
  await acceptInvitation(later(still, 1), { token, password, code })
})

test('an admin who disables the others does not invite alone for a week', async () => {
  const { service, app, sandbox } = await deployment('ada.aksoy', 'bora.boz')
  for (const name of ['kasa.bir', 'cem.can'])
    await addOperator(sandbox, ada, name, name === 'cem.can' ? ['admin'] : ['cashier'])
  await travelTo(service.app, 30 * 86_400)
  const { token } = await inviteOperator(app, ada, 'kasa.bir')
  await disableOperator(app, ada, 'bora.boz')
  await assert.rejects(acceptInvitation(app, { token, password }), { why: 'invitation_code_wrong' })
  const { token: puppet } = await inviteOperator(app, ada, 'cem.can')
  await assert.rejects(acceptInvitation(app, { token: puppet, password }), { why: 'invitation_code_wrong' })
  await disableOperator(app, ada, 'cem.can')
  await assert.rejects(inviteOperator(app, ada, 'kasa.bir'), { why: 'second_admin_disabled' })
  await travelTo(service.app, 37 * 86_400 + 60)
  await acceptInvitation(app, { token: (await inviteOperator(app, ada, 'kasa.bir')).token, password })
  await travelTo(service.app, 0)
})

test('doctor names who may decide and has no login, and since when; in a sandbox it does not matter', async () => {
  const { service, app, sandbox } = await deployment('ada.aksoy', 'bora.boz')
  const said = async (its: typeof app) => {
    const { config } = service.app
    const of = { ...config, databaseUrl: service.databaseUrl, baseUrl: null, isWorker: false, ops: null }
    return (await examine(its, { ...of, auditHeads: null })).find(({ check }) => check === 'people without a login')
  }
  assert.deepEqual(await said(app), {
    check: 'people without a login',
    ok: true,
    found: { why: 'check_logins_complete', facts: {} },
  })
  await addOperator(sandbox, ada, 'kasa.bir', ['cashier'])
  await addOperator(sandbox, ada, 'view.one', ['viewer'])
  await inviteOperator(app, ada, 'kasa.bir')
  await travelTo(service.app, 3 * 86_400)
  const people = [{ why: 'check_person_since', facts: { name: 'kasa.bir', minutes: 3 * 1440 } }]
  const missing = { why: 'check_logins_missing', facts: { people } }
  const found = await said(app)
  assert.deepEqual([found?.ok, found?.found], [true, missing])
  assert.equal(found?.todo?.why, 'todo_logins')
  assert.equal((await said(sandbox))?.todo, undefined)
  await travelTo(service.app, 0)
})

test('who writes in the database does not make one admin alone: changed roles, a disabled admin or login count as an admin', async () => {
  const { app, sandbox, hasLogin } = await deployment('ada.aksoy', 'bora.boz')
  await addOperator(sandbox, ada, 'kasa.bir', ['cashier'])
  const { token } = await inviteOperator(app, ada, 'kasa.bir')
  const long = new Date(app.clock.now().getTime() - 30 * 86_400_000)
  const attacks = [
    [sql`update operators set roles = '{viewer}'`, sql`update operators set roles = '{admin}'`],
    [sql`update operators set disabled_at = ${long}`, sql`update operators set disabled_at = null`],
    [sql`update operators set disabled_at = ${long}, mark = null`, null],
    [sql`update logins set disabled_at = ${long}`, sql`update logins set disabled_at = null`],
  ] as const
  for (const [change, restore] of attacks) {
    await app.db.query(sql`${change} where name = 'bora.boz'`)
    await assert.rejects(acceptInvitation(app, { token, password }), { why: 'invitation_code_wrong' })
    await assert.rejects(addOperator(app, ada, 'kasa.iki', ['cashier']))
    if (restore) await app.db.query(sql`${restore} where name = 'bora.boz'`)
  }
  assert.equal(await hasLogin('kasa.bir'), undefined)
})
