import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCamt } from '@vezne/bank-formats'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { hasNothingNew, importLines, previewFile } from '../../packages/server/src/domain/statements/index.ts'
import { toBankLine } from '../../packages/server/src/domain/statements/files/file-line.ts'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { startService } from '../harness/service.ts'
import { camt, contentOf, openFileAccount } from '../harness/statement-files.ts'

// Files that bring nothing new, or only the balances of lines that are known.
const { app } = await startService()
const PLAIN = { connection: null, account: null, profile: null }
const booking = { number: 'N1', amount: 1000, sender: 'Ayşe Kaya', text: 'havale', time: '10:00:00' }
const preview = (text: string) => previewFile(app, contentOf('a.xml', text), PLAIN)

test('the same statement in other bytes brings nothing new; one with another line, balance or day does', async () => {
  const { iban, take } = await openFileAccount(app)
  const statement = { iban, day: '2026-11-13', opening: 0, bookings: [booking] }
  await take(camt('053', { ...statement, id: 'S1' }))
  assert.equal(hasNothingNew(await preview(camt('053', { ...statement, id: 'S1' }))), true, 'the same file')
  assert.equal(hasNothingNew(await preview(camt('053', { ...statement, id: 'S2' }))), true)
  const other = { ...booking, number: 'N2' }
  for (const changed of [
    { bookings: [booking, other] },
    { opening: 5, closing: 1005 },
    { day: '2026-11-14', bookings: [] },
    { bookings: [] },
  ])
    assert.equal(hasNothingNew(await preview(camt('053', { ...statement, ...changed, id: 'S3' }))), false)
})

test("lines that came over the bank's API: a problem only if the file adds lines", async () => {
  const { iban, take, lines } = await openFileAccount(app)
  const text = (bookings: (typeof booking)[]) => camt('053', { iban, day: '2026-11-13', opening: 0, bookings })
  const known: BankLine[] = []
  for await (const event of readCamt(contentOf('a.xml', text([booking])).open()))
    if (event.kind === 'line') known.push(toBankLine({ ...event.line, batchTotal: null }, iban))
  await app.db.transaction((tx) => importLines(app, tx, manualConnection.name, known))
  const api = async (bookings: (typeof booking)[]) =>
    (await preview(text(bookings))).findings.flatMap(({ check, severity }) => (check === 'api' ? severity : []))
  assert.deepEqual(await api([booking]), ['note'])
  assert.deepEqual(await api([booking, { ...booking, number: 'N2' }]), ['problem'])
  await take(text([booking]))
  assert.equal((await lines()).length, 1, 'imported without a reason, for its balances')
})
