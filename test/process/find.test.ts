import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import type { Found as SearchFound } from '../../packages/server/src/kernel/search.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { reloadDeposit, lineFor, matchAll, ingest } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const shop = await service.merchant({ funds: 10_000_000n })
const other = await service.merchant({ funds: 10_000_000n })
const run = openCommandLineOf(service)

/** As --json shows it. */
type Found = Omit<SearchFound, 'kind' | 'id'> & { type: string; transactionId?: string; lineId?: string }

async function find(text: string, ...options: string[]): Promise<{ found: Found[]; more: boolean }> {
  const { code, output, errors } = await run(['find', text, ...options, '--json'])
  assert.equal(code, 0, errors)
  return JSON.parse(output) as { found: Found[]; more: boolean }
}

const customer = { id: 'musteri/77', name: 'Işıl Şenöz Çakır', username: 'isil.77' }
const open = accepted(await shop.post('/v1/deposit', depositBody({ customer, amount: 77_701 })), 201).transactionId
const paid = accepted(
  await other.post('/v1/deposit', depositBody({ customer, amount: 77_702, processId: 'order 77' })),
  201,
).transactionId
const deposit = (await findDepositById(app.db, paid)) ?? assert.fail()
const senderIban = 'TR330006100519786457841326'
await ingest(app, [
  await lineFor(app, deposit, { senderName: 'CAKIR IŞIL ŞENÖZ', senderIban, bankReference: 'FT-2026/00815' }),
])
await matchAll(app)
assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
const queued = accepted(
  await shop.post('/v1/withdraw', withdrawBody({ amount: 77_703, userId: 'musteri/77', accountName: 'Isil S. Cakir' })),
  201,
).transactionId
const stopped = accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: 77_703 })), 201).transactionId
accepted(await shop.post(`/v1/transactions/${stopped}/cancel`, undefined), 200)
await ingest(app, [
  await lineFor(app, deposit, {
    ...{ direction: 'debit', amount: 55_505n, senderName: 'Zeynep Alıcı', narrative: 'HAVALE' },
  }),
])
await matchAll(app)
const debit = (await find('555,05')).found[0]?.lineId ?? ''
const line = (await find('777,02')).found.find(({ type }) => type === 'line')?.lineId ?? ''

type Case = [text: string, expected: string[]]

const CASES: Case[] = [
  [open, [open]],
  // With the bank lines that belong to it.
  [paid.toUpperCase(), [paid, line]],
  ['order 77', [paid]],
  [deposit.referenceCode, [paid, line]],
  [`${deposit.referenceCode?.slice(0, 4)}-${deposit.referenceCode?.slice(4).toLowerCase()}`, [paid, line]],
  ['77701', [open]],
  ['777,02 TL', [paid, line]],
  ['777,03', [queued, stopped]],
  ['ışıl çakır', [open, paid, line, queued]],
  ['ISIL CAK', [open, paid, line, queued]],
  // Only the last word may be incomplete.
  ['CAK ISIL', []],
  // Two words; the customer's id has the second.
  ['isil.77', [open, paid, queued]],
  ['musteri/77', [open, paid, queued]],
  ['1326', [line]],
  ['tr33 0006 1005 1978 6457 8413 26', [line]],
  ['TR62 0006 2000 2950 0006 2912 96', [queued, stopped]],
  ['291296', [queued, stopped]],
  ['FT-2026/00815', [line]],
  ['nobody of this name', []],
  ["'; drop table deposits; -- \\", []],
  ["'", []],
]

for (const [text, expected] of CASES)
  test(`${text} finds ${expected.length}`, async () => {
    const { found, more } = await find(text)
    assert.deepEqual(new Set(found.map(({ transactionId, lineId }) => transactionId ?? lineId)), new Set(expected))
    assert.equal(more, false)
  })

test('what was found says what it is, whose, and what matched', async () => {
  const [row] = (await find('order 77')).found
  assert.ok(row)
  const { createdAt, ...rest } = row
  assert.equal(String(createdAt), deposit.createdAt.toISOString())
  assert.deepEqual(rest, {
    type: 'deposit',
    transactionId: paid,
    merchantId: other.merchantId,
    amount: 77_702,
    currency: 'TRY',
    status: 'completed',
    matched: 'processId',
  })
  const ways = (await find('77703')).found.map(({ matched }) => matched)
  assert.deepEqual(ways, ['amount', 'amount'])
  const { output } = await run(['find', 'cakir'])
  assert.match(output, /^kind +id +merchant +amount +status +created +matched\n/)
  assert.match(output, /line +\w+ +\w+ +777,02 TL +matched +\S+ +sender CAKIR IŞIL ŞENÖZ/)
})

test('outgoing money has a minus, and its counterparty is the recipient', async () => {
  const [row] = (await find(debit)).found
  assert.deepEqual([row?.direction, row?.amount], ['debit', 55_505])
  const table = (await run(['find', 'zeynep'])).output
  assert.match(table, /line +\w+ +-555,05 TL +needs_review +\S+ +recipient Zeynep Alıcı\n/)
  const shown = (await run(['line', 'show', debit])).output
  assert.match(shown, /^ {2}amount +-555,05 TL \(debit\)$/m)
  assert.match(shown, /^ {2}recipient +Zeynep Alıcı$/m)
  assert.match((await run(['line', 'show', line])).output, /^ {2}sender +CAKIR IŞIL ŞENÖZ TR33/m)
  assert.match(
    (await run(['line', 'list'])).output,
    /^line +account +amount +counterparty +text [^]*^\w+ +\S.* …\d{4} +-555,05 TL +Zeynep Alıcı/m,
  )
})

test('past the limit it says that there are more', async () => {
  const { found, more } = await find('cakir', '--limit', '2')
  assert.deepEqual([found.length, more], [2, true])
  assert.match((await run(['find', 'cakir', '--limit', '2'])).output, /There are more\./)
})

test('nothing to look for is wrong usage', async () => {
  for (const args of [['find', ' '], ['find', 'x', '--limit', '0'], ['find', 'x', '--limit', '1001'], ['find']])
    assert.equal((await run(args)).code, 2)
  assert.equal((await run(['find', 'nobody'])).output, 'Nothing found.\n')
})

test('a text of more than 200 characters is refused', async () => {
  const { code, errors } = await run(['find', 'x'.repeat(201)])
  assert.equal(code, 2, errors)
  assert.match(errors, /at most 200 characters/)
})
