import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undoFile } from '../../packages/server/src/domain/books/index.ts'
import { findDrift, findMixedEntries } from '../../packages/server/src/domain/ledger/index.ts'
import { decisionsOf, matchLines, suspendByHand } from '../../packages/server/src/domain/matching/index.ts'
import { restoreLine } from '../harness/line-proposals.ts'
import {
  importFile,
  listStatements,
  resumeImports,
  showFile,
} from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { Crash, crashingWorker, laterBy } from '../harness/crash.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, contentOf, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { startService } from '../harness/service.ts'
import { refusal } from '../harness/refusals.ts'

const { app } = await startService()
const DAY = '2026-03-10'
const WHY = 'the wrong period was exported'
const bookings: Booking[] = [
  { number: 'N1', amount: 10_000, sender: 'Ayşe Yılmaz', text: 'ABC' },
  { number: 'N2', amount: 2500, debit: true, sender: 'Banka', text: 'masraf' },
]
const matchAll = async () => {
  while ((await matchLines(app)) > 0);
}

test('an import is undone: lines out of the books, who and why; the corrected file can be imported', async () => {
  const { iban, lines, take } = await openFileAccount(app)
  const first = await take(camt('053', { iban, day: DAY, opening: 0, bookings }))
  await matchAll()
  assert.equal(await undoFile(app, UNATTRIBUTED, first.file.id, WHY), 2)
  const shown = await showFile(app, first.file.id)
  assert.deepEqual([shown.state, shown.undoneBy, shown.undoneWhy], ['undone', 'operator', WHY])
  assert.deepEqual((await lines()).map(({ state, reason }) => [state, reason]), [['dismissed', 'import_undone'], ['dismissed', 'import_undone']]) // prettier-ignore
  const [line] = await lines()
  assert.equal((await decisionsOf(app.db, [line?.id ?? ''])).at(-1)?.why, 'import_undone')
  const [day] = await listStatements(app, { account: iban, limit: 1 })
  assert.deepEqual([day?.lines, day?.openingBalance, day?.closingBalance], [0, null, null])
  await assert.rejects(undoFile(app, UNATTRIBUTED, first.file.id, WHY), { why: 'import_undone' })
  const again = await take(camt('053', { iban, day: DAY, opening: 0, bookings }))
  assert.deepEqual([again.new, again.known, again.suspected], [2, 0, 0])
  await matchAll()
  assert.deepEqual([await findDrift(app.db), await findMixedEntries(app.db)], [[], []])
})

test('not undone: a line decided by a person, or a newer file of the same days', async () => {
  const { iban, lines, take } = await openFileAccount(app)
  const first = await take(camt('052', { iban, day: DAY, bookings }))
  const second = await take(camt('053', { iban, day: DAY, opening: 0, bookings }))
  await matchAll()
  await assert.rejects(undoFile(app, UNATTRIBUTED, first.file.id, WHY), {
    said: { why: 'import_overlapped', facts: { newer: second.file.id } },
  })
  assert.equal(await undoFile(app, UNATTRIBUTED, second.file.id, WHY), 0)
  const [credit] = await lines()
  await suspendByHand(app, UNATTRIBUTED, credit?.id ?? '')
  await assert.rejects(
    undoFile(app, UNATTRIBUTED, first.file.id, WHY),
    refusal('import_line_decided', { decidedBy: 'operator' }),
  )
  assert.equal((await lines())[0]?.state, 'suspense')
})

test('a superfluous file is undone: the day keeps the balances of the file that stays; its lines are restored by importing it', async () => {
  const { iban, lines, take } = await openFileAccount(app)
  await take(camt('053', { iban, day: DAY, opening: 500, bookings }))
  const acceptProblems = 'the bank sent it twice'
  const extra = [...bookings, { number: 'N9', amount: 100, sender: 'Ali Can', text: 'fazla' }]
  const superfluous = await take(camt('053', { iban, day: DAY, opening: 500, bookings: extra, id: 'S2' }), {
    acceptProblems,
  })
  await matchAll()
  await undoFile(app, UNATTRIBUTED, superfluous.file.id, WHY)
  const [day] = await listStatements(app, { account: iban, limit: 1 })
  assert.deepEqual([day?.lines, day?.openingBalance, day?.closingBalance], [2, 500n, 8000n])
  const undone = (await lines()).find(({ reason }) => reason === 'import_undone')
  await assert.rejects(restoreLine(app, UNATTRIBUTED, undone?.id ?? ''), { why: 'line_import_undone' })
})

test('what a process left half imported is finished by a worker, or undone', async () => {
  const { iban, lines } = await openFileAccount(app)
  const content = contentOf('yarim.xml', camt('053', { iban, day: DAY, opening: 0, bookings }))
  let crashed = 0
  // The first crash after the original is stored.
  for (let at = 1; (await resumeImports(laterBy(app, 3600))) === 0; at++) {
    const importing = importFile(crashingWorker(app, at).worker, UNATTRIBUTED, content, PLAIN)
    await assert.rejects(importing, Crash)
    crashed++
  }
  assert.ok(crashed > 5)
  assert.equal((await lines()).length, 2)
})
