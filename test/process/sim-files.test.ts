import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { BANK_PROFILES, collectStatements, readCsv, readMt940 } from '../../packages/bank-formats/src/index.ts'
import type { StatementReader } from '../../packages/bank-formats/src/index.ts'
import { pain001 } from '../../packages/simulator/test/pain001.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { startWithBank } from '../harness/payouts.ts'

const service = await startWithBank()
const { app, bank } = service
const data = mkdtempSync(join(tmpdir(), 'vezne-sim-files-'))
writeFileSync(join(data, 'sandbox.json'), JSON.stringify({ bankUrl: bank.baseUrl, bankKey: bank.key }))
const { run, stop } = openCommandLine({
  VEZNE_DATA: data,
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(() => {
  stop()
  rmSync(data, { recursive: true, force: true })
})

const ACCOUNT = 'TR620006200029500006291296'

async function sim<Result>(...args: string[]): Promise<Result> {
  const { code, output, errors } = await run(['sim', ...args, '--json'])
  assert.equal(code, 0, errors)
  return JSON.parse(output) as Result
}

async function read(reader: StatementReader, file: string) {
  const [statement] = await collectStatements(
    reader(
      (async function* () {
        yield readFileSync(file)
      })(),
    ),
  )
  assert.ok(statement)
  return statement
}

async function fund(amount: number): Promise<void> {
  await fetch(`${bank.baseUrl}/api/accounts/${ACCOUNT}/fund`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bank.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount, senderName: 'Ayşe Yılmaz', description: 'K7XM2Q9R' }),
  })
}

test('sim charge, storno and statement: what the bank did stands in the file', async () => {
  await fund(1_000_000)
  await fund(500)
  const { numbers } = await sim<{ numbers: string[] }>('charge', ACCOUNT, '1000', '--text', 'FAST MASRAFI')
  const days = ['--account', ACCOUNT, '--from', '2020-01-01', '--to', '2099-12-31']
  const file = join(data, 'day.sta')
  assert.equal((await sim<{ file: string }>('statement', ...days, '--format', 'mt940', '--out', file)).file, file)
  const statement = await read(readMt940, file)
  const charged = statement.entries.filter(({ bankReference }) => numbers.includes(bankReference ?? ''))
  assert.deepEqual(
    charged.map(({ direction, amount, narrative }) => [direction, amount, narrative]),
    [
      ['debit', 1000n, 'FAST MASRAFI'],
      ['debit', 50n, 'BSMV FAST MASRAFI'],
    ],
  )
  const small = statement.entries.find(({ amount }) => amount === 500n)?.bankReference ?? ''
  await sim('storno', ACCOUNT, small)
  const options = ['--format', 'garanti', '--encoding', 'windows-1254', '--out', file]
  await sim('statement', ...days, ...options)
  const table = await read(readCsv(BANK_PROFILES.garanti), file)
  assert.equal(table.entries.length, statement.entries.length + 1)
  assert.equal(table.closing?.amount, (statement.closing?.amount ?? 0n) - 500n)
})

test('sim exchange: orders leave the outbox, reports and statements come into the inbox', async () => {
  await fund(1_000_000)
  const folder = join(data, 'connection')
  for (const name of ['inbox', 'outbox']) mkdirSync(join(folder, name), { recursive: true })
  const payments = [{ endToEnd: '6af966b0c30e7a52d1f4a9b7', to: 'TR330006100519786457841326', amount: '12.50' }]
  writeFileSync(join(folder, 'outbox', 'M7.xml'), pain001({ messageId: 'M7', from: ACCOUNT, payments }))
  const { orders, files } = await sim<{ orders: { accepted: number }[]; files: string[] }>(
    ...['exchange', '--connection', folder, '--format', 'mt940', '--report-version', '10'],
  )
  assert.deepEqual(
    orders.map(({ accepted }) => accepted),
    [1],
  )
  assert.deepEqual(readdirSync(join(folder, 'outbox')), [])
  assert.deepEqual(readdirSync(join(folder, 'inbox')).toSorted(), files.toSorted())
  assert.match(readFileSync(join(folder, 'inbox', files[0] ?? ''), 'utf8'), /pain\.002\.001\.10[^]*<TxSts>ACSC</)
  const returned = await sim<{ status: string }>('return', '6af966b0c30e7a52d1f4a9b7', '--costs', '100')
  assert.equal(returned.status, 'returned')
  const none = await run(['sim', 'exchange', '--connection', data])
  assert.deepEqual([none.code, /no_outbox_and_inbox/.test(none.errors)], [1, true])
})

test('sim day lists what it made, on the collecting accounts unless others are named', async () => {
  const made = await sim<{ accounts: string[]; discrepancies: { kind: string; account: string; day: string }[] }>(
    ...['day', '--discrepancies', '8', '--seed', '7'],
  )
  assert.equal(made.discrepancies.length, 8)
  assert.ok(made.accounts.length > 1)
  const named = await sim<typeof made>('day', '--discrepancies', '3', '--seed', '7', '--account', ACCOUNT)
  assert.deepEqual(named.accounts, [ACCOUNT])
  const { output } = await run(['sim', 'day', '--discrepancies', '1', '--account', ACCOUNT])
  assert.match(output, /^Discrepancies on \d{4}-\d\d-\d\d, seed 0: 1\n/)
})
