import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { makeIban } from '../src/iban.ts'
import type { TestOrder } from './pain001.ts'
import { pain001 } from './pain001.ts'
import type { Running } from './simulator.ts'
import { balances, CLIENT, customerIban, start, temporaryFolder } from './simulator.ts'

const to = (ending: number) => makeIban('0064', `100000000000${String(ending).padStart(4, '0')}`)
const pay = (endToEnd: string, amount = '10.00', ending = 5010) => ({ endToEnd, to: to(ending), amount })

type Order = {
  name: string
  messageId: string | null
  refused: { code: string } | null
  accepted: number
  rejected: number
}
type Exchanged = { orders: Order[]; files: string[]; error?: string }

async function open(t: TestContext, funds = 100_000) {
  const [data, folder] = [temporaryFolder(t), temporaryFolder(t)]
  for (const name of ['inbox', 'outbox']) mkdirSync(join(folder, name))
  const bank = await start(t, data)
  await bank.api('POST', `/accounts/${CLIENT}/fund`, { amount: funds })
  return { bank, data, folder }
}

function send(folder: string, order: TestOrder | string, name = 'order.xml'): void {
  writeFileSync(join(folder, 'outbox', name), typeof order === 'string' ? order : pain001(order))
}

async function exchange({ api }: Running, folder: string, options: object = { statements: null }): Promise<Exchanged> {
  return (await api<Exchanged>('POST', '/files/exchange', { folder, ...options })).body
}

const inbox = (folder: string, name: string | undefined = 'none') => readFileSync(join(folder, 'inbox', name), 'utf8')
const paid = async ({ api }: Running) =>
  (await api<{ transfers: { reference: string }[] }>('GET', '/ledger/transfers')).body.transfers.map(
    ({ reference }) => reference,
  )
const found = (xml: string, element: string) =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) => text)

for (const version of ['03', '09'] as const) {
  test(`a pain.001.001.${version} is paid, taken away and answered, and the statement has it`, async (t) => {
    const { bank, folder } = await open(t)
    send(folder, { version, from: CLIENT, payments: [pay('e1'), pay('e2', '20.50')] })
    const { orders, files } = await exchange(bank, folder, {})
    assert.deepEqual(
      orders.map(({ name, accepted, rejected }) => [name, accepted, rejected]),
      [['order.xml', 2, 0]],
    )
    assert.deepEqual(readdirSync(join(folder, 'outbox')), [])
    assert.deepEqual(readdirSync(join(folder, 'inbox')).toSorted(), files.toSorted())
    const [report = '', statement = ''] = files.map((name) => inbox(folder, name))
    assert.deepEqual(found(report, 'OrgnlMsgId'), ['M1'])
    assert.deepEqual(found(report, 'TxSts'), ['ACSC', 'ACSC'])
    assert.deepEqual(found(statement, 'EndToEndId').slice(1), ['e1', 'e2'])
    assert.equal((await balances(bank))[CLIENT], 100_000 - 3050)
    assert.deepEqual(await paid(bank), ['e1', 'e2'])
  })
}

test('the same file twice is refused as a duplicate and pays nothing, also after a restart', async (t) => {
  const { bank, data, folder } = await open(t)
  send(folder, { from: CLIENT, payments: [pay('e1')] })
  await exchange(bank, folder)
  await bank.stop()
  const again = await start(t, data)
  send(folder, { from: CLIENT, payments: [pay('e1')] })
  const { orders, files } = await exchange(again, folder)
  assert.equal(orders[0]?.refused?.code, 'DU01')
  assert.deepEqual(found(inbox(folder, files[0]), 'GrpSts'), ['RJCT'])
  assert.deepEqual(await paid(again), ['e1'])
})

test('a file that was executed and not moved when the bank died is not executed again', async (t) => {
  const { bank, data, folder } = await open(t)
  send(folder, { from: CLIENT, payments: [pay('e1')] })
  await exchange(bank, folder)
  await bank.stop()
  const [stored = ''] = readdirSync(join(folder, 'bank', 'done'))
  renameSync(join(folder, 'bank', 'done', stored), join(folder, 'bank', 'new', stored))
  const after = await start(t, data)
  assert.deepEqual(await exchange(after, folder), { orders: [], files: [] })
  assert.deepEqual(await paid(after), ['e1'])
})

test('what cannot be paid is rejected with its reason, the rest is paid', async (t) => {
  const { bank, folder } = await open(t, 5_000)
  const broken = to(5010).replace(/^TR../, 'TR00')
  const payments = [
    pay('ok'),
    pay('ok'),
    { ...pay('iban'), to: broken },
    pay('closed', '1.00', 1),
    { ...pay('dollar'), currency: 'USD' },
    pay('much', '40.01'),
    pay('rest', '40.00'),
  ]
  send(folder, { from: CLIENT, payments })
  const { files } = await exchange(bank, folder)
  const report = inbox(folder, files[0])
  assert.deepEqual(found(report, 'TxSts'), ['ACSC', 'RJCT', 'RJCT', 'RJCT', 'RJCT', 'RJCT', 'ACSC'])
  assert.deepEqual(found(report, 'Cd'), ['DU04', 'AC01', 'AC04', 'AM03', 'AM04'])
  assert.deepEqual(await paid(bank), ['ok', 'rest'])
  assert.equal((await balances(bank))[CLIENT], 0)
})

test('a closed account is AC04', async (t) => {
  const { bank, folder } = await open(t)
  await bank.api('POST', `/accounts/${to(5010)}/close`)
  send(folder, { from: CLIENT, payments: [pay('e1')] })
  const { files } = await exchange(bank, folder)
  assert.deepEqual(found(inbox(folder, files[0]), 'Cd'), ['AC04'])
})

test('a wrong file is refused whole, with the reason', async (t) => {
  const { bank, folder } = await open(t)
  const order = { from: CLIENT, payments: [pay('e1'), pay('e2')] }
  const wrong: [string, string][] = [
    [pain001({ ...order, count: 3 }), 'AM18'],
    [pain001({ ...order, sum: '20.01' }), 'AM10'],
    [pain001(order).replace('</Document>', ''), 'FF01'],
    [pain001(order).replace('<?xml version="1.0" encoding="UTF-8"?>', '<!DOCTYPE x [<!ENTITY a "b">]>'), 'FF01'],
    [pain001(order).replaceAll('pain.001.001.03', 'pain.008.001.02'), 'FF01'],
    [pain001(order).replace('10.00', '10.001'), 'FF01'],
    ['HESAP;TUTAR\r\n1;2', 'FF01'],
  ]
  for (const [content, code] of wrong) {
    send(folder, content)
    const { orders, files } = await exchange(bank, folder)
    assert.equal(orders[0]?.refused?.code, code)
    assert.deepEqual(found(inbox(folder, files[0]), 'GrpSts'), ['RJCT'])
  }
  assert.deepEqual(await paid(bank), [])
  send(folder, order)
  assert.equal((await exchange(bank, folder)).orders[0]?.accepted, 2, 'a corrected file may have the same MsgId')
})

test("another customer's account is not debited", async (t) => {
  const { bank, folder } = await open(t)
  send(folder, { from: await customerIban(bank, 0), payments: [pay('e1')] })
  const { files } = await exchange(bank, folder)
  assert.deepEqual(found(inbox(folder, files[0]), 'Cd'), ['AG01'])
})

test('settled later: ACSP first, ACSC with the next exchange, then no more', async (t) => {
  const { bank, folder } = await open(t)
  send(folder, { from: CLIENT, payments: [pay('e1')] })
  const options = { statements: null, report: { settle: 'later', version: '11' } }
  const first = await exchange(bank, folder, options)
  assert.deepEqual(found(inbox(folder, first.files[0]), 'TxSts'), ['ACSP'])
  const next = await exchange(bank, folder, options)
  assert.deepEqual(found(inbox(folder, next.files[0]), 'TxSts'), ['ACSC'])
  assert.deepEqual((await exchange(bank, folder, options)).files, [])
})

test('a report at group or payment level lists only what was rejected', async (t) => {
  const { bank, folder } = await open(t)
  const statusOf = async (level: string, messageId: string, payments: TestOrder['payments']) => {
    send(folder, { messageId, from: CLIENT, payments })
    const { files } = await exchange(bank, folder, { statements: null, report: { level } })
    const report = inbox(folder, files[0])
    return ['GrpSts', 'PmtInfSts', 'TxSts'].map((element) => found(report, element))
  }
  const bad = { ...pay('bad'), to: 'TR000006400000000000000000' }
  assert.deepEqual(await statusOf('group', 'A', [pay('a1'), pay('a2')]), [['ACSC'], [], []])
  assert.deepEqual(await statusOf('group', 'B', [pay('b1'), bad]), [['PART'], [], ['RJCT']])
  assert.deepEqual(await statusOf('payment', 'C', [pay('c1'), bad]), [['PART'], ['PART'], ['RJCT']])
  assert.deepEqual(await statusOf('transaction', 'D', [pay('d1'), bad]), [[], [], ['ACSC', 'RJCT']])
})

test('a batch is one entry of the statement, if the order asks for it', async (t) => {
  const { bank, folder } = await open(t)
  send(folder, { from: CLIENT, batch: true, payments: [pay('e1'), pay('e2'), pay('e3')] })
  const { files } = await exchange(bank, folder, {})
  const statement = inbox(folder, files[1])
  assert.deepEqual(found(statement, 'NbOfTxs'), ['3'])
  assert.equal(statement.match(/<Ntry>/g)?.length, 2)
})

test('a folder without inbox and outbox, or a relative one, is refused', async (t) => {
  const { bank } = await open(t)
  assert.equal((await exchange(bank, temporaryFolder(t))).error, 'no_outbox_and_inbox_in_folder')
  assert.equal((await exchange(bank, 'folder')).error, 'folder_is_not_absolute')
})
