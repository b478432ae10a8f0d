import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { lineFor, matchAll, someDeposits, ingest } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const { app, merchant } = await startService()

const LINES = 10_000
const PAGE = 500

test(`${LINES} lines imported twice, the second time in other pages: no second effect`, async () => {
  const shop = await merchant()
  const deposits = (
    await Promise.all(Array.from({ length: LINES / PAGE }, () => someDeposits(app, shop.merchantId, PAGE, 1000n)))
  ).flat()
  const lines = await Promise.all(deposits.map((deposit) => lineFor(app, deposit)))
  for (let at = 0; at < LINES; at += PAGE) await ingest(app, lines.slice(at, at + PAGE))
  await matchAll(app)
  const { available } = await balanceOf(app.db, shop.merchantId, 'TRY')
  assert.equal(available, BigInt(LINES) * 1000n)
  let imported = 0
  for (let at = 0; at < LINES; at += 777)
    imported += (await ingest(app, lines.slice(at, at + 777), 'another reading')).imported
  await matchAll(app)
  assert.equal(imported, 0)
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, available)
  assert.deepEqual(await findDrift(app.db), [])
})

test('identical genuine lines without a bank number are kept apart, and recognised when read again', async () => {
  const shop = await merchant()
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  const line = await lineFor(app, deposit as NonNullable<typeof deposit>, { bankReference: null, narrative: 'elden' })
  assert.deepEqual(await ingest(app, [line, line, line]), { imported: 3, known: 0, suspected: 0, notBooked: [] })
  assert.deepEqual(await ingest(app, [line, line, line]), { imported: 0, known: 3, suspected: 0, notBooked: [] })
  assert.deepEqual(await ingest(app, [line, line, line, line]), { imported: 1, known: 3, suspected: 0, notBooked: [] })
})

test('the same bank number twice in one reading is one line; a line of a foreign account is left out', async () => {
  const shop = await merchant()
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  const line = await lineFor(app, deposit as NonNullable<typeof deposit>)
  const foreign = { ...line, accountIban: 'TR330006100519786457841326' }
  assert.deepEqual(await ingest(app, [line, line, foreign]), {
    imported: 1,
    known: 1,
    suspected: 0,
    notBooked: [{ line: foreign, why: note('unread_not_ours') }],
  })
  await matchAll(app)
})

test('money that we sent to an account that is not registered yet is kept, and so is the far end of a payout', async () => {
  const shop = await merchant()
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  const line = await lineFor(app, deposit as NonNullable<typeof deposit>)
  const toElsewhere = { ...line, accountIban: 'TR330006100519786457841326', senderIban: line.accountIban }
  const virman = { ...toElsewhere, narrative: 'VIRMAN' }
  const payout = { ...toElsewhere, narrative: `Para cekme ${app.ids.next()}` }
  const { notBooked } = await ingest(app, [virman, payout])
  assert.deepEqual(
    notBooked.map(({ line: one }) => one),
    [virman, payout],
  )
})

test('lines of one reading are judged in the order of the bank', async () => {
  const shop = await merchant()
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  const line = await lineFor(app, deposit as NonNullable<typeof deposit>)
  const texts = Array.from({ length: 50 }, (_, index) => `sira ${index}`)
  await ingest(
    app,
    texts.map((narrative) => ({ ...line, narrative, bankReference: app.ids.next() })),
  )
  const newest = await listLines(app.db, 'new', texts.length)
  assert.deepEqual(
    newest.map(({ narrative }) => narrative),
    texts.toReversed(),
  )
  await matchAll(app)
})

/** The part of a plan that names what is read and how. */
async function plan(statement: ReturnType<typeof sql>): Promise<string> {
  const rows = await app.db.query<Record<string, string>>(sql`explain (costs off) ${statement}`)
  return rows.map((row) => Object.values(row)[0]).join('\n')
}

test('matching goes by index: by code, by waiting line; old deposits are never read', async () => {
  await app.db.query(sql`analyze deposits`)
  await app.db.query(sql`analyze bank_lines`)
  const byCode = await plan(
    sql`select id from deposits d where d.reference_code = any(${['K7QV4TD5', 'KQ7M3TXV']}::text[])`,
  )
  assert.match(byCode, /deposits_reference_code/)
  const waiting = await plan(
    sql`select l.id from bank_lines l where l.state = 'new' order by l.id limit 250 for update skip locked`,
  )
  assert.match(waiting, /bank_lines_to_match/)
  for (const text of [byCode, waiting]) assert.doesNotMatch(text, /Seq Scan/)
})
