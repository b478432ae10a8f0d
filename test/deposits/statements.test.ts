import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAccounts } from '../../packages/server/src/domain/banks/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { listStatements } from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { ingest } from '../harness/payments.ts'
import { startSecondProcess, startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const [one, two, three] = (await listAccounts(app.db)).map(({ iban }) => iban) as [string, string, string]
const run = openCommandLineOf(service)

function line(
  accountIban: string,
  bookedAt: string,
  amount: bigint,
  direction: 'credit' | 'debit' = 'credit',
): BankLine {
  const facts = { bankReference: app.ids.next(), senderName: 'Ayşe', senderIban: null, narrative: 'x' }
  return { accountIban, bookedAt: new Date(bookedAt), valueDate: bookedAt.slice(0, 10), amount, direction, ...facts }
}

async function shown(account: string) {
  const statements = await listStatements(app, { account, limit: 100 })
  return statements.map(({ fromDay, toDay, connection, lines, credits, debits }) => {
    assert.equal(fromDay, toDay)
    return [fromDay, connection, lines, credits, debits].join(' ')
  })
}

test('lines make one statement per account, connection and booking day in Istanbul', async () => {
  await ingest(app, [
    line(one, '2026-03-01T20:59:59Z', 100n),
    line(one, '2026-03-01T21:00:00Z', 20n),
    line(one, '2026-03-02T20:59:00Z', 3n, 'debit'),
    line(two, '2026-03-02T10:00:00Z', 5n),
  ])
  await ingest(app, [line(one, '2026-03-02T12:00:00Z', 4n)])
  await ingest(app, [line(one, '2026-03-02T12:00:01Z', 7n)], 'another')
  assert.deepEqual((await shown(one)).toSorted(), [
    '2026-03-01 test 1 100 0',
    '2026-03-02 another 1 7 0',
    '2026-03-02 test 3 24 3',
  ])
  assert.deepEqual(await shown(two), ['2026-03-02 test 1 5 0'])
})

test('a booking at the end of time has the last day that can be written', async () => {
  // At any earlier time the first would be unread.
  const then = { ...app, clock: { ...app.clock, now: () => new Date('9999-12-31T23:00:00Z') } }
  await ingest(then, [line(three, '9999-12-31T23:30:00Z', 1n), line(three, '2001-01-01T00:00:00Z', 1n)])
  assert.deepEqual(await shown(three), ['9999-12-31 test 1 1 0', '2001-01-01 test 1 1 0'])
})

test('two processes import the same days at once: each statement once, with all lines of both', async () => {
  const another = await startSecondProcess(service)
  const days = ['2026-04-01', '2026-04-02', '2026-04-03']
  const batch = () =>
    days.flatMap((day) => [line(two, `${day}T09:00:00Z`, 10n), line(two, `${day}T10:00:00Z`, 1n, 'debit')])
  const same = batch()
  await Promise.all([0, 1, 2, 3].flatMap(() => [app, another].map((each) => ingest(each, [...batch(), ...same]))))
  const april = (await shown(two)).filter((one) => one >= '2026-04')
  assert.deepEqual(
    april.toReversed(),
    days.map((day) => `${day} test 18 90 9`),
  )
})

test('closing must be opening and lines together, where the bank gives both balances', async () => {
  await ingest(app, [line(one, '2026-06-01T09:00:00Z', 500n), line(one, '2026-06-01T09:30:00Z', 200n, 'debit')])
  const newest = async () => (await listStatements(app, { account: one, limit: 1 }))[0]
  const { id = '' } = (await newest()) ?? {}
  for (const [opening, closing, difference] of [
    [null, null, null],
    [1_000n, null, null],
    [1_000n, 1_300n, 0n],
    [-1_000n, -700n, 0n],
    [1_000n, 1_301n, 1n],
  ]) {
    await app.db.transaction((tx) =>
      tx.query(sql`update statements set opening_balance = ${opening}, closing_balance = ${closing} where id = ${id}`),
    )
    assert.equal((await newest())?.difference, difference)
  }
})

test('statement list shows them, for one account too, and says where balances do not add up', async () => {
  const { output } = await run(['statement', 'list', '--account', one, '--limit', '1'])
  assert.match(output, /2026-06-01 +test +2 +5,00 TL +2,00 TL +10,00 TL +13,01 TL +does not add up: 0,01 TL/)
  assert.ok(!output.includes(two))
  const { statements } = JSON.parse((await run(['statement', 'list', '--json'])).output) as { statements: object[] }
  assert.partialDeepStrictEqual(
    statements.find((each) => (each as { iban: string }).iban === one),
    { iban: one, fromDay: '2026-06-01', lines: 2, difference: 1 },
  )
  const wrong = await run(['statement', 'list', '--account', 'TR00'])
  assert.deepEqual([wrong.code, /no collecting account TR00/.test(wrong.errors)], [1, true])
})
