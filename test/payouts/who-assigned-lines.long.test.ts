import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { decisionsOf } from '../../packages/server/src/domain/matching/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { keepUnread, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { matchAll, ingest } from '../harness/payments.ts'
import { openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

// Who assigned a line to a payout is on record with the line, and the lists say which of our accounts it is on.
const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(5_000_000n)
const { sent, lineAbout } = openPayoutLines(service, shop)
await addOperator(app, UNATTRIBUTED, 'ayse.yilmaz', DECIDING)
const run = openCommandLineOf(service)
afterEach(async () => assert.deepEqual(await findDrift(app.db), []))

/** Its id in the table of lines. */
async function read(id: string, changes: Partial<BankLine>): Promise<string> {
  const bankReference = app.ids.next()
  await ingest(app, [await lineAbout(id, { ...changes, bankReference })])
  await matchAll(app)
  const line = (await listLines(app.db, undefined, 100)).find((one) => one.bankReference === bankReference)
  return line?.id ?? assert.fail('the line is not there')
}

const assign = (word: 'sent' | 'return', line: string, id: string) =>
  run(['line', word, line, '--withdrawal', id, '--as', 'ayse.yilmaz'])

async function assertOnRecord(line: string, why: string, id: string): Promise<void> {
  const decision = (await decisionsOf(app.db, [line])).at(-1)
  assert.deepEqual([decision?.decidedBy, decision?.verdict, decision?.why], ['ayse.yilmaz', 'matched', why])
  const { output } = await run(['line', 'show', line])
  assert.match(output, new RegExp(`^ayse.yilmaz: matched \\(${why}\\); withdrawal: ${id}$`, 'm'))
}

test('a debit assigned by a person, and the return that waited for it', async () => {
  const id = await sent()
  const back = await read(id, { direction: 'credit', narrative: `IADE ${id}` })
  const debit = await read(id, { narrative: 'Para cekme' })
  await assign('sent', debit, id)
  await assertOnRecord(debit, 'payout_sent', id)
  await assertOnRecord(back, 'payout_returned', id)
})

test('a return assigned by a person', async () => {
  const id = await sent()
  await read(id, {})
  const back = await read(id, { direction: 'credit', narrative: 'IADE' })
  await assign('return', back, id)
  await assertOnRecord(back, 'payout_returned', id)
})

test('the two lines of a payout that the bank refused', async () => {
  const id = await sent({ iban: 'TR110006200002950006290001' })
  assert.equal((await findPayout(app.db, id))?.state, 'failed')
  const debit = await read(id, {})
  const back = await read(id, { direction: 'credit', narrative: 'IADE' })
  await assign('return', back, id)
  for (const line of [debit, back]) await assertOnRecord(line, 'payout_taken_back', id)
})

test('lines that the matcher decided: the return that waited for its debit, and one that a person must look at', async () => {
  const id = await sent()
  const back = await read(id, { direction: 'credit', narrative: `IADE ${id}` })
  const debit = await read(id, {})
  const other = await read(id, { narrative: `TEKRAR ${id}` })
  const unnamed = await read(id, { narrative: 'HESAP ISLETIM' })
  const decided = await decisionsOf(app.db, [back, debit, other, unnamed])
  const said = (line: string) =>
    decided.filter(({ lineId }) => lineId === line).map((one) => `${one.decidedBy}: ${one.verdict} (${one.why})`)
  assert.deepEqual(said(back), ['matcher: suspense (payout_no_debit)', 'matcher: matched (payout_returned)'])
  assert.deepEqual(said(debit), ['matcher: matched (payout_sent)'])
  assert.deepEqual(said(other), ['matcher: needs_review (payout_line_twice)'])
  assert.deepEqual(said(unnamed), ['matcher: needs_review (outgoing)'])
  const named = decided.filter(({ lineId }) => lineId !== unnamed)
  for (const { reasons } of named) assert.deepEqual(reasons, [{ field: 'withdrawal', verdict: id }])
})

test('lists and line show say which of our accounts: the bank and the last digits', async () => {
  const id = await sent()
  const line = await read(id, { narrative: 'HESAP ISLETIM' })
  const account = await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? '')
  const name = `${account?.bankName} …${account?.iban.slice(-4)}`
  for (const [command, row] of [
    [['line', 'list'], line],
    [['line', 'list', '--state', 'needs_review'], line],
    [['line', 'show', line], 'account'],
    [['payout', 'list'], id],
  ] as const) {
    const { output } = await run([...command])
    const found = output.split('\n').find((one) => one.trim().startsWith(row))
    assert.ok(found?.includes(name), `${command.join(' ')}: ${found}`)
  }
  const { lines } = JSON.parse((await run(['line', 'list', '--json'])).output) as { lines: { account: string }[] }
  assert.ok(lines.some((one) => one.account === name))
})

test('line unread shows the amount as the bank wrote it, although its text is cut', async () => {
  const raws = [
    `{"narrative":"${'x'.repeat(100)}","amount":"1.250,00"}`,
    `{"narrative":"${'y'.repeat(100)}","amount":90071992547409931}`,
    'not JSON at all',
  ]
  await app.db.transaction((tx) =>
    keepUnread(
      app,
      tx,
      'test',
      raws.map((raw) => ({ raw, why: note('unread_amount_wrong') })),
    ),
  )
  const { output } = await run(['line', 'unread'])
  for (const shown of [/"1\.250,00" +\{"narrative":"x/, /90071992547409931 +\{"narrative":"y/, /not JSON at all/])
    assert.match(output, shown)
})
