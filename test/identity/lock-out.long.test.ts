import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { changePassword, logIn, pruneLogins } from '../../packages/server/src/domain/identity/index.ts'
import type { Visitor } from '../../packages/server/src/domain/identity/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { passwordFits } from '../../packages/server/src/platform/crypto/passwords.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { TestApp } from '../harness/logins.ts'
import { cheap, enter, from, later, operatorWithLogin, PASSWORD } from '../harness/logins.ts'
import { startSecondProcess, startService } from '../harness/service.ts'

const service = await startService()
const started = service.app.clock.now()
// Time stands still, so that nothing depends on how long the attempts take.
const app: TestApp = { ...cheap(service.app), clock: { ...service.app.clock, now: () => started } }
await addOperator(app, UNATTRIBUTED, 'boss.admin', DECIDING)

const WRONG = { said: { why: 'login_wrong', facts: { audience: 'operator' } }, code: 'NOT_FOUND' }
const ask = (name: string, visitor: Visitor, password = 'a wrong password', its = app) =>
  logIn(its, { audience: 'operator', name, password }, visitor)
const right = (name: string, visitor: Visitor, its = app) => ask(name, visitor, PASSWORD, its)

async function failing(times: number, name: string, visitor: Visitor, its = app): Promise<void> {
  for (let count = 0; count < times; count++) await assert.rejects(ask(name, visitor, undefined, its), WRONG)
}

test('an unknown name takes the same path as a wrong password: same words, same work, same count', async () => {
  await operatorWithLogin(app, 'ada.aksoy')
  await assert.rejects(ask('no.body', from('198.51.100.1')), WRONG)
  await assert.rejects(ask('ada.aksoy', from('198.51.100.1')), WRONG)
  for (const odd of ['', '\0', 'x'.repeat(10_000), '\ud800', "' or 1=1"])
    await assert.rejects(ask(odd, from('198.51.99.1')), WRONG)
  // The hash is computed for an unknown name: at a cost that argon2 refuses, the login fails there.
  const broken = { ...app, passwordCost: { memory: 1, passes: 1, parallelism: 1 } }
  await assert.rejects(ask('no.body', from('198.51.100.1'), undefined, broken), /memory/)
  await failing(3, 'no.body', from('198.51.100.1'))
  await failing(4, 'ada.aksoy', from('198.51.100.1'))
  for (const name of ['no.body', 'ada.aksoy'])
    await assert.rejects(ask(name, from('198.51.100.1')), { code: 'RATE_LIMITED', retryAfterSeconds: 1 })
})

test('after five failures the next attempt waits 1, 2, 4 … seconds, also with the right password', async () => {
  await operatorWithLogin(app, 'bora.boz')
  const visitor = from('198.51.101.1')
  await failing(5, 'bora.boz', visitor)
  let waited = 0
  for (const wait of [1, 2, 4, 8]) {
    await assert.rejects(right('bora.boz', visitor, later(app, waited)), {
      code: 'RATE_LIMITED',
      retryAfterSeconds: wait,
      said: { why: 'attempts_too_many', facts: { seconds: wait } },
    })
    waited += wait
    await failing(1, 'bora.boz', visitor, later(app, waited))
  }
  await right('bora.boz', visitor, later(app, waited + 16))
  await failing(5, 'bora.boz', visitor, later(app, waited + 16))
})

test('a clock that was set back leaves no one waiting for a time that has not come', async () => {
  await operatorWithLogin(app, 'set.back')
  const visitor = from('198.51.102.1')
  const ahead = later(app, 13 * 3600)
  await right('set.back', visitor, ahead)
  await failing(1, 'set.back', visitor, ahead)
  await right('set.back', visitor)
  await failing(5, 'set.back', visitor)
  await assert.rejects(right('set.back', visitor), { code: 'RATE_LIMITED', retryAfterSeconds: 1 })
})

test('many attempts at once are counted too, in two processes', async () => {
  await operatorWithLogin(app, 'cem.can')
  const other = { ...cheap(await startSecondProcess(service)), clock: app.clock }
  const all = Array.from({ length: 20 }, (_, index) =>
    ask('cem.can', from('198.51.102.1'), undefined, index % 2 ? app : { ...app, ...other }).catch(
      ({ code }: { code: string }) => code,
    ),
  )
  const outcomes = (await Promise.all(all)) as string[]
  assert.equal(outcomes.filter((code) => code === 'NOT_FOUND').length, 5)
  assert.equal(outcomes.filter((code) => code === 'RATE_LIMITED').length, 15)
})

test('no one is held up by failures from another network, whatever name they use', async () => {
  await operatorWithLogin(app, 'deniz.duman')
  for (const network of ['203.0.1.1', '203.0.2.1', '2001:db8:1::1', '2001:db8:2::1'])
    await failing(5, 'deniz.duman', from(network))
  await assert.rejects(right('deniz.duman', from('203.0.1.99')), { code: 'RATE_LIMITED' }, 'the same /24')
  await assert.rejects(right('deniz.duman', from('2001:db8:1::99')), { code: 'RATE_LIMITED' }, 'the same /64')
  await right('deniz.duman', from('203.0.3.1'))
})

test('in the network of an attacker, a device that has logged in before is not held up', async () => {
  await operatorWithLogin(app, 'ece.er')
  await operatorWithLogin(app, 'filiz.fer')
  const { device } = await right('ece.er', from('203.0.5.1'))
  await failing(5, 'ece.er', from('203.0.5.2'))
  await assert.rejects(right('ece.er', from('203.0.5.1')), { code: 'RATE_LIMITED' })
  await right('ece.er', from('203.0.5.1', device))
  // Bound to the login, signed, and with a count of its own.
  await failing(5, 'filiz.fer', from('203.0.5.2'))
  await assert.rejects(right('filiz.fer', from('203.0.5.1', device)), { code: 'RATE_LIMITED' })
  const forged = `${device?.slice(0, -1)}${device?.endsWith('A') ? 'B' : 'A'}`
  await assert.rejects(right('ece.er', from('203.0.5.1', forged)), { code: 'RATE_LIMITED' })
  await failing(10, 'ece.er', from('203.0.5.1', device))
  await assert.rejects(right('ece.er', from('203.0.5.1', device)), { code: 'RATE_LIMITED' })
})

test('a device is known for 180 days', async () => {
  await operatorWithLogin(app, 'kaan.kar')
  const { device } = await right('kaan.kar', from('203.0.6.1'))
  const [before, after] = [later(app, 179 * 86_400), later(app, 181 * 86_400)]
  await failing(5, 'kaan.kar', from('203.0.6.1'), before)
  await right('kaan.kar', from('203.0.6.1', device), before)
  await failing(5, 'kaan.kar', from('203.0.6.1'), after)
  await assert.rejects(right('kaan.kar', from('203.0.6.1', device), after), { code: 'RATE_LIMITED' })
})

test('a device from before a change of the password has no privilege', async () => {
  await operatorWithLogin(app, 'gizem.gul')
  const { session, device } = await enter(app, 'operator', 'gizem.gul')
  const next = 'bambaşka uzun bir cümle'
  await changePassword(app, session, { current: PASSWORD, next })
  await failing(5, 'gizem.gul', from('203.0.7.1', device))
  await assert.rejects(ask('gizem.gul', from('203.0.7.1', device), next), { code: 'RATE_LIMITED' })
})

test('one network that tries many names is held up after fifty failures, and no other is', async () => {
  await operatorWithLogin(app, 'halil.han')
  for (let count = 0; count < 50; count++) await failing(1, `name.${count}`, from('203.0.8.1'))
  await assert.rejects(right('halil.han', from('203.0.8.2')), { code: 'RATE_LIMITED' })
  await right('halil.han', from('203.0.9.2'))
})

test('one IPv6 /48 that tries many names from many /64 is held up after two hundred failures, and no other is', async () => {
  await operatorWithLogin(app, 'jale.jet')
  const every = Array.from({ length: 200 }, (_, index) => index)
  for (const index of every) await failing(1, `name.${index}`, from(`2001:db8:77:${index.toString(16)}::1`))
  await assert.rejects(right('jale.jet', from('2001:db8:77:ffff::1')), { code: 'RATE_LIMITED' })
  await right('jale.jet', from('2001:db8:78::1'))
})

test('a password that was not looked at because too many wait is no failure; who is known does not wait behind strangers', async () => {
  await operatorWithLogin(app, 'lale.lon')
  const { device } = await right('lale.lon', from('203.0.12.1'))
  await failing(4, 'lale.lon', from('203.0.11.1'))
  let isAttacked = true
  const trying = async () => {
    while (isAttacked) await passwordFits({ name: 'strangers' }, 'a', null, app.passwordCost)
  }
  const strangers = Array.from({ length: 16 }, trying)
  for (let times = 0; times < 8; times++) {
    await assert.rejects(right('lale.lon', from('203.0.11.1')), { code: 'SERVICE_UNAVAILABLE' })
    await right('lale.lon', from('203.0.11.1', device))
  }
  isAttacked = false
  await Promise.all(strangers)
  await failing(1, 'lale.lon', from('203.0.11.1'))
  await assert.rejects(right('lale.lon', from('203.0.11.1')), { code: 'RATE_LIMITED', retryAfterSeconds: 1 })
})

test('failures are forgotten after twelve hours and deleted after a day; they name no one', async () => {
  await operatorWithLogin(app, 'inci.ince')
  const visitor = from('203.0.10.1')
  await failing(5, 'inci.ince', visitor)
  await failing(4, 'inci.ince', visitor, later(app, 13 * 3600))
  const rows = () => app.db.query<{ text: string }>(sql`select f::text as text from login_failures f`)
  assert.ok((await rows()).every(({ text }) => !text.includes('203.0') && !text.includes('inci')))
  await pruneLogins(later(app, 183 * 86_400))
  assert.deepEqual(await rows(), [])
})
