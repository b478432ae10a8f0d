import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queue } from './passwords.ts'
import { costOf, hashPassword, PASSWORD_COST, passwordFits } from './passwords.ts'
import { secureRandom } from './random.ts'

const app = { random: secureRandom() }
const STRANGER = { name: 'strangers' } as const
const cheap = { memory: 64, passes: 1, parallelism: 1 }

test('64 MiB and three passes, as a PHC string with a salt of its own', async () => {
  const stored = await hashPassword(app, STRANGER, 'a password', PASSWORD_COST)
  assert.match(stored, /^\$argon2id\$v=19\$m=65536,t=3,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.deepEqual(costOf(stored), PASSWORD_COST)
  assert.ok(await passwordFits(STRANGER, 'a password', stored, cheap), 'at the cost of the string')
})

test('only the same password fits, in every Unicode form of it', async () => {
  const [one, two] = [
    await hashPassword(app, STRANGER, 'yağmur', cheap),
    await hashPassword(app, STRANGER, 'yağmur', cheap),
  ]
  assert.notEqual(one, two)
  assert.ok(await passwordFits(STRANGER, 'yağmur'.normalize('NFD'), one, cheap))
  for (const wrong of ['', 'yagmur', 'yağmur ']) assert.ok(!(await passwordFits(STRANGER, wrong, one, cheap)))
  assert.ok(!(await passwordFits(STRANGER, 'yağmur', null, cheap)))
})

// RFC 9106 gives no vector without a secret key; this one is of the reference implementation's tests.
test('what the reference implementation has hashed', async () => {
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  assert.ok(await passwordFits(STRANGER, 'password', stored, cheap))
})

const outcomesOf = async (queue: Queue, count: number) => {
  const all = Array.from({ length: count }, () =>
    passwordFits(queue, 'a', null, cheap).then(
      () => 'done',
      (error: { code: string; retryAfterSeconds: number }) => `${error.code} ${error.retryAfterSeconds}`,
    ),
  )
  const outcomes = Map.groupBy(await Promise.all(all), (outcome) => outcome)
  return Object.fromEntries([...outcomes].map(([outcome, { length }]) => [outcome, length]))
}

test('beyond those that wait, one is refused and told when to come again; who is known waits for no stranger', async () => {
  const strangers = outcomesOf(STRANGER, 40)
  assert.equal(await passwordFits({ name: 'staff', party: 'ada' }, 'a', null, cheap), false)
  assert.deepEqual(await strangers, { done: 16, 'SERVICE_UNAVAILABLE 3': 24 })
  assert.equal(await passwordFits(STRANGER, 'a', null, cheap), false)
})

test('one merchant leaves places to the users of others, and merchants leave all of theirs to the staff', async () => {
  const merchants = ['a', 'b', 'c'].map((party) => outcomesOf({ name: 'merchants', party }, 10))
  const [staff, other] = [
    outcomesOf({ name: 'staff', party: 'ada' }, 3),
    outcomesOf({ name: 'merchants', party: 'd' }, 4),
  ]
  assert.deepEqual(await staff, { done: 3 })
  assert.deepEqual(await other, { done: 4 })
  for (const outcome of merchants) assert.deepEqual(await outcome, { done: 4, 'SERVICE_UNAVAILABLE 3': 6 })
})
