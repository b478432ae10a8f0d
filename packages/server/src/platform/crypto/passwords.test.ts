import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costOf, hashPassword, PASSWORD_COST, passwordFits } from './passwords.ts'
import { secureRandom } from './random.ts'

const app = { random: secureRandom() }
const cheap = { memory: 64, passes: 1, parallelism: 1 }

test('64 MiB and three passes, as a PHC string with a salt of its own', async () => {
  const stored = await hashPassword(app, 'a password', PASSWORD_COST)
  assert.match(stored, /^\$argon2id\$v=19\$m=65536,t=3,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.deepEqual(costOf(stored), PASSWORD_COST)
  assert.ok(await passwordFits('a password', stored, cheap), 'at the cost of the string')
})

test('only the same password fits, in every Unicode form of it', async () => {
  const [one, two] = [await hashPassword(app, 'yağmur', cheap), await hashPassword(app, 'yağmur', cheap)]
  assert.notEqual(one, two)
  assert.ok(await passwordFits('yağmur'.normalize('NFD'), one, cheap))
  for (const wrong of ['', 'yagmur', 'yağmur ']) assert.ok(!(await passwordFits(wrong, one, cheap)))
  assert.ok(!(await passwordFits('yağmur', null, cheap)))
})

// RFC 9106 gives no vector without a secret key; this one is of the reference implementation's tests.
test('what the reference implementation has hashed', async () => {
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  assert.ok(await passwordFits('password', stored, cheap))
})

test('beyond those that wait, one is refused and told when to come again', async () => {
  const all = Array.from({ length: 40 }, () =>
    passwordFits('a', null, cheap).then(
      () => 'done',
      (error: { code: string; retryAfterSeconds: number }) => `${error.code} ${error.retryAfterSeconds}`,
    ),
  )
  const outcomes = Map.groupBy(await Promise.all(all), (outcome) => outcome)
  assert.equal(outcomes.get('done')?.length, 32)
  assert.equal(outcomes.get('SERVICE_UNAVAILABLE 3')?.length, 8)
  assert.equal(await passwordFits('a', null, cheap), false)
})
