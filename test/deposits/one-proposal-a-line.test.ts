import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rejectProposal, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { decideCorrection, restoreLine } from '../../packages/server/src/domain/matching/index.ts'
import { setMatching } from '../../packages/server/src/domain/merchants/index.ts'
import { findLine, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { refusalText } from '../../packages/server/src/acts/refusals/say.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { AYSE, MEHMET, openJournal, rejectEntry } from '../harness/journal.ts'
import { ingest, lineFor, matchAll, reloadDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const journal = await openJournal(app)
const [strict, easy] = [await service.merchant(), await service.merchant()]
await setMatching(app, UNATTRIBUTED, strict.merchantId, { approveFrom: 1n })

/** A line in suspense, and a deposit of each merchant that it could be for. */
async function oneLine() {
  const [first] = await someDeposits(app, strict.merchantId, 1, 84_000n)
  const [second] = await someDeposits(app, easy.merchantId, 1, 84_000n)
  if (!first || !second) return assert.fail('no deposits')
  await ingest(app, [await lineFor(app, first, { narrative: 'kira', bankReference: app.ids.next() })])
  await matchAll(app)
  const [line] = await listLines(app.db, 'suspense', 1)
  return { lineId: line?.id ?? assert.fail('no line'), first, second }
}

const match = (actor: typeof AYSE, lineId: string, depositId: string) =>
  makeProposal(app, actor, 'line.match', { lineId, depositId })
const inTurkish = (error: Refusal) => refusalText('tr', error)

test('while a match of the line waits for a second person, no one matches it to another deposit', async () => {
  const { lineId, first, second } = await oneLine()
  const asked = await match(AYSE, lineId, first.id)
  const { id } = asked.state === 'open' ? asked.proposal : assert.fail(asked.state)
  for (const actor of [AYSE, MEHMET])
    assert.match(
      await match(actor, lineId, second.id).then(() => assert.fail('matched'), inTurkish),
      new RegExp(`ayse\\.yilmaz .*${id}`),
    )
  assert.equal((await reloadDeposit(app, second)).status, 'pending')
  await rejectProposal(app, MEHMET, id, 'not for this deposit')
  assert.equal((await match(MEHMET, lineId, second.id)).state, 'applied')
})

test('who asks for the match that waits approves it', async () => {
  const { lineId, first } = await oneLine()
  await match(AYSE, lineId, first.id)
  assert.equal((await match(MEHMET, lineId, first.id)).state, 'applied')
})

test('while a journal entry about the line waits, no one matches it', async () => {
  const { lineId, first, second } = await oneLine()
  const { id } = await journal.propose('refund_unexplained', {
    lineIds: [lineId],
    iban: 'TR620006200029500006291296',
  })
  for (const deposit of [first, second])
    assert.match(
      await match(MEHMET, lineId, deposit.id).then(() => assert.fail('matched'), inTurkish),
      new RegExp(`ayse\\.yilmaz bunun için zaten öneri yaptı \\(${id}\\)`),
    )
  await rejectEntry(app, MEHMET, id, 'it is for a deposit')
  assert.equal((await match(MEHMET, lineId, second.id)).state, 'applied')
})

test('a row in SQL neither lets the same person bring a replaced line back, nor hides that its replacement stands', async () => {
  const { lineId, first } = await oneLine()
  const line = (await findLine(app.db, lineId)) ?? assert.fail('no line')
  await ingest(app, [await lineFor(app, first, { narrative: 'baska', bankReference: line.bankReference ?? '' })])
  const suspects = await listLines(app.db, 'needs_review', 10)
  const { id: suspect } = suspects.find((one) => one.correctsLineId === lineId) ?? assert.fail('no suspect')
  await decideCorrection(app, AYSE, suspect, 'replaces')
  await matchAll(app)
  await app.db.query(sql`
    insert into match_decisions (line_id, number, verdict, why, reasons, suggestions, decided_by, decided_at)
    select ${lineId}, count(*) + 1, 'dismissed', 'replaced', '[]', '[]', 'mehmet.kaya', now()
    from match_decisions where line_id = ${lineId}`)
  await assert.rejects(restoreLine(app, AYSE, lineId, null), {
    said: { why: 'line_replaced_by_same_person', facts: { line: lineId, name: 'ayse.yilmaz' } },
  })
  await assert.rejects(restoreLine(app, MEHMET, lineId, null), {
    said: { why: 'line_replacement_stands', facts: { line: lineId, replacement: suspect, state: 'suspense' } },
  })
})
