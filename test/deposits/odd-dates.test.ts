import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { bankApiConnection, fetchLines, rereadLine } from '../../packages/server/src/domain/connections/index.ts'
import { listLines, listUnread, reimportUnread } from '../../packages/server/src/domain/statements/index.ts'
import { HOUR_MS } from '../../packages/server/src/platform/time/clock.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

// A line is booked on the day that the bank gives it. A day that cannot be right is questioned, not booked.
const { app } = await startService()
const bank = await startPlainBank()
const connection = bankApiConnection(bank.connection)
const [ours] = await app.banks.accounts()
let cursor = 0

const fromNow = (hours: number) => new Date(app.clock.now().getTime() + hours * HOUR_MS).toISOString()
const day = (hours: number) => istanbul(new Date(fromNow(hours))).day

async function reads(reference: string, dates: { bookedAt?: string; valueDate?: string }): Promise<void> {
  const facts = { amount: 5000, direction: 'credit', senderName: 'Ayşe', senderIban: null, narrative: 'x' }
  const line = { account: ours?.iban, reference, valueDate: day(0), bookedAt: fromNow(0), ...facts, ...dates }
  bank.behave({ statement: () => ({ status: 200, body: { lines: [line], cursor: String(++cursor), more: false } }) })
  await fetchLines(app, connection)
}

async function fateOf(reference: string): Promise<string | undefined> {
  const line = (await listLines(app.db, undefined, 100)).find(({ bankReference }) => bankReference === reference)
  const unread = (await listUnread(app.db)).find(({ raw }) => raw.includes(`"${reference}"`))
  return line ? 'taken' : unread?.why.why
}

const FUTURE = 'unread_booked_ahead'
const PAST = 'unread_booked_before'
const CASES: [name: string, dates: { bookedAt?: string; valueDate?: string }, fate: string][] = [
  ['booked an hour ahead, by the clock of the bank', { bookedAt: fromNow(1) }, 'taken'],
  ['booked almost two days ahead', { bookedAt: fromNow(47) }, 'taken'],
  ['booked more than two days ahead', { bookedAt: fromNow(49) }, FUTURE],
  ['booked next year', { bookedAt: fromNow(24 * 365), valueDate: day(24 * 365) }, FUTURE],
  ['booked in the year 10000 in Istanbul', { bookedAt: '9999-12-31T23:30:00Z', valueDate: '9999-12-31' }, FUTURE],
  ['booked in the year 1000', { bookedAt: '1000-01-01T00:00:00Z', valueDate: '1000-01-01' }, PAST],
  ['booked in 2000', { bookedAt: '2000-12-31T12:00:00+03:00' }, PAST],
  ['booked in the first hour of 2001', { bookedAt: '2001-01-01T00:00:00+03:00', valueDate: '2001-01-01' }, 'taken'],
  ['booked in 2001', { bookedAt: '2001-01-01T12:00:00+03:00', valueDate: '2001-01-01' }, 'taken'],
  ['of value after a long holiday', { valueDate: day(24 * 11) }, 'taken'],
  ['of value in a month', { valueDate: day(24 * 31) }, 'unread_value_ahead'],
  ['of value in the year 1000', { valueDate: '1000-01-01' }, 'unread_value_before'],
]

for (const [name, dates, fate] of CASES) {
  test(`a line ${name}: ${fate}`, async () => {
    await reads(name, dates)
    assert.equal(await fateOf(name), fate)
  })
}

test('a line that was too early is taken in when its day has come', async () => {
  await reads('early', { bookedAt: fromNow(24 * 5) })
  assert.equal(await reimportUnread(app, UNATTRIBUTED, rereadLine), 0)
  await travelTo(app, 4 * 86_400)
  assert.ok((await reimportUnread(app, UNATTRIBUTED, rereadLine)) > 0)
  assert.equal(await fateOf('early'), 'taken')
  await travelTo(app, 0)
})
