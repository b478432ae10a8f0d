import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { cloneDatabase } from '../../../../../test/harness/database.ts'
import { until } from '../../../../../test/harness/until.ts'
import type { Tx } from './db.ts'
import { openDb } from './db.ts'
import { openLog } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { sql } from './sql.ts'

const database = await cloneDatabase('empty')
const db = openDb({ url: database.url, log: openLog('silent') })
const admin = new pg.Client({ connectionString: database.url })
await admin.connect()
await admin.query('create table notes (id int primary key, amount bigint)')
beforeEach(() => admin.query('truncate notes'))
after(async () => {
  await db.end()
  await admin.end()
  await database.drop()
})

const write = (tx: Tx, id: number) => tx.query(sql`insert into notes (id) values (${id})`)
const written = async () =>
  (await admin.query<{ id: number }>('select id from notes order by id')).rows.map(({ id }) => id)
const pid = async (tx: Tx) => (await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid
const kill = (pids: (number | undefined)[]) =>
  admin.query('select pg_terminate_backend(unnest($1::int[]), 5000)', [pids])
const isUnavailable = (error: unknown) => error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE'

test('a transaction commits what it wrote and answers its result', async () => {
  const result = await db.transaction(async (tx) => {
    await write(tx, 1)
    assert.deepEqual(await written(), [], 'nobody sees it before')
    return 'done'
  })
  assert.equal(result, 'done')
  assert.deepEqual(await written(), [1])
})

for (const [what, error] of [
  ['an error', new Error('no')],
  ['a Refusal', new Refusal('INVALID_STATE', 'no')],
] as const) {
  test(`${what} thrown inside rolls everything back and comes out unchanged`, async () => {
    await assert.rejects(
      db.transaction(async (tx) => {
        await write(tx, 1)
        throw error
      }),
      (thrown) => thrown === error,
    )
    assert.deepEqual(await written(), [])
  })
}

test('one of several simultaneous statements fails: everything is rolled back, the connection is as good as new', async () => {
  for (let round = 0; round < 30; round++) {
    await assert.rejects(
      db.transaction((tx) => Promise.all([write(tx, 1), write(tx, 1), write(tx, 2)])),
      { code: '23505' },
    )
  }
  assert.deepEqual(await written(), [])
  await db.transaction((tx) => write(tx, 3))
  assert.deepEqual(await written(), [3])
})

test('a statement behind the commit is refused: it would be saved by itself', async () => {
  const late = async (tx: Tx) => {
    await tx.query(sql`select 1`)
    await write(tx, 2)
  }
  await assert.rejects(
    db.transaction(async (tx) => {
      await write(tx, 1)
      void tx.withCommit(late(tx))
    }),
    /is over/,
  )
  assert.ok(!(await written()).includes(2))
})

test('an error that was swallowed inside is reported at the commit, because nothing was saved', async () => {
  await assert.rejects(
    db.transaction(async (tx) => {
      await write(tx, 1)
      await tx.query(sql`select 1 / 0`).catch(() => undefined)
      return 'looks fine'
    }),
    /rolled back because of an error that was not reported/,
  )
  assert.deepEqual(await written(), [])
})

test('killed idle connections: the process lives, and the next queries work', async () => {
  const gates = Promise.withResolvers<void>()
  const pids: (number | undefined)[] = []
  const open = Array.from({ length: 5 }, () =>
    db.transaction(async (tx) => {
      pids.push(await pid(tx))
      if (pids.length === 5) gates.resolve()
      await gates.promise
    }),
  )
  await Promise.all(open)
  assert.equal(new Set(pids).size, 5)
  await kill(pids)
  // The pool may return a connection whose end it has not noticed yet: a refusal, never a crash.
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, () => db.query<{ one: number }>(sql`select 1 as one`)),
  )
  for (const answer of answers) assert.ok(answer.status === 'fulfilled' || isUnavailable(answer.reason))
  assert.deepEqual(await db.query(sql`select 2 as two`), [{ two: 2 }])
})

test('a connection killed inside a transaction: SERVICE_UNAVAILABLE, nothing is saved, the next one works', async () => {
  await assert.rejects(
    db.transaction(async (tx) => {
      await write(tx, 1)
      await kill([await pid(tx)])
      await write(tx, 2)
    }),
    (error) => {
      assert.ok(error instanceof Refusal)
      assert.equal(error.code, 'SERVICE_UNAVAILABLE')
      assert.equal(error.retryAfterSeconds, 2)
      assert.match(error.message, /Nothing was saved/)
      return true
    },
  )
  assert.deepEqual(await written(), [])
  await db.transaction((tx) => write(tx, 3))
  assert.deepEqual(await written(), [3])
})

test('who is frozen inside a transaction loses its locks: whoever waits for them gets them instead of an error', async () => {
  await db.transaction((tx) => write(tx, 1))
  const locked = Promise.withResolvers<void>()
  const changed = Promise.withResolvers<void>()
  const frozen = db.transaction(async (tx) => {
    await tx.query(sql`update notes set amount = 1 where id = 1`)
    locked.resolve()
    await changed.promise
    await tx.query(sql`update notes set amount = 2 where id = 1`)
  })
  await locked.promise
  await db.transaction((tx) => tx.query(sql`update notes set amount = 3 where id = 1`))
  changed.resolve()
  await assert.rejects(frozen, isUnavailable)
  assert.deepEqual(await db.query(sql`select amount from notes`), [{ amount: 3n }])
})

test('a connection lost at the commit: the answer says that the outcome is unknown, and how to look it up', async () => {
  await assert.rejects(
    db.transaction(async (tx) => {
      await write(tx, 1)
      await kill([await pid(tx)])
    }),
    (error) => {
      assert.ok(error instanceof Refusal)
      assert.equal(error.code, 'SERVICE_UNAVAILABLE')
      assert.match(error.message, /unknown/)
      assert.match(error.message, /processId/)
      return true
    },
  )
  await db.transaction((tx) => write(tx, 2))
  assert.deepEqual(await written(), [2])
})

test('a server that is not there is SERVICE_UNAVAILABLE, for reads and for transactions', async () => {
  const nowhere = openDb({ url: 'postgres://nobody@127.0.0.1:1/none', log: openLog('silent') })
  await assert.rejects(nowhere.query(sql`select 1`), isUnavailable)
  await assert.rejects(
    nowhere.transaction(async () => assert.fail('there is no transaction')),
    isUnavailable,
  )
  await nowhere.end()
})

test('a bigint is money, to the last digit; an int is a number', async () => {
  await db.transaction((tx) => tx.query(sql`insert into notes (id, amount) values (7, ${9_007_199_254_740_993n})`))
  assert.deepEqual(await db.query(sql`select id, amount from notes`), [{ id: 7, amount: 9_007_199_254_740_993n }])
})

test('a value never becomes SQL', async () => {
  const hostile = `'); drop table notes; --`
  assert.deepEqual(await db.query(sql`select ${hostile}::text as said`), [{ said: hostile }])
  assert.deepEqual(await written(), [])
})

test('listen hears what is notified at commit, and nothing after it has stopped', async () => {
  let count = 0
  let heard = Promise.withResolvers<void>()
  const stop = await db.listen('bell', () => {
    count += 1
    heard.resolve()
  })
  await db.transaction((tx) => tx.query(sql`select pg_notify('bell', '')`))
  await heard.promise
  heard = Promise.withResolvers<void>()
  await stop()
  await db.transaction((tx) => tx.query(sql`select pg_notify('bell', '')`))
  assert.equal(count, 1)
})

test('a transaction of one statement is saved by itself and refuses a second', async () => {
  await db.oneStatement((tx) => write(tx, 1))
  assert.deepEqual(await written(), [1])
  await assert.rejects(
    db.oneStatement(async (tx) => {
      await write(tx, 2)
      await write(tx, 3)
    }),
    /second statement/,
  )
  assert.deepEqual(await written(), [1, 2])
  await assert.rejects(
    db.oneStatement((tx) => write(tx, 1)),
    { code: '23505' },
  )
})

test('a connection lost under a lone statement: whether it was saved is unknown, and the next one works', async () => {
  const started = db.oneStatement((tx) => tx.query(sql`insert into notes (id) select 4 from pg_sleep(30)`))
  const outcome = started.then(
    () => null,
    (error: unknown) => error,
  )
  const killIt = () =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'insert into notes%pg_sleep%'`)
  await until(killIt, ({ rowCount }) => rowCount === 1)
  const error = await outcome
  assert.ok(isUnavailable(error) && /whether it was saved is unknown/.test((error as Error).message))
  await db.oneStatement((tx) => write(tx, 5))
  assert.deepEqual(await written(), [5])
})

test('lists of texts arrive as they were, whatever is in them; so do numbers and amounts, and what is missing', async () => {
  const odd = fc.constantFrom(
    '"',
    '\\',
    '{',
    '}',
    ',',
    'null',
    'NULL',
    '\n',
    '\u0001',
    '\u007f',
    'ş',
    '🎉',
    '\\n',
    '\\"',
    ' ',
  )
  const text = fc.oneof(
    fc.array(odd).map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme' }),
  )
  const clean = text.filter((one) => !one.includes('\0'))
  const maybe = <Value>(of: fc.Arbitrary<Value>) => fc.array(fc.option(of))
  await fc.assert(
    fc.asyncProperty(
      maybe(clean),
      maybe(fc.integer()),
      maybe(fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0)),
      maybe(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      maybe(fc.boolean()),
      async (...[texts, whole, real, amounts, flags]) => {
        const [row] = await db.query<{
          texts: string[]
          whole: number[]
          real: number[]
          amounts: string[]
          flags: boolean[]
        }>(sql`
          select ${texts}::text[] as texts, ${whole}::int[] as whole, ${real}::float8[] as real,
            (${amounts}::bigint[])::text[] as amounts, ${flags}::boolean[] as flags`)
        assert.deepEqual(row, { texts, whole, real, amounts: amounts.map((one) => one?.toString() ?? null), flags })
      },
    ),
  )
})

test('lists of dates, and a number that is none', async () => {
  const at = new Date('2026-11-15T07:00:00.123Z')
  const [row] = await db.query<{ dates: Date[] }>(sql`select ${[at, null]}::timestamptz[] as dates`)
  assert.deepEqual(row?.dates, [at, null])
  await assert.rejects(db.query(sql`select ${[1, Number.NaN]}::int[]`), /NaN/)
})
