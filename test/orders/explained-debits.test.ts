import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import { dismissLine } from '../harness/line-proposals.ts'
import type { Batch } from '../../packages/server/src/domain/withdrawals/index.ts'
import { importOrderReport, releaseBatches } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { mustFind } from '../harness/history.ts'
import { approvalIn, AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { debitOf, startOrderFiles, waitingPayouts } from '../harness/order-files.ts'
import { reportOf } from '../harness/order-reports.ts'
import { ingest } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { refusal } from '../harness/refusals.ts'

// A debit that may be an open payout's is what prevents that the money goes back: it is not explained as something else by mistake.

const service = await startService()
const { app } = service
const files = await startOrderFiles(app)
const journal = await openJournal(app)
const run = openCommandLineOf(service)
const shop = await service.merchant({ funds: 50_000_000n })

afterEach(async () => {
  files.fetch()
  while ((await releaseBatches(app, [files.connection])) > 0);
  await journal.bookAll()
})

let amount = 40_000
async function sent(): Promise<{ id: string; batch: Batch }> {
  const [id = ''] = await waitingPayouts(app, shop, 1, { amount: amount++ })
  await files.send()
  files.fetch()
  while ((await releaseBatches(app, [files.connection])) > 0);
  return { id, batch: await files.newest() }
}

/** The payout's debit, with its text cut off. Returns the id of the line. */
async function debit(id: string, changes: Partial<BankLine> = {}): Promise<string> {
  const line = await debitOf(app, id, { narrative: 'GIDEN EFT', ...changes })
  await ingest(app, [line], 'files')
  while ((await matchPayoutLines(app)) > 0);
  await journal.bookAll()
  const [row] = await app.db.query<{ id: string }>(
    sql`select id from bank_lines where bank_reference = ${line.bankReference}`,
  )
  return row?.id ?? assert.fail('no line')
}

const stateOf = async (id: string) => (await mustFind(app, id)).state
const refuse = (batch: Batch, id: string) => {
  const bytes = reportOf(batch, { transactions: [{ id, status: 'RJCT', code: 'AC04' }] })
  return importOrderReport(app, { connection: 'files', name: 'r.xml', bytes })
}

test('it is refused, at the proposal and at the approval, for every kind that takes a debit', async () => {
  const { id } = await sent()
  const line = await debit(id)
  for (const kind of ['bank_charge', 'bank_tax', 'interest', 'fee_withdrawal', 'receivable'] as const)
    await assert.rejects(journal.propose(kind, { lineIds: [line] }), {
      code: 'INVALID_STATE',
      said: {
        why: 'line_like_debit_of_payout',
        facts: { line, withdrawal: id, like: 'amount', isOpen: true, has: 'all' },
      },
    })
  const late = await debit(id, { amount: BigInt(amount) })
  const proposed = await journal.propose('bank_charge', { lineIds: [late] })
  const { id: next } = await sent()
  await assert.rejects(
    journal.approve(proposed.id),
    refusal('line_like_debit_of_payout', { line: late, withdrawal: next }),
  )
})

test('another account, amount or recipient, and an ended payout: explained as always', async () => {
  const { id, batch } = await sent()
  const others = [await debit(id, { amount: 1n }), await debit(id, { senderIban: 'TR330006100519786457841326' })]
  for (const line of others) await journal.post('bank_charge', { lineIds: [line] })
  await refuse(batch, id)
  assert.equal(await stateOf(id), 'failed')
  await journal.post('bank_charge', { lineIds: [await debit(id)] })
})

test('two people say that it is not the payout: recorded, shown, and a refusal of the payout is not believed', async () => {
  const { id, batch } = await sent()
  const line = await debit(id)
  const propose = [
    'journal',
    'propose',
    'bank_charge',
    '--second',
    '--line',
    line,
    '--why',
    'EFT ücreti',
    '--as',
    'ayse.yilmaz',
  ]
  assert.match(
    (await run(propose)).errors,
    new RegExp(
      `  vezne withdrawal resolve ${id} --found REFERENCE\n  vezne line sent ${line} .*\n  --not-payout ${id}`,
    ),
  )
  const { output, code } = await run([...propose, '--not-payout', id])
  assert.equal(code, 0)
  assert.match(output, new RegExp(`is not the debit of payout ${id}`))
  const second = approvalIn(output)
  await journal.approve(second.id)
  assert.match((await run(['journal', 'show', second.id])).output, new RegExp(`is not the debit of payout ${id}`))
  const { outcomes } = await refuse(batch, id)
  assert.deepEqual([outcomes, await stateOf(id)], [{ doubt: 1 }, 'unknown'])
  assert.equal((await mustFind(app, id)).stateReason, 'similar_debit_on_statement')
})

test('two people have dismissed it: a refusal of the payout is not believed either', async () => {
  const { id, batch } = await sent()
  const line = await debit(id)
  for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, line, 'an error of the bank')
  await refuse(batch, id)
  assert.equal(await stateOf(id), 'unknown')
})
