import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankApiConnection, fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import { listUnread } from '../../packages/server/src/domain/statements/index.ts'
import { dispatchWithdrawals, findPayout, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import { say } from '../../packages/server/src/acts/refusals/say.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { withdrawBody } from '../harness/examples.ts'
import { matchAll } from '../harness/payments.ts'
import { neverSeen, startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { mustFind } from '../harness/history.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

// The text of a line is kept and compared as a whole: an id may be at its end, and two payments may differ only there.
const { app, merchant } = await startService()
const bank = await startPlainBank()
const connection = bankApiConnection(bank.connection)
app.connections.push(connection)
const [ours] = await app.banks.accounts()
const bookedAt = app.clock.now().toISOString()
const facts = { amount: 5000, direction: 'credit', senderName: 'Ayşe', senderIban: null }
let cursor = 0

async function reads(...lines: object[]): Promise<void> {
  const full = lines.map((changes) => {
    return { account: ours?.iban, valueDate: istanbul(new Date(bookedAt)).day, bookedAt, ...facts, ...changes }
  })
  bank.behave({
    submit: () => 'reset',
    find: () => neverSeen,
    statement: () => ({ status: 200, body: { lines: full, cursor: String(++cursor), more: false } }),
  })
  await fetchLines(app, connection)
}

const textsOf = async (reference: string) => {
  const rows = await app.db.query<{ narrative: string }>(
    sql`select narrative from bank_lines where bank_reference = ${reference} order by narrative`,
  )
  return rows.map(({ narrative }) => narrative)
}

test('an id after 600 characters settles its payout', async () => {
  const shop = await merchant({ funds: 1_000_000n })
  bank.behave({ submit: () => 'reset', find: () => neverSeen })
  const id = (await shop.post('/v1/withdraw', withdrawBody())).body.data.transactionId as string
  await dispatchWithdrawals(app)
  await submitPayouts(app)
  const source = await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? '')
  const narrative = `${'x'.repeat(600)} ${id}`
  await reads({ account: source?.iban, reference: 'late', direction: 'debit', amount: 10_000, narrative })
  await matchAll(app)
  assert.equal((await mustFind(app, id)).state, 'sent')
})

test('texts that differ only after 500 characters are two lines; read again, both are known', async () => {
  const long = 'y'.repeat(500)
  for (let times = 0; times < 2; times++) {
    await reads({ reference: 'LONG', narrative: `${long}a` }, { reference: 'LONG', narrative: `${long}b` })
    await reads({ reference: 'LONG', narrative: long }, { reference: 'LONG', narrative: `${long}c` })
    assert.deepEqual(await textsOf('LONG'), [long, `${long}a`, `${long}b`, `${long}c`])
  }
})

test('a text of 20,000 characters is kept whole; a longer one, or a longer number or name, makes the line unread', async () => {
  await reads({ reference: 'FULL', narrative: 'z'.repeat(20_000) })
  assert.equal((await textsOf('FULL'))[0]?.length, 20_000)
  const number = '9'.repeat(500)
  await reads(
    { reference: 'OVER', narrative: 'z'.repeat(20_001) },
    { reference: `${number}1`, narrative: 'n' },
    { reference: `${number}2`, narrative: 'n' },
    { reference: 'NAME', narrative: 'n', senderName: 'A'.repeat(501) },
  )
  const unread = (await listUnread(app.db)).map(({ why, raw }) => `${say('en', why)}: ${raw.length > 500}`)
  assert.deepEqual(unread.toSorted(), [
    "the bank's number has 501 characters, more than 500: true",
    "the bank's number has 501 characters, more than 500: true",
    'the description has 20001 characters, more than 20000: true',
    "the sender's name has 501 characters, more than 500: true",
  ])
  await reads({ reference: number, narrative: 'n' })
  assert.equal((await textsOf(number)).length, 1)
})
