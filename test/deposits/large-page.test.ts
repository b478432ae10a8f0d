import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankApiConnection, fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import { countUnread, readCursor } from '../../packages/server/src/domain/statements/index.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

// A bank that ignores our limit and gives all its lines in one page.
const service = await startService()
const { app } = service
const bank = await startPlainBank()
const connection = bankApiConnection(bank.connection)
const [account] = await app.banks.accounts()

function wire(index: number): object {
  const at = app.clock.now().toISOString()
  const facts = { amount: 100 + index, direction: 'credit', senderName: 'Ayşe', senderIban: null, narrative: 'x' }
  return {
    account: account?.iban,
    reference: `n-${index}`,
    valueDate: istanbul(new Date(at)).day,
    bookedAt: at,
    ...facts,
  }
}

test('2,600 lines in one page come in by parts, and the cursor moves with the last', async () => {
  const lines = [
    ...Array.from({ length: 1300 }, (_, index) => wire(index)),
    ...Array.from({ length: 1300 }, () => 'odd'),
  ]
  bank.behave({ statement: () => ({ status: 200, body: { lines, cursor: 'end', more: false } }) })
  assert.equal(await fetchLines(app, connection), 1300)
  assert.equal((await countUnread(app.db)).count, 1300)
  const parts = await app.db.query<{ count: number; last: boolean }>(sql`
    select count(*)::int as count, xmin = (select c.xmin from statement_cursors c) as last from bank_lines group by xmin
    order by last`)
  assert.deepEqual(parts.map(({ count, last }) => `${count}${last ? ' with the cursor' : ''}`).toSorted(), [
    '300 with the cursor',
    '500',
    '500',
  ])
  // Read again: nothing is new, and equal lines stay as many as they were.
  assert.equal(await fetchLines(app, connection), 0)
  assert.equal((await countUnread(app.db)).count, 1300)
})

test('a part that fails leaves the cursor where it was; the next read takes in the rest', async () => {
  const lines = Array.from({ length: 700 }, (_, index) => wire(10_000 + index))
  bank.behave({ statement: () => ({ status: 200, body: { lines, cursor: 'later', more: false } }) })
  await app.db.query(sql`
    create function refuse_for_test() returns trigger language plpgsql as $$
    begin raise exception 'made to fail' using errcode = '53100'; end $$`)
  await app.db.query(sql`
    create trigger refuse_for_test before insert on bank_lines for each row
    when (new.bank_reference = 'n-10600') execute function refuse_for_test()`)
  await assert.rejects(fetchLines(app, connection))
  assert.equal((await readCursor(app.db, connection.name))?.cursor, 'end')
  await app.db.query(sql`drop trigger refuse_for_test on bank_lines`)
  assert.equal(await fetchLines(app, connection), 200)
  assert.equal((await readCursor(app.db, connection.name))?.cursor, 'later')
})

test('a page beyond all bounds is refused, and nothing of it is taken in', async () => {
  const before = (await countUnread(app.db)).count
  const lines = Array.from({ length: 100_001 }, () => 0)
  bank.behave({ statement: () => ({ status: 200, body: { lines, cursor: 'huge', more: false } }) })
  assert.equal(await fetchLines(app, connection), 0)
  assert.equal((await readCursor(app.db, connection.name))?.cursor, 'later')
  assert.equal((await countUnread(app.db)).count, before)
  const page = await connection.statement('later')
  assert.deepEqual(page.outcome === 'unreachable' && page.why, note('page_too_long', { lines: 100_001, most: 100_000 }))
})
