import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undoFile } from '../../packages/server/src/domain/books/index.ts'
import { setSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import { readCursor } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'
import { startService } from '../harness/service.ts'

const { app } = await startService()
const DAY = '2026-03-10'
const connections = [{ kind: 'file_exchange', name: 'dosya' } as (typeof app.connections)[number]]

async function openAccount() {
  const account = await openFileAccount(app)
  await setSourceOfRecord({ ...app, connections }, UNATTRIBUTED, [account.iban], 'dosya')
  return account
}

const readAt = async () => (await readCursor(app.db, 'dosya'))?.readAt?.toISOString() ?? null

test('a file connection is read up to the day that statements of all its accounts cover, never into today', async () => {
  const [one, two] = [await openAccount(), await openAccount()]
  const empty = (iban: string, day: string, id = 'S') => camt('053', { iban, day, opening: 0, bookings: [], id })
  await one.take(empty(one.iban, DAY))
  assert.equal(await readAt(), null, 'the other account has no statement')
  await two.take(camt('052', { iban: two.iban, day: DAY, bookings: [] }))
  assert.equal(await readAt(), null, 'a report during the day covers nothing')
  await two.take(empty(two.iban, DAY))
  assert.equal(await readAt(), '2026-03-10T21:00:00.000Z')
  const today = istanbul(app.clock.now()).day
  const startOfToday = new Date(`${today}T00:00:00+03:00`).toISOString()
  await one.take(empty(one.iban, today))
  const last = await two.take(empty(two.iban, today))
  assert.equal(await readAt(), startOfToday)
  await undoFile(app, UNATTRIBUTED, last.file.id, 'the day was not over')
  assert.equal(await readAt(), '2026-03-10T21:00:00.000Z')
})
