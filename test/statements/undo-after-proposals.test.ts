import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewUndo, undoFile } from '../../packages/server/src/domain/books/index.ts'
import { openAsProposed, rejectProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { dismissLine, restoreLine } from '../harness/line-proposals.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { AYSE, MEHMET, openJournal, rejectEntry } from '../harness/journal.ts'
import { matchAll } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'
import { refusal } from '../harness/refusals.ts'

const { app } = await startService()
const journal = await openJournal(app)
const TODAY = istanbul(app.clock.now()).day
const WHY = 'the file of another company'
const CREDIT: Booking = { number: 'W1', amount: 27_500, sender: 'Veli Can', text: 'kodsuz' }
const CHARGE: Booking = { number: 'W2', amount: 525, debit: true, sender: '', text: 'EFT MASRAFI' }

/** A wrong file with one line, that was judged and is booked. */
async function wrongFile(booking: Booking) {
  const { iban, lines, take } = await openFileAccount(app)
  const { file } = await take(camt('053', { iban, day: TODAY, opening: 0, bookings: [booking] }))
  await matchAll(app)
  await journal.bookAll()
  const lineId = (await lines())[0]?.id ?? assert.fail('no line')
  const undo = () => undoFile(app, AYSE, file.id, WHY)
  const assertUndone = async () => {
    assert.equal(await undo(), 1)
    assert.deepEqual((await journal.stateOf(lineId)).slice(0, 2), ['dismissed', 'import_undone'])
    await journal.assertSound()
  }
  return { ...journal, file, lineId, undo, assertUndone, refused: () => previewUndo(app, file.id) }
}

test('a proposal that waits is named with its line; rejected or taken back, the file is undone', async () => {
  for (const end of [
    (id: string) => rejectEntry(app, MEHMET, id, WHY),
    (id: string) => rejectEntry(app, AYSE, id, WHY),
  ]) {
    const { propose, lineId, undo, refused, assertUndone } = await wrongFile(CHARGE)
    const { id } = await propose('bank_charge', { lineIds: [lineId] })
    const facts = { subject: `line:${lineId}`, proposedBy: 'ayse.yilmaz', proposal: id, kind: 'journal.entry' }
    const said = { said: { why: 'proposal_open', facts } }
    await assert.rejects(undo(), said)
    const shown = await refused()
    assert.ok('refused' in shown)
    assert.equal(shown.lineId, lineId)
    await end(id)
    await assertUndone()
  }
})

/** The first takes it back, another person rejects it. */
async function endProposal(actor: typeof AYSE, lineId: string): Promise<void> {
  const open = (await openAsProposed(app, 100)).find(({ target }) => target === `line:${lineId}`)
  await rejectProposal(app, actor, open?.id ?? assert.fail('nothing waits'), WHY)
}

test('one person says that the bank does not count a line: refused; taken back, rejected, or said by two, the file is undone', async () => {
  const first = await wrongFile(CREDIT)
  await dismissLine(app, AYSE, first.lineId, WHY)
  await assert.rejects(first.undo(), { why: 'proposal_open' })
  await endProposal(AYSE, first.lineId)
  await first.assertUndone()

  const rejected = await wrongFile(CREDIT)
  await dismissLine(app, AYSE, rejected.lineId, WHY)
  await endProposal(MEHMET, rejected.lineId)
  await rejected.assertUndone()

  const dismissed = await wrongFile(CREDIT)
  for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, dismissed.lineId, WHY)
  await restoreLine(app, AYSE, dismissed.lineId)
  await assert.rejects(dismissed.undo(), { why: 'proposal_open' })
  await endProposal(AYSE, dismissed.lineId)
  await dismissed.assertUndone()
})

test('what people booked about a line and took back: the file is undone once two people have dismissed the line', async () => {
  const { post, lineId, undo, assertUndone } = await wrongFile(CHARGE)
  const entry = await post('bank_charge', { lineIds: [lineId] })
  await assert.rejects(undo(), refusal('import_line_in_entry', { line: lineId, entry }))
  await post('reversal', {}, entry)
  await assert.rejects(undo(), refusal('import_line_decided', { line: lineId }))
  for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, lineId, WHY)
  await assertUndone()
})

test('a refund that was sent keeps its file in the books', async () => {
  const iban = 'TR330006100519786457841326'
  const { post, lineId, undo } = await wrongFile({ ...CREDIT, iban })
  await post('refund_unexplained', { lineIds: [lineId] })
  await assert.rejects(undo(), { why: 'import_line_in_entry' })
  await assert.rejects(dismissLine(app, AYSE, lineId, WHY), { why: 'line_not_in_state' })
})
