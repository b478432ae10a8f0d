import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { disableLogin, logIn, prepareDemoLogins } from '../../packages/server/src/domain/identity/index.ts'
import { disableOperator, listOperators, ROLES } from '../../packages/server/src/domain/people/index.ts'
import { cheap, HOME, sessionOf } from '../harness/logins.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const app = cheap(service.app)
const { merchantId } = await service.merchant()

test('a sandbox gets three logins, which keep their passwords and need no second factor', async () => {
  const logins = await prepareDemoLogins(app, merchantId, [])
  assert.deepEqual(
    logins.map(({ audience, name }) => `${audience} ${name}`),
    ['operator demo.operator', 'operator demo.approver', 'merchant demo@shop.example'],
  )
  assert.equal(new Set(logins.map(({ password }) => password)).size, 3)
  for (const login of logins) {
    const { token, needs } = await logIn(app, login, HOME)
    assert.equal(needs, null)
    const { roles, name } = await sessionOf(app, login.audience, token)
    if (name === 'demo.operator') assert.deepEqual(roles, [...ROLES])
  }
  assert.deepEqual(await prepareDemoLogins(app, merchantId, logins), logins)
})

test('one whose password is not known any more gets another; a disabled operator gets none', async () => {
  const [first, second, third] = await prepareDemoLogins(app, merchantId, [])
  assert.ok(first && second && third)
  await logIn(app, second, HOME)
  const { token } = await logIn(app, third, HOME)
  await disableLogin(app, operatorActor('demo.operator'), (await sessionOf(app, 'merchant', token)).loginId)
  await disableOperator(app, operatorActor('demo.operator'), 'demo.approver')
  const again = await prepareDemoLogins(app, merchantId, [first, second, third])
  assert.deepEqual(
    again.map(({ name }) => name),
    ['demo.operator', 'demo@shop.example'],
  )
  assert.equal(again[0]?.password, first.password)
  await assert.rejects(logIn(app, third, HOME), { said: { why: 'login_wrong', facts: { audience: 'merchant' } } })
  assert.equal((await listOperators(app.db)).length, 2)
})

test('never in live', async () => {
  await assert.rejects(prepareDemoLogins({ ...app, sandbox: false }, merchantId, []), /sandbox only/)
})
