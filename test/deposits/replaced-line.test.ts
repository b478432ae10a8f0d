import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { restoreLine } from '../harness/line-proposals.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { ingest, lineFor, matchAll, reloadDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
for (const name of ['ayse', 'mehmet', 'zeynep']) await addOperator(app, UNATTRIBUTED, name, DECIDING)

/** A line in suspense that a correction of the bank has replaced, as one person said. */
async function replaced() {
  const [deposit = assert.fail('no deposit')] = await someDeposits(app, (await service.merchant()).merchantId, 1)
  const line = await lineFor(app, deposit)
  for (const changes of [{ narrative: 'kodsuz', amount: 100_000n }, { narrative: `FAST ${deposit.referenceCode}` }]) {
    await ingest(app, [{ ...line, ...changes }])
    await matchAll(app)
  }
  const lines = async () =>
    (await listLines(app.db, undefined, 100)).filter(({ bankReference }) => bankReference === line.bankReference)
  const both = await lines()
  const idOf = (isCorrection: boolean) => both.find((one) => (one.correctsLineId !== null) === isCorrection)?.id ?? ''
  await decideCorrection(app, operatorActor('ayse'), idOf(true), 'replaces')
  await matchAll(app)
  return { deposit, lines, first: idOf(false) }
}

test('a person says that it replaces a line in suspense: the first is taken out of the books', async () => {
  const { deposit, lines } = await replaced()
  assert.deepEqual((await lines()).map(({ state }) => state).toSorted(), ['dismissed', 'matched'])
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  assert.deepEqual(await findDrift(app.db), [])
})

test('a replaced line whose replacement was credited comes back by two people who did not replace it', async () => {
  const { first } = await replaced()
  const restore = (name: string) => restoreLine(app, operatorActor(name), first, 'it is other money')
  assert.equal((await restore('mehmet')).state, 'dismissed', 'one person alone')
  await assert.rejects(restore('ayse'), {
    said: { why: 'line_replaced_by_same_person', facts: { line: first, name: 'ayse' } },
  })
  assert.equal((await restore('mehmet')).state, 'dismissed', 'the same person again')
  assert.equal((await restore('zeynep')).state, 'new')
})
