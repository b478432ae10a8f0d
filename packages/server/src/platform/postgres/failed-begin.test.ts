import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase } from '../../../../../test/harness/database.ts'
import type { Tx } from './db.ts'
import { openDb } from './db.ts'
import { openLog } from '../log.ts'
import { sql } from './sql.ts'

// A statement timeout or an administrator can cancel BEGIN itself. What was pipelined behind it would then commit by itself.
const database = await cloneDatabase('empty')
const db = openDb({ url: database.url, log: openLog('silent') })
const admin = new pg.Client({ connectionString: database.url })
await admin.connect()
await admin.query('create table notes (id int primary key)')

// oxlint-disable-next-line typescript/unbound-method -- called with the client it was found on
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
function failBegin(this: pg.Client, ...[text, ...rest]: unknown[]): unknown {
  return query.call(this, text === 'begin' ? 'select 1/0' : text, ...rest)
}
beforeEach(() => void (pg.Client.prototype.query = failBegin as typeof pg.Client.prototype.query))
afterEach(() => void (pg.Client.prototype.query = query as typeof pg.Client.prototype.query))
after(async () => {
  await db.end()
  await admin.end()
  await database.drop()
})

const read = (tx: Tx) => tx.query(sql`select 1`)
const write = (tx: Tx, id: number) => tx.query(sql`insert into notes (id) values (${id})`)

const works: Record<string, (tx: Tx) => Promise<unknown>> = {
  'one write': (tx) => write(tx, 1),
  'one write with the commit': (tx) => tx.withCommit(write(tx, 1)),
  'two writes at once': (tx) => Promise.all([write(tx, 1), write(tx, 2)]),
  'two writes, one after the other': async (tx) => {
    await write(tx, 1)
    await write(tx, 2)
  },
  'a read and a write at once': (tx) => Promise.all([read(tx), write(tx, 1)]),
  'reads, then writes with the commit, as creation does': async (tx) => {
    await Promise.all([read(tx), read(tx)])
    void tx.withCommit(Promise.all([write(tx, 1), write(tx, 2)]))
  },
}

for (const [what, work] of Object.entries(works)) {
  test(`BEGIN fails: nothing is written by ${what}, and the transaction fails`, async () => {
    await assert.rejects(db.transaction(work), /division by zero/)
    const { rows } = await admin.query('select id from notes')
    assert.deepEqual(rows, [])
  })
}
