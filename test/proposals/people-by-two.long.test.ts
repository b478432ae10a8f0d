import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import {
  approveProposal,
  rejectProposal,
  makeProposal,
  showProposal,
} from '../../packages/server/src/domain/proposals/index.ts'
import {
  acceptInvitation,
  disableLogin,
  findSession,
  giveInvitationCode,
  inviteOperator,
  logIn,
} from '../../packages/server/src/domain/identity/index.ts'
import type { Role } from '../../packages/server/src/domain/people/index.ts'
import { addOperator, disableOperator, ROLES, setRoles } from '../../packages/server/src/domain/people/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { cheap, HOME, operatorWithLogin, PASSWORD, setUpInLive } from '../harness/logins.ts'
import { startSecondProcess } from '../harness/service.ts'
import { ada, ADMINS, bora, cem, deployment, HAS_LOGIN, password, TWO } from '../harness/two-admins.ts'
import { travelTo } from '../harness/until.ts'

// As in live; the sandbox's clock can be moved. Each deployment is of its own.
const two = await deployment(...ADMINS)
await operatorWithLogin(two.sandbox, 'appr.one', ['approver'])
await operatorWithLogin(two.sandbox, 'view.one', ['viewer'])

test('one admin alone adds no one who decides, and gives no one such a role; others yes', async () => {
  const { app, rolesOf } = two
  for (const role of ROLES) {
    const add = addOperator(app, ada, `new.${role}`, ['viewer', role])
    const give = () => setRoles(app, ada, 'view.one', ['viewer', role])
    if (['cashier', 'approver', 'admin'].includes(role)) {
      await assert.rejects(add, TWO, role)
      await assert.rejects(give(), TWO, role)
      assert.equal(await rolesOf(`new.${role}`), undefined)
    } else {
      await add
      await give()
    }
  }
  await assert.rejects(addOperator(app, ada, 'new.person', []), { why: 'roles_unknown' })
  await assert.rejects(setRoles(app, ada, 'appr.one', ['approver', 'cashier']), TWO)
  await assert.rejects(setRoles(app, ada, 'ada.aksoy', ['admin', 'approver']), TWO, 'also one’s own')
  await setRoles(app, ada, 'view.one', ['viewer'])
})

test('two admins add a person, who then gets the link from one and the code from the other', async () => {
  const { app, rolesOf, propose, accept } = two
  const request = await propose('operator.add', { name: 'kasa.bir', roles: ['cashier', 'viewer'] })
  assert.deepEqual(request.rows, [
    { field: 'name', as: 'text', before: null, after: 'kasa.bir' },
    { field: 'roles', as: 'list', before: [], after: ['viewer', 'cashier'] },
  ])
  await assert.rejects(inviteOperator(app, ada, 'kasa.bir'), {
    said: { why: 'operator_not_active', facts: { name: 'kasa.bir' } },
  })
  await assert.rejects(approveProposal(app, ada, request.id, request.seenSha256), { why: 'proposal_own' })
  const LACKS_RIGHT = {
    said: { why: 'operator_without_right', facts: { name: 'appr.one', action: 'operator.add', needs: ['admin'] } },
  }
  const approver = approveProposal(app, operatorActor('appr.one'), request.id, request.seenSha256)
  await assert.rejects(approver, LACKS_RIGHT)
  const rejected = rejectProposal(app, operatorActor('appr.one'), request.id, 'not for me to decide')
  await assert.rejects(rejected, LACKS_RIGHT)
  await approveProposal(app, bora, request.id, request.seenSha256)
  assert.deepEqual(await rolesOf('kasa.bir'), ['viewer', 'cashier'])
  const { token } = await inviteOperator(app, ada, 'kasa.bir')
  await accept(token, 'kasa.bir')
  await assert.rejects(inviteOperator(app, ada, 'kasa.bir'), HAS_LOGIN, 'a login is not replaced by one')
})

test('two admins give roles; what was seen is what is given', async () => {
  const { app, rolesOf, propose } = two
  const request = await propose('operator.roles', { name: 'view.one', roles: ['cashier', 'viewer'] })
  assert.deepEqual(request.rows, [{ field: 'roles', as: 'list', before: ['viewer'], after: ['viewer', 'cashier'] }])
  await setRoles(app, cem, 'view.one', ['auditor'])
  assert.equal((await showProposal(app, request.id)).isStale, true)
  await assert.rejects(approveProposal(app, bora, request.id, request.seenSha256), { why: 'proposal_outdated' })
  await rejectProposal(app, bora, request.id, 'propose it again')
  const next = await propose('operator.roles', { name: 'view.one', roles: ['cashier'] })
  await approveProposal(app, bora, next.id, next.seenSha256)
  assert.deepEqual(await rolesOf('view.one'), ['cashier'])
  await setRoles(app, ada, 'view.one', ['viewer'])
  assert.deepEqual(await rolesOf('view.one'), ['viewer'], 'one admin takes roles away')
})

test('one admin does not take over a person who has a login, with or without a second factor', async () => {
  const { app, hasLogin } = two
  const { token: session } = await setUpInLive(app, 'appr.one')
  for (const name of ['appr.one', 'bora.boz', 'view.one']) {
    await assert.rejects(inviteOperator(app, ada, name), HAS_LOGIN)
    await assert.rejects(disableLogin(app, ada, (await hasLogin(name))?.id ?? ''), TWO, 'nor ends it to invite anew')
  }
  assert.ok(await findSession(app, 'operator', session))
  const login = { audience: 'operator', name: 'appr.one', password: PASSWORD } as const
  assert.equal((await logIn(app, login, HOME)).needs, 'second_factor')
})

test('a second invitation that was kept back opens no login that another one made', async () => {
  const { app, sandbox, accept } = two
  await addOperator(sandbox, ada, 'kasa.iki', ['cashier'])
  const { token } = await inviteOperator(app, ada, 'kasa.iki')
  const { code } = await giveInvitationCode(app, bora, 'kasa.iki')
  const { token: newer } = await inviteOperator(app, ada, 'kasa.iki')
  // As two that are made at once: neither replaces the other.
  await app.db.query(sql`
    update login_invitations set expires_at = created_at + interval '72 hours' where name = 'kasa.iki' and accepted_at is null`)
  await assert.rejects(
    acceptInvitation(app, { token: newer, password, code }),
    { why: 'invitation_code_wrong' },
    'it is of the other',
  )
  await accept(newer, 'kasa.iki')
  await assert.rejects(acceptInvitation(app, { token, password: PASSWORD, code }), HAS_LOGIN)
  const login = { audience: 'operator', name: 'kasa.iki', password } as const
  assert.equal((await logIn(app, login, HOME)).needs, 'set_up')
})

test('two admins end a login: its sessions end, and one admin invites the person to a new one', async () => {
  const { app, hasLogin, propose, byTwo, accept } = two
  const before = await hasLogin('appr.one')
  const session = (await logIn(app, { audience: 'operator', name: 'appr.one', password: PASSWORD }, HOME)).token
  const request = await propose('operator.reset', { name: 'appr.one' })
  assert.deepEqual(request.rows, [{ field: 'login', as: 'time', before: before?.createdAt.toISOString(), after: null }])
  await assert.rejects(approveProposal(app, ada, request.id, request.seenSha256), { why: 'proposal_own' })
  await approveProposal(app, bora, request.id, request.seenSha256)
  assert.equal(await hasLogin('appr.one'), undefined)
  assert.equal(await findSession(app, 'operator', session), null)
  const { token } = await inviteOperator(app, ada, 'appr.one')
  await accept(token, 'appr.one')
  const login = { audience: 'operator', name: 'appr.one', password } as const
  assert.equal((await logIn(app, login, HOME)).needs, 'set_up', 'the second factor is gone')
  await byTwo('operator.reset', { name: 'appr.one' })
  await assert.rejects(propose('operator.reset', { name: 'appr.one' }), { why: 'operator_without_login' })
})

test('two at once, in two processes: one approval counts; a proposal of who lost the role or that has expired does not', async () => {
  const { service, app, sandbox, rolesOf, propose } = two
  const second = cheap(await startSecondProcess(service), false)
  const request = await propose('operator.add', { name: 'once.only', roles: ['approver'] })
  const outcomes = await Promise.allSettled([
    approveProposal(app, bora, request.id, request.seenSha256),
    approveProposal(second, cem, request.id, request.seenSha256),
  ])
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.deepEqual(await rolesOf('once.only'), ['approver'])

  await addOperator(sandbox, ada, 'lost.role', ['admin'])
  const lost = await propose('operator.add', { name: 'late.one', roles: ['admin'] }, operatorActor('lost.role'))
  await setRoles(app, ada, 'lost.role', ['viewer'])
  await assert.rejects(approveProposal(app, bora, lost.id, lost.seenSha256), { why: 'proposer_without_right' })
  await rejectProposal(app, bora, lost.id, 'its person has lost the role')

  const old = await propose('operator.add', { name: 'late.one', roles: ['admin'] })
  await travelTo(service.app, 7 * 86_400 + 60)
  await assert.rejects(approveProposal(app, bora, old.id, old.seenSha256), { why: 'proposal_expired' })
  assert.equal(await rolesOf('late.one'), undefined)
  await travelTo(service.app, 0)
})

test('approvals and other changes of people at once wait for each other: no deadlock', async () => {
  const { service, app, propose } = two
  const second = cheap(await startSecondProcess(service), false)
  for (let round = 0; round < 5; round++) {
    const request = await propose('operator.roles', { name: 'view.one', roles: ['viewer', 'cashier'] })
    const outcomes = await Promise.allSettled([
      approveProposal(app, bora, request.id, request.seenSha256),
      setRoles(second, cem, 'ada.aksoy', ['admin']),
      setRoles(second, cem, 'bora.boz', ['admin']),
    ])
    for (const one of outcomes) assert.equal(one.status, 'fulfilled', String((one as { reason?: unknown }).reason))
    await setRoles(app, ada, 'view.one', ['viewer'])
  }
})

test('roles that were written in SQL are not made valid by one admin', async () => {
  const { app, rolesOf } = two
  await app.db.query(sql`update operators set roles = '{viewer,approver}' where name = 'view.one'`)
  assert.deepEqual(await rolesOf('view.one'), ['viewer', 'approver'])
  await assert.rejects(setRoles(app, ada, 'view.one', ['viewer', 'approver']), TWO)
  await setRoles(app, ada, 'view.one', ['viewer'])
})

test('a single admin works alone: the first days; from the second admin on it takes two', async () => {
  const { app, rolesOf, propose } = await deployment('ada.aksoy')
  const applied = await makeProposal(app, ada, 'operator.add', { name: 'kasa.bir', roles: ['cashier'] })
  assert.equal(applied.state, 'applied')
  const { token } = await inviteOperator(app, ada, 'kasa.bir')
  await acceptInvitation(app, { token, password })
  await acceptInvitation(app, { token: (await inviteOperator(app, ada, 'kasa.bir')).token, password: PASSWORD })
  await addOperator(app, ada, 'typing.eror', ['admin'])
  await assert.rejects(addOperator(app, ada, 'appr.one', ['approver']), TWO)
  await disableOperator(app, ada, 'typing.eror')
  await setRoles(app, ada, 'kasa.bir', ['cashier', 'approver'])
  await addOperator(app, ada, 'bora.boz', ['admin'])
  await assert.rejects(addOperator(app, ada, 'appr.one', ['approver']), TWO)
  await assert.rejects(inviteOperator(app, ada, 'kasa.bir'), HAS_LOGIN)
  const { id, seenSha256 } = await propose('operator.add', { name: 'appr.one', roles: ['approver'] })
  await approveProposal(app, bora, id, seenSha256)
  assert.deepEqual(await rolesOf('appr.one'), ['approver'])
})

test('admin and a role for money in one person: only by two admins, also on the first day', async () => {
  const { app, rolesOf, byTwo } = await deployment('ada.aksoy')
  const BOTH = { why: 'admin_with_money_takes_two' }
  for (const money of ['cashier', 'approver']) {
    await assert.rejects(addOperator(app, ada, 'both.one', ['admin', money]), BOTH)
    await assert.rejects(setRoles(app, ada, 'ada.aksoy', ['admin', money]), BOTH, 'also one’s own')
    await assert.rejects(makeProposal(app, ada, 'operator.add', { name: 'both.one', roles: ['admin', money] }), BOTH)
  }
  await addOperator(app, ada, 'bora.boz', ['admin'])
  await assert.rejects(addOperator(app, ada, 'both.one', ['admin', 'cashier']), TWO)
  await byTwo('operator.add', { name: 'both.one', roles: ['admin', 'cashier'] })
  assert.deepEqual(await rolesOf('both.one'), ['cashier', 'admin'])
  await setRoles(app, ada, 'both.one', ['cashier'])
})

test('an admin who removes the others does not work alone for a week', async () => {
  const { service, app, rolesOf } = await deployment('ada.aksoy', 'bora.boz')
  await travelTo(service.app, 30 * 86_400)
  await assert.rejects(setRoles(app, ada, 'bora.boz', ['viewer']), TWO, 'the last but one admin')
  await disableOperator(app, ada, 'bora.boz')
  const add = (name: string, role: Role = 'approver') => makeProposal(app, ada, 'operator.add', { name, roles: [role] })
  await assert.rejects(add('puppet.one'), { why: 'second_admin_disabled', message: /bora\.boz/ })
  await assert.rejects(addOperator(app, ada, 'puppet.one', ['approver']), { why: 'second_admin_disabled' })
  assert.equal((await add('view.two', 'viewer')).state, 'applied')
  await travelTo(service.app, 37 * 86_400 + 60)
  assert.equal((await add('appr.two')).state, 'applied')
  assert.deepEqual(await rolesOf('appr.two'), ['approver'])
  await travelTo(service.app, 0)
})

test('on the first day, too: who has had a login counts', async () => {
  const { app, hasLogin } = await deployment('ada.aksoy')
  await addOperator(app, ada, 'bora.boz', ['admin'])
  await acceptInvitation(app, { token: (await inviteOperator(app, ada, 'bora.boz')).token, password })
  assert.ok(await hasLogin('bora.boz'))
  await disableOperator(app, bora, 'ada.aksoy')
  await assert.rejects(addOperator(app, bora, 'puppet.one', ['approver']), {
    why: 'second_admin_disabled',
    message: /ada\.aksoy/,
  })
  // Nor by writing that there never was a login.
  await app.db.query(sql`update operators set had_login = false where name = 'ada.aksoy'`)
  await assert.rejects(addOperator(app, bora, 'puppet.one', ['approver']), TWO)
})

test('with no one left, the first person is added as ever', async () => {
  const { app, rolesOf } = await deployment('ada.aksoy', 'bora.boz')
  await disableOperator(app, ada, 'bora.boz')
  await disableOperator(app, ada, 'ada.aksoy')
  await assert.rejects(addOperator(app, UNATTRIBUTED, 'cem.can', ['admin', 'approver']), {
    why: 'admin_with_money_takes_two',
  })
  await addOperator(app, UNATTRIBUTED, 'cem.can', ['admin'])
  assert.deepEqual(await rolesOf('cem.can'), ['admin'])
})
