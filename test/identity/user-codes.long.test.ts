import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Invited } from '../../packages/server/src/domain/identity/index.ts'
import {
  acceptInvitation,
  changeRole,
  disableLogin,
  findInvitation,
  findSession,
  giveInvitationCode,
  giveUserCode,
  inviteMerchantUser,
  inviteOperator,
  listInvitedUsers,
  listLogins,
} from '../../packages/server/src/domain/identity/index.ts'
import { addOperator, disableOperator } from '../../packages/server/src/domain/people/index.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { cheap, enter, merchantUser } from '../harness/logins.ts'
import { startSecondProcess } from '../harness/service.ts'
import { ada, bora, deployment, password } from '../harness/two-admins.ts'
import { travelTo } from '../harness/until.ts'

const WRONG = { why: 'invitation_code_wrong' }
const ASK_OPERATOR = { why: 'invitation_code_without_giver' }
const two = await deployment('ada.aksoy', 'bora.boz')
let shops = 0

/** A merchant with users of these roles, as in live. */
async function shop(roles: string[], { app, sandbox, service } = two) {
  const { merchantId } = await service.merchant()
  const domain = `shop${++shops}.example`
  const nameOf = (who: string) => `${who}@${domain}`
  for (const role of roles) await merchantUser(sandbox, merchantId, nameOf(role), role)
  const user = async (who: string) => (await enter(sandbox, 'merchant', nameOf(who))).session.actor
  const invite = (actor: Actor, who: string, role = 'finance') =>
    inviteMerchantUser(app, actor, merchantId, { email: nameOf(who), role })
  const code = (actor: Actor, who: string) => giveUserCode(app, actor, merchantId, nameOf(who))
  const accept = ({ token }: Invited, given?: string) =>
    acceptInvitation(app, { token, password, ...(given !== undefined && { code: given }) })
  const loginOf = async (who: string) =>
    (await listLogins(app.db, { audience: 'merchant', merchantId })).find(({ name }) => name === nameOf(who))?.id
  return { merchantId, nameOf, user, invite, code, accept, loginOf }
}

test('one admin makes no ghost owner: the code is of another admin, or of an owner', async () => {
  const { app } = two
  const { nameOf, invite, code, accept, user, loginOf } = await shop(['owner', 'finance'])
  const ghost = await invite(ada, 'ghost', 'owner')
  assert.equal(ghost.needsCode, true)
  assert.equal((await findInvitation(app, ghost.token))?.needsCode, true)
  await assert.rejects(accept(ghost), { said: { why: 'invitation_code_wrong', facts: { giver: 'admin_or_owner' } } })
  await assert.rejects(code(ada, 'ghost'), { why: 'invitation_code_not_yours', message: /ghost@/ })
  await assert.rejects(
    code(await user('finance'), 'ghost'),
    { why: 'invitation_code_not_yours', message: /"admin_or_owner"/ },
    'finance does not give this one',
  )
  await app.db.query(sql`update login_invitations set invited_by = 'bora.boz' where name = ${nameOf('ghost')}`)
  await assert.rejects(code(ada, 'ghost'), { said: { why: 'word_not_recorded', facts: { person: 'bora.boz' } } })
  assert.equal((await findInvitation(app, ghost.token))?.needsCode, true)
  await app.db.query(sql`update login_invitations set invited_by = 'ada.aksoy' where name = ${nameOf('ghost')}`)
  await assert.rejects(accept(ghost, 'aaaa-aaaa'), WRONG)
  assert.equal(await loginOf('ghost'), undefined)
  const { code: first } = await code(bora, 'ghost')
  const again = await invite(ada, 'ghost', 'owner')
  await assert.rejects(accept(again, first), WRONG, 'a newer invitation needs a new code')
  await accept(again, (await code(bora, 'ghost')).code)
  const second = await invite(ada, 'second', 'owner')
  await accept(second, (await code(await user('owner'), 'second')).code)
  assert.ok(await loginOf('second'))
})

test('one admin does not take over a user of a merchant', async () => {
  const { sandbox } = two
  const { invite, code, accept, user, nameOf } = await shop(['owner', 'finance'])
  const { token: session } = await enter(sandbox, 'merchant', nameOf('finance'))
  const invited = await invite(ada, 'finance')
  await assert.rejects(accept(invited), WRONG)
  assert.ok(await findSession(sandbox, 'merchant', session))
  await accept(invited, (await code(await user('owner'), 'finance')).code)
  assert.equal(await findSession(sandbox, 'merchant', session), null)
  const own = await invite(ada, 'owner', 'owner')
  await assert.rejects(
    code(await user('owner'), 'owner'),
    { why: 'invitation_code_not_yours' },
    'not the code of oneself',
  )
  await assert.rejects(accept(own), WRONG)
})

test('an admin who disables the others makes no ghost for a week; a single admin invites the first owner', async () => {
  const its = await deployment('ada.aksoy', 'bora.boz')
  await travelTo(its.service.app, 30 * 86_400)
  const empty = await shop([], its)
  const kept = await empty.invite(ada, 'kept', 'owner')
  await disableOperator(its.app, ada, 'bora.boz')
  await assert.rejects(empty.accept(kept), WRONG)
  await assert.rejects(empty.invite(ada, 'ghost', 'owner'), { why: 'second_admin_disabled' })
  await travelTo(its.service.app, 37 * 86_400 + 60)
  const first = await empty.invite(ada, 'first', 'owner')
  assert.equal(first.needsCode, false)
  await empty.accept(first)
  const next = await empty.invite(ada, 'next')
  await assert.rejects(empty.accept(next), WRONG, 'from the first owner on')
  await travelTo(its.service.app, 0)
})

test('one owner makes no ghost and does not take over another user: finance or another owner gives the code', async () => {
  const { invite, code, accept, user, loginOf } = await shop(['owner', 'finance', 'developer'])
  const [owner, finance, developer] = [await user('owner'), await user('finance'), await user('developer')]
  const ghost = await invite(owner, 'ghost', 'developer')
  assert.equal(ghost.needsCode, true)
  await assert.rejects(accept(ghost), { said: { why: 'invitation_code_wrong', facts: { giver: 'owner_or_finance' } } })
  await assert.rejects(code(owner, 'ghost'), { why: 'invitation_code_not_yours' })
  await assert.rejects(
    code(bora, 'ghost'),
    { why: 'invitation_code_not_yours', message: /"owner_or_finance"/ },
    'nor the staff',
  )
  await assert.rejects(code(developer, 'ghost'), { why: 'user_without_right', message: /"role":"developer"/ })
  await assert.rejects(invite(finance, 'other'), { why: 'user_without_right', message: /"role":"finance"/ })
  await assert.rejects(invite(owner, 'finance'), ASK_OPERATOR, 'the only other one')
  await assert.rejects(
    invite(owner, 'owner', 'owner').then((own) => accept(own)),
    WRONG,
  )
  await accept(ghost, (await code(finance, 'ghost')).code)
  assert.ok(await loginOf('ghost'))
  const again = await invite(owner, 'developer', 'developer')
  await accept(again, (await code(finance, 'developer')).code)
})

test('an owner who disables the other one, or takes the role, is not alone', async () => {
  const { app } = two
  const { merchantId, invite, accept, user, loginOf, nameOf } = await shop(['owner', 'finance', 'support'])
  const owner = await user('owner')
  const finance = (await loginOf('finance')) ?? ''
  const kept = await invite(owner, 'kept')
  await assert.rejects(changeRole(app, owner, finance, 'support'), { why: 'code_giver_needed' })
  await disableLogin(app, owner, finance)
  await assert.rejects(accept(kept), WRONG)
  for (const who of ['ghost', 'finance', 'support']) await assert.rejects(invite(owner, who), ASK_OPERATOR, who)
  // The same person with a new login.
  await disableLogin(app, ada, (await loginOf('owner')) ?? '')
  await merchantUser(two.sandbox, merchantId, nameOf('owner'))
  await assert.rejects(giveUserCode(app, await user('owner'), merchantId, nameOf('kept')), {
    why: 'invitation_code_not_yours',
  })
})

test('support is invited with the link only, and gets a role that decides by another invitation', async () => {
  const { app } = two
  const { invite, code, accept, user, loginOf } = await shop(['owner', 'finance', 'developer'])
  const owner = await user('owner')
  for (const inviter of [owner, ada]) {
    const invited = await invite(inviter, 'helper', 'support')
    assert.equal(invited.needsCode, false)
    if (inviter === ada) await accept(invited)
  }
  const helper = (await loginOf('helper')) ?? ''
  const raise = (id: string, role: string) => changeRole(app, owner, id, role)
  for (const role of ['owner', 'finance', 'developer'])
    await assert.rejects(raise(helper, role), { code: 'INVALID_STATE', why: 'user_role_takes_invitation' }, role)
  await assert.rejects(raise((await loginOf('developer')) ?? '', 'finance'), { why: 'user_role_takes_invitation' })
  const again = await invite(owner, 'helper', 'finance')
  await assert.rejects(accept(again), WRONG)
  await accept(again, (await code(await user('finance'), 'helper')).code)
  await assert.rejects(accept(await invite(owner, 'helper', 'support')), WRONG, 'nor does a link alone replace a login')
  await raise((await loginOf('developer')) ?? '', 'support')
})

test('an owner who was always alone invites the second one with the link only; two owners need each other', async () => {
  const { app } = two
  const { invite, code, accept, user, nameOf, merchantId } = await shop(['owner', 'support'])
  const owner = await user('owner')
  await assert.rejects(invite(owner, 'support'), ASK_OPERATOR, 'but replaces no login')
  const [second, later] = [await invite(owner, 'second', 'owner'), await invite(owner, 'later')]
  assert.equal(second.needsCode, false)
  await accept(second)
  await assert.rejects(accept(later), WRONG, 'from the second one on')
  const [listed] = await listInvitedUsers(app, owner, merchantId)
  assert.deepEqual([listed?.name, listed?.inviter, listed?.needsCode], [nameOf('later'), nameOf('owner'), true])
  assert.deepEqual([listed?.hasCode, listed?.mayGive], [false, false])
  const other = (await listLogins(app.db, { audience: 'merchant', merchantId })).find(
    (one) => one.name === nameOf('second'),
  )
  const secondOwner: Actor = { kind: 'merchant_user', merchantId, login: other?.id ?? '', role: 'owner' }
  assert.equal((await listInvitedUsers(app, secondOwner, merchantId))[0]?.mayGive, true)
  await accept(later, (await code(secondOwner, 'later')).code)
})

test('a user gives no code of another merchant', async () => {
  const { app } = two
  const [mine, theirs] = [await shop(['owner', 'finance']), await shop(['owner', 'finance'])]
  await theirs.invite(await theirs.user('owner'), 'ghost')
  const finance = await mine.user('finance')
  await assert.rejects(theirs.code(finance, 'ghost'), { why: 'decision_not_of_merchant' })
  const swapped = giveUserCode(app, finance, mine.merchantId, theirs.nameOf('ghost'))
  await assert.rejects(swapped, { why: 'invitation_missing', message: /"merchant":"\w/ })
  assert.deepEqual(await listInvitedUsers(app, finance, mine.merchantId), [])
})

test('two who invite at the same moment leave one open invitation', async () => {
  const { app, sandbox, service } = two
  const second = cheap(await startSecondProcess(service), false)
  const { merchantId, nameOf } = await shop(['owner'])
  await addOperator(sandbox, ada, 'kasa.bir', ['cashier'])
  const open = (name: string) =>
    app.db.query(sql`
      select 1 from login_invitations where name = ${name} and accepted_at is null and expires_at > ${app.clock.now()}`)
  for (let round = 0; round < 5; round++) {
    const invited = { email: nameOf('race'), role: 'finance' }
    await Promise.all([
      inviteMerchantUser(app, ada, merchantId, invited),
      inviteMerchantUser(second, bora, merchantId, invited),
      inviteOperator(app, ada, 'kasa.bir'),
      inviteOperator(second, bora, 'kasa.bir'),
    ])
    assert.equal((await open(nameOf('race'))).length, 1)
    assert.equal((await open('kasa.bir')).length, 1)
  }
  await assert.rejects(giveInvitationCode(app, operatorActor('kasa.bir'), 'kasa.bir'), {
    why: 'operator_without_right',
  })
})

test('a sandbox asks for no code', async () => {
  const { sandbox } = two
  const { merchantId, nameOf, user } = await shop(['owner', 'finance'])
  for (const actor of [ada, await user('owner')]) {
    const email = nameOf('finance')
    const invited = await inviteMerchantUser(sandbox, actor, merchantId, { email, role: 'finance' })
    assert.equal(invited.needsCode, false)
    await acceptInvitation(sandbox, { token: invited.token, password })
  }
})
