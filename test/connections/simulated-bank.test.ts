import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { listAccounts } from '../../packages/server/src/domain/banks/index.ts'
import { changesOfConnection, fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { startSimulator } from '../../packages/simulator/src/start-simulator.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const run = openCommandLineOf(service)
const dataFolder = mkdtempSync(join(tmpdir(), 'vezne-simulated-'))
const bankKey = 'a-key-of-the-simulated-bank'
const settings = { host: '127.0.0.1', port: 0, publicUrl: null, vezne: null, checkoutOrigins: [], callbackSecret: null }
const bank = await startSimulator({ ...settings, dataFolder, bankKey }, () => new Date())
after(async () => {
  await bank.stop()
  rmSync(dataFolder, { recursive: true, force: true })
})
const keyFile = join(dataFolder, 'bank.key')
writeFileSync(keyFile, bankKey)
const [from] = (await listAccounts(app.db)).map(({ iban }) => iban) as [string]
const recipient = makeIban('0062', '7700123')

async function fund(amount: number): Promise<void> {
  const headers = { authorization: `Bearer ${bankKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ amount })
  const response = await fetch(`${bank.url}/api/accounts/${from}/fund`, { method: 'POST', headers, body })
  assert.equal(response.status, 201)
}

test('the simulated bank keeps every rule: reading, with and without lines', async () => {
  await run(['connection', 'add', 'garanti', '--kind', 'http-api', '--url', bank.url, '--key-file', keyFile])
  const empty = await run(['connection', 'test', 'garanti'])
  assert.equal(empty.code, 0, empty.output + empty.errors)
  for (const amount of [100, 200, 300, 400, 500]) await fund(amount)
  const { code, output, errors } = await run(['connection', 'test', 'garanti'])
  assert.equal(code, 0, output + errors)
  assert.match(output, /ok {6}statement fields: 5 line\(s\) read/)
  assert.match(output, /All 10 checks passed\./)
  assert.ok(!(output + errors).includes(bankKey))
})

test('and sending: one transfer for two orders, recorded with its author before it leaves', async () => {
  const send = (...more: string[]) => run(['connection', 'test', 'garanti', '--send', recipient, '100', ...more])
  assert.match((await send()).errors, /--send needs --from/)
  assert.match((await send('--from', from)).errors, /belongs to connection none, not garanti/)
  await run(['account', 'connect', 'garanti', from])
  await app.loadConnections()
  const [connection = assert.fail()] = app.connections
  while ((await fetchLines(app, connection)) > 0);
  const more = await run(['connection', 'test', 'garanti', '--send', recipient, '101', '--from', from])
  assert.deepEqual(
    [more.code, /amount must be at most 1,00 TL for all tests of one day together; 0,00 TL/.test(more.errors)],
    [1, true],
    more.errors,
  )
  const { code, output, errors } = await send('--from', from)
  assert.equal(code, 0, output + errors)
  assert.match(output, /All 14 checks passed\./)
  const sent = (await changesOfConnection(app.db, 'garanti')).filter(({ what }) => what === 'connection.test')
  assert.deepEqual(
    sent.map(({ details, changedBy }) => [changedBy, details['toIban'], details['amount']]),
    [['operator', 'TR47…0123', '100']],
  )
  assert.equal((await send('--from', from)).code, 1, 'the second of a day')
})

test('a wrong key and a bank that is away are named', async () => {
  writeFileSync(keyFile, 'another-key')
  await run(['connection', 'change', 'garanti', '--key-file', keyFile])
  const wrong = await run(['connection', 'test', 'garanti'])
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /FAILED {2}statement page: HTTP 401 .*\n +expected: HTTP 200 and a JSON object/)
  await run(['connection', 'change', 'garanti', '--url', 'http://127.0.0.1:9', '--key-file', keyFile])
  assert.match((await run(['connection', 'test', 'garanti'])).output, /FAILED {2}statement page: no response: /)
})
