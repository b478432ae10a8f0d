import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { openCollectingAccount } from '../../packages/server/src/domain/banks/index.ts'
import { bankApiConnection, fetchLines, rereadLine } from '../../packages/server/src/domain/connections/index.ts'
import {
  countUnread,
  listUnreadAndClosed,
  listLines,
  listUnread,
  reimportUnread,
} from '../../packages/server/src/domain/statements/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

// Every line that a bank gave is in one of two tables.
const service = await startService()
const { app } = service
const bank = await startPlainBank()
const connection = bankApiConnection(bank.connection)
const [ours] = await app.banks.accounts()
const run = openCommandLineOf(service)
let cursor = 0

async function reads(lines: unknown[], from = connection): Promise<void> {
  bank.behave({ statement: () => ({ status: 200, body: { lines, cursor: String(++cursor), more: false } }) })
  await fetchLines(app, from)
}

function wire(changes: object): object {
  const now = app.clock.now().toISOString()
  const times = { valueDate: istanbul(new Date(now)).day, bookedAt: now }
  const facts = { reference: app.ids.next(), amount: 5000, direction: 'credit', senderName: 'Ayşe', narrative: 'x' }
  return { account: ours?.iban, ...times, ...facts, senderIban: null, ...changes }
}

test('a line from us to an account that is not opened yet, with 24 hex characters: kept, and comes in when it is', async () => {
  const iban = makeIban('0046', '7700001')
  const line = wire({ account: iban, senderIban: ours?.iban, narrative: `aktarim ${app.ids.next()}` })
  await reads([line])
  const kept = (await listUnreadAndClosed(app)).filter(({ raw }) => raw.includes(iban))
  assert.deepEqual(
    kept.map(({ why }) => why),
    [note('unread_other_side')],
  )
  // Banks show it for each payout: no one has to look.
  assert.deepEqual([(await countUnread(app.db)).count, await listUnread(app.db)], [0, []])
  await openCollectingAccount(app, UNATTRIBUTED, { iban, title: 'Yeni Hesap A.Ş.', currency: 'TRY' })
  assert.equal(await reimportUnread(app, UNATTRIBUTED, rereadLine), 1)
  assert.ok((await listLines(app.db, undefined, 100)).some(({ narrative }) => narrative.startsWith('aktarim')))
})

for (const odd of [null, 7, 'text', [], true]) {
  test(`a line that is ${JSON.stringify(odd)}: kept, with words that a person understands`, async () => {
    await reads([odd])
    const kept = (await listUnread(app.db)).find(({ raw }) => raw === JSON.stringify(odd))
    assert.deepEqual(kept?.why, note('unread_no_object'))
  })
}

test('a line of no amount: kept, and no one has to look', async () => {
  await reads([wire({ amount: 0, narrative: 'yalnizca bilgi' })])
  assert.ok(
    (await listUnreadAndClosed(app)).some(({ raw, why }) => raw.includes('bilgi') && why.why === 'unread_amount_zero'),
  )
  assert.ok(!(await listUnread(app.db)).some(({ raw }) => raw.includes('bilgi')))
})

test('the same unread line under another address of the bank is kept once', async () => {
  const line = wire({ amount: 'much' })
  const before = (await listUnread(app.db)).length
  await reads([line, line])
  const moved = bankApiConnection({ ...bank.connection, name: 'bank-api:moved.example' })
  await reads([line, line], moved)
  assert.equal((await listUnread(app.db)).length, before + 2)
})

test('a person closes an unread line with a reason: it is kept and shown, and no longer counted', async () => {
  const line = wire({ amount: 'closed' })
  await reads([line])
  const { hash = '' } = (await listUnread(app.db)).find(({ raw }) => raw.includes('closed')) ?? {}
  const { count } = await countUnread(app.db)
  const id = hash.slice(0, 12)
  const close = (why: string) => run(['line', 'unread', '--close', id, '--why', why])
  assert.match((await close('x')).errors, /must say why/)
  assert.match((await close('the bank has cancelled it')).output, /Closed\./)
  assert.match((await close('the bank has cancelled it')).errors, /There is no open unread line/)
  assert.equal((await countUnread(app.db)).count, count - 1)
  assert.match((await run(['line', 'unread', '--all'])).output, /closed by \S+: the bank has cancelled it/)
  // Read again, it stays closed.
  await reads([line])
  assert.equal((await countUnread(app.db)).count, count - 1)
})

test('a closed line is not retried until it is opened again by name; a retry records who ran it', async () => {
  await addOperator(app, UNATTRIBUTED, 'ayse', DECIDING)
  const iban = makeIban('0046', '7700009')
  await reads([wire({ account: iban, narrative: 'kapali' }), wire({ account: iban, narrative: 'acik' })])
  const { hash = '' } = (await listUnread(app.db)).find(({ raw }) => raw.includes('kapali')) ?? {}
  const id = hash.slice(0, 12)
  const as = ['--as', 'ayse']
  await run(['line', 'unread', '--close', id, '--why', 'booked over another bank', ...as])
  await openCollectingAccount(app, UNATTRIBUTED, { iban, title: 'Yeni Hesap A.Ş.', currency: 'TRY' })
  assert.match((await run(['line', 'unread', '--retry', ...as])).output, /^1 taken in/)
  const texts = async () => (await listLines(app.db, undefined, 100)).map(({ narrative }) => narrative)
  assert.deepEqual([(await texts()).includes('acik'), (await texts()).includes('kapali')], [true, false])
  const retried = sql`select taken_in_by as "by" from unread_lines where raw like ${'%acik%'}`
  assert.deepEqual(await app.db.query(retried), [{ by: 'ayse' }])

  assert.match((await run(['line', 'unread', '--reopen', 'nothing', ...as])).errors, /There is no closed line/)
  assert.match((await run(['line', 'unread', '--reopen', id, ...as])).output, /Open again\./)
  assert.ok((await listUnread(app.db)).some((one) => one.hash === hash))
  // Closed and opened once more: each closing has its own row.
  await run(['line', 'unread', '--close', id, '--why', 'closed once more', ...as])
  assert.equal(await reimportUnread(app, operatorActor('ayse'), rereadLine), 0)
  await run(['line', 'unread', '--reopen', id, ...as])
  assert.equal(await reimportUnread(app, operatorActor('ayse'), rereadLine), 1)
  assert.ok((await texts()).includes('kapali'))
})
