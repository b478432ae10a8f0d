import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { compose } from '../../compose.ts'
import { operatorActor } from '../../kernel/actor.ts'
import { cloneDatabase, testConfig } from '../../../../../test/harness/database.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { AccountRef, NewEntry } from './index.ts'
import {
  balanceOf,
  bankAccount,
  ENTRY_KINDS,
  findDrift,
  findMixedEntries,
  lockAccounts,
  merchantAccount,
  openAndPost,
  postEntries,
  openAccounts,
  suspenseReceipt,
} from './index.ts'

const database = await cloneDatabase()
const app = compose(testConfig(), database.url)
after(async () => {
  await app.db.end()
  await database.drop()
})

type Row = { id: string; entryId: string; kind: string; subjectId: string; day: string; actor: string; amount: bigint }

function transfersOf(merchantId: string): Promise<Row[]> {
  return app.db.query<Row>(sql`
    select id, entry_id as "entryId", kind, subject_id as "subjectId", to_char(effective_on, 'YYYY-MM-DD') as day, actor, amount
    from transfers where merchant_id = ${merchantId} order by created_at, id`)
}

/** A merchant with its accounts and a bank account. */
async function opened() {
  const merchantId = app.ids.next()
  const cash = bankAccount('bank_cash', app.ids.next(), 'TRY')
  const [available, fees] = (['merchant_available', 'fees'] as const).map((kind) =>
    merchantAccount(kind, merchantId, 'TRY'),
  ) as [AccountRef, AccountRef]
  await app.db.transaction((tx) => openAccounts(app, tx, [cash, available, fees]))
  const settlement = (amount: bigint, fee = 0n): NewEntry => {
    const credit = { from: cash, to: available, amount }
    const transfers = fee > 0n ? [credit, { from: cash, to: fees, amount: fee }] : [credit]
    return { kind: 'deposit_settlement', merchantId, subjectId: app.ids.next(), transfers }
  }
  return { merchantId, cash, available, fees, settlement }
}

const post = (entries: NewEntry[], clock: Clock = app.clock) =>
  app.db.transaction((tx) => openAndPost({ clock, ids: app.ids, marks: app.marks }, tx, entries))

test('the transfers of an entry share its id, kind, subject, date and author; without a date and an author: today, system', async () => {
  const { merchantId, settlement } = await opened()
  const entry = { ...settlement(900n, 100n), effectiveOn: '2026-02-28', actor: operatorActor('ada.aksoy') }
  const plain = settlement(50n)
  await post([entry])
  await post([plain], { now: () => new Date('2026-11-16T09:00:00Z') })
  const rows = (await transfersOf(merchantId)).map(({ id, entryId, ...rest }) => ({ ...rest, first: id === entryId }))
  const kind = 'deposit_settlement'
  const whole = { kind, subjectId: entry.subjectId, day: '2026-02-28', actor: 'operator:ada.aksoy' }
  const expected = [
    { ...whole, amount: 900n, first: true },
    { ...whole, amount: 100n, first: false },
    { kind, subjectId: plain.subjectId, day: '2026-11-16', actor: 'system', amount: 50n, first: true },
  ]
  const byAmount = (list: typeof rows) => list.toSorted((a, b) => Number(b.amount - a.amount))
  assert.deepEqual(byAmount(rows), expected)
  assert.equal(new Set((await transfersOf(merchantId)).map(({ entryId }) => entryId)).size, 2)
})

for (const [at, day] of [
  ['2026-11-15T20:59:59.999Z', '2026-11-15'],
  ['2026-11-15T21:00:00.000Z', '2026-11-16'],
  ['2026-12-31T20:59:59.999Z', '2026-12-31'],
  ['2026-12-31T21:00:00.000Z', '2027-01-01'],
] as const) {
  test(`around midnight in Istanbul: ${at} belongs to ${day}, by the clock and by the bank's booking`, async () => {
    const { merchantId, cash, settlement } = await opened()
    await post([settlement(5n)], { now: () => new Date(at) })
    assert.deepEqual(
      (await transfersOf(merchantId)).map((row) => row.day),
      [day],
    )
    const line = { id: app.ids.next(), collectingAccountId: cash.subject ?? '', currency: 'TRY', amount: 5n }
    // It is read a week later.
    await post([suspenseReceipt({ ...line, bookedAt: new Date(at) })], { now: () => new Date(Date.parse(at) + 6e8) })
    const [row] = await app.db.query<{ day: string }>(sql`
      select to_char(effective_on, 'YYYY-MM-DD') as day from transfers where subject_id = ${line.id}`)
    assert.equal(row?.day, day)
  })
}

test('entries of one call are posted together or not at all', async () => {
  const { merchantId, cash, available, settlement } = await opened()
  const tooMuch = { ...settlement(1n), transfers: [{ from: available, to: cash, amount: 501n }] }
  await assert.rejects(post([settlement(300n), settlement(200n), tooMuch]), { constraint: 'accounts_never_negative' })
  const unknown = { ...settlement(7n), kind: 'gift' as never }
  await assert.rejects(post([settlement(300n), unknown]), { constraint: 'transfers_known_kind' })
  const nothing = { ...settlement(7n), transfers: [] }
  await assert.rejects(post([settlement(300n), nothing]), /moves nothing/)
  const accounts = app.db.transaction(async (tx) =>
    postEntries(app, tx, await lockAccounts(tx, [cash]), [settlement(300n)]),
  )
  await assert.rejects(accounts, /was not locked/)
  assert.deepEqual(await transfersOf(merchantId), [])
  assert.equal((await balanceOf(app.db, merchantId, 'TRY')).available, 0n)
  assert.deepEqual(await findDrift(app.db), [])
})

test('the database knows the same kinds as the code', async () => {
  const [row] = await app.db.query<{ definition: string }>(sql`
    select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'transfers_known_kind'`)
  const kinds = [...(row?.definition ?? '').matchAll(/'(\w+)'/g)].map(([, kind]) => kind)
  assert.deepEqual(kinds, [...ENTRY_KINDS])
})

/** Inserted directly, bypassing the service. */
async function insert(columns: Record<string, string | null>): Promise<{ merchantId: string; subjectId: string }> {
  const { merchantId, cash, available } = await opened()
  const subjectId = app.ids.next()
  await app.db.transaction(async (tx) => {
    const accounts = await lockAccounts(tx, [cash, available])
    const { entry = null, kind = null, day = null, actor = null } = columns
    await tx.query(sql`
      insert into transfers (merchant_id, subject_id, id, entry_id, kind, effective_on, actor,
        from_account, to_account, currency, amount, created_at)
      values (${merchantId}, ${subjectId}, ${app.ids.next()}, ${entry}, ${kind}, ${day}::date, ${actor},
        ${accounts.idOf(cash)}, ${accounts.idOf(available)}, 'TRY', 5, '2026-01-01T21:30:00Z')`)
    await tx.query(sql`update accounts set balance = balance - 5 where id = ${accounts.idOf(cash)}`)
    await tx.query(sql`update accounts set balance = balance + 5 where id = ${accounts.idOf(available)}`)
  })
  return { merchantId, subjectId }
}

test('a transfer without an entry, or with a part of one, is refused', async () => {
  const whole = { entry: 'e', kind: 'correction', day: '2026-01-01', actor: 'operator:ada.aksoy' }
  const refused = { code: '23502' }
  await assert.rejects(insert({}), refused)
  for (const part of Object.keys(whole)) await assert.rejects(insert({ ...whole, [part]: null }), refused)
  await insert(whole)
})

test('the statement of an account in docs/ledger.md is found by account and day', async () => {
  const { cash, available, settlement } = await opened()
  const [id] = await app.db.transaction(async (tx) => {
    const accounts = await lockAccounts(tx, [available, cash])
    await postEntries(app, tx, accounts, [
      { ...settlement(300n), effectiveOn: '2026-11-01' },
      { ...settlement(50n), effectiveOn: '2026-12-01' },
    ])
    const back = { ...settlement(1n), transfers: [{ from: available, to: cash, amount: 200n }] }
    await postEntries(app, tx, accounts, [{ ...back, effectiveOn: '2026-11-30' }])
    return [accounts.idOf(available)]
  })
  const docs = readFileSync(join(import.meta.dirname, '../../../../../docs/ledger.md'), 'utf8')
  const [, query = ''] = /## Statement of an account[\s\S]*?```sql\n([\s\S]*?);\n```/.exec(docs) ?? []
  const statement = query.replaceAll('ACCOUNT', id)
  const run = (text: string) => ({ text, values: [] }) as unknown as Sql
  const rows = await app.db.query<{ amount: bigint; day: string }>(
    run(`select amount, to_char(effective_on, 'YYYY-MM-DD') as day from (${statement}) as one order by day`),
  )
  assert.deepEqual(
    rows.map(({ amount, day }) => [day, amount]),
    [
      ['2026-11-01', 300n],
      ['2026-11-30', -200n],
    ],
  )
  const plan = await app.db.transaction(async (tx) => {
    // A small table would be scanned sequentially.
    await tx.query(sql`set local enable_seqscan = off`)
    return JSON.stringify(await tx.query(run(`explain ${statement}`)))
  })
  assert.match(plan, /transfers_by_day/)
  assert.equal(plan.match(/Index Cond: \(.*?effective_on/g)?.length, 2, plan)
})

test('an entry whose transfers differ is found', async () => {
  assert.deepEqual(await findMixedEntries(app.db), [])
  const half = { entry: app.ids.next(), kind: 'correction', day: '2026-01-01', actor: 'operator:ada.aksoy' }
  await insert(half)
  assert.deepEqual(await findMixedEntries(app.db), [])
  await insert({ ...half, kind: 'withdrawal_hold' })
  assert.deepEqual(await findMixedEntries(app.db), [half.entry])
})
