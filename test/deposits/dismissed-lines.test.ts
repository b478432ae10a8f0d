import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { dismissLine, restoreLine } from '../harness/line-proposals.ts'
import { bankCash, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine, listLines, suspenseTotals } from '../../packages/server/src/domain/statements/index.ts'
import { refusalForTerminal, refusalText } from '../../packages/server/src/acts/refusals/say.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
for (const name of ['ayse', 'mehmet']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const [AYSE, MEHMET] = [operatorActor('ayse'), operatorActor('mehmet')]
const run = openCommandLineOf(service)
const shop = await service.merchant()
const WHY = 'the bank shows it twice'

afterEach(async () => assert.deepEqual(await findDrift(app.db), []))

async function payment(changes: Partial<BankLine> = {}): Promise<BankLine> {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  return lineFor(app, deposit ?? assert.fail('no deposit'), changes)
}

/** The id of the last of these, after they were judged. */
async function arrives(...lines: BankLine[]): Promise<string> {
  await ingest(app, lines)
  await matchAll(app)
  const { bankReference, amount } = lines.at(-1) ?? {}
  const stored = await listLines(app.db, undefined, 100)
  const last = stored.find((one) => one.bankReference === bankReference && one.amount === amount)
  return last?.id ?? assert.fail('no line')
}

const seen = async (id: string) => {
  const { state, reason } = (await findLine(app.db, id)) ?? {}
  return [state, reason]
}
const sum = (all: { amount: bigint }[]) => all.reduce((total, { amount }) => total + amount, 0n)
const cash = async () => sum(await bankCash(app.db))
const suspense = async () => sum(await suspenseTotals(app.db))

async function dismiss(id: string): Promise<void> {
  await dismissLine(app, AYSE, id, WHY)
  assert.equal((await dismissLine(app, MEHMET, id, WHY)).state, 'dismissed')
}

test('a payment shown again under a new number: two people dismiss it, and cash equals the bank again', async () => {
  const line = await payment()
  await arrives(line)
  const [cashBefore, suspenseBefore] = [await cash(), await suspense()]
  const id = await arrives({ ...line, bankReference: app.ids.next() })
  assert.deepEqual(await seen(id), ['suspense', 'duplicate'])
  assert.equal(await cash(), cashBefore + line.amount)
  assert.equal((await dismissLine(app, AYSE, id, WHY)).state, 'suspense')
  assert.equal((await dismissLine(app, AYSE, id, WHY)).state, 'suspense', 'the same person again')
  assert.equal(await cash(), cashBefore + line.amount)
  await dismissLine(app, MEHMET, id, 'seen at the bank: one booking')
  assert.deepEqual(await seen(id), ['dismissed', 'dismissed'])
  assert.deepEqual([await cash(), await suspense()], [cashBefore, suspenseBefore])
  // Read again, it stays dismissed.
  assert.equal((await ingest(app, [line])).imported, 0)
})

test('line show says who dismissed it and why; line list has it; two people restore it', async () => {
  const id = await arrives(await payment({ narrative: 'kodsuz' }))
  const said = (name: string, ...words: string[]) => run(['line', ...words, '--as', name])
  assert.match(
    (await said('ayse', 'dismiss', id, '--why', WHY)).output,
    /Nothing is changed until another person approves it/,
  )
  assert.match((await said('mehmet', 'dismiss', id, '--why', WHY)).output, /dismissed.*not in the books/)
  const { output } = await run(['line', 'show', id])
  assert.match(output, /mehmet: dismissed \(dismissed\); why: the bank shows it twice/)
  assert.match((await run(['line', 'list', '--state', 'dismissed'])).output, new RegExp(id))
  assert.match((await said('ayse', 'restore', id)).output, /Nothing is changed until another person approves it/)
  assert.match((await said('ayse', 'restore', id)).output, /until another person approves it/)
  assert.match((await said('mehmet', 'restore', id)).output, /matcher/)
  await matchAll(app)
  assert.deepEqual(await seen(id), ['suspense', 'no_reference'])
  // The first dismissal is over: two people are needed again.
  assert.equal((await dismissLine(app, MEHMET, id, WHY)).state, 'suspense')
})

test('money that is credited or held for a deposit is not dismissed; a reason and a name are needed', async () => {
  const credited = await arrives(await payment())
  await assert.rejects(dismissLine(app, AYSE, credited, WHY), (error: Refusal) => {
    assert.match(
      refusalText('en', error),
      /is matched \(exact\)\. This is only possible for lines that are in review or in suspense/,
    )
    return true
  })
  const held = await arrives(await payment({ amount: 5n }))
  await assert.rejects(dismissLine(app, AYSE, held, WHY), (error: Refusal) => {
    assert.equal(error.why, 'line_held')
    assert.equal(refusalForTerminal(error)[1], `  vezne line suspend ${held}`)
    return true
  })
  const free = await arrives(await payment({ narrative: 'kodsuz' }))
  await assert.rejects(dismissLine(app, AYSE, free, 'x'), { code: 'VALIDATION_ERROR' })
  await assert.rejects(dismissLine(app, UNATTRIBUTED, free, WHY), { why: 'decider_missing' })
  await dismiss(free)
  await assert.rejects(restoreLine(app, UNATTRIBUTED, free), { why: 'decider_missing' })
})

test('a dismissed suspected correction: one person alone does not undo it; restored, it waits for its decision', async () => {
  const line = await payment()
  const id = await arrives(line, { ...line, amount: 1n })
  assert.deepEqual(await seen(id), ['needs_review', 'suspected_correction'])
  await dismiss(id)
  await assert.rejects(decideCorrection(app, AYSE, id, 'new_money'), { why: 'line_dismissed' })
  for (const actor of [AYSE, MEHMET]) await restoreLine(app, actor, id)
  await matchAll(app)
  assert.deepEqual(await seen(id), ['needs_review', 'suspected_correction'])
})

test('two people say so at once: the line is dismissed once', async () => {
  const before = await cash()
  const id = await arrives(await payment({ narrative: 'kodsuz' }))
  await Promise.all([AYSE, MEHMET].map((actor) => dismissLine(app, actor, id, WHY)))
  assert.deepEqual(await seen(id), ['dismissed', 'dismissed'])
  assert.equal(await cash(), before)
})
