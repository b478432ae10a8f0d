import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { bankApiConnection, fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import { listLines, readCursor } from '../../packages/server/src/domain/statements/index.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { reloadDeposit, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

// A bank that has forgotten the cursors it gave: it only knows the beginning.
const service = await startService()
const { app } = service
const lines: object[] = []
let generation = 1
const bank = createServer((request, response) => {
  const since = new URL(request.url ?? '', 'http://bank').searchParams.get('since') ?? ''
  if (since !== '0' && !since.startsWith(`g${generation}-`)) {
    response.writeHead(400).end(JSON.stringify({ error: 'unknown_cursor' }))
    return
  }
  const page = lines.slice(since === '0' ? 0 : Number(since.split('-')[1]))
  response.end(JSON.stringify({ lines: page, cursor: `g${generation}-${lines.length}`, more: false }))
})
await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve))
after(() => bank.close())
const connection = bankApiConnection({ baseUrl: `http://127.0.0.1:${(bank.address() as AddressInfo).port}`, key: 'k' })
const run = openCommandLineOf(service)
const shop = await service.merchant()

async function pays() {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  assert.ok(deposit)
  const { accountIban, amount, bankReference, ...rest } = await lineFor(app, deposit)
  lines.push({ account: accountIban, reference: bankReference, amount: Number(amount), ...rest })
  return deposit
}

async function read(): Promise<void> {
  while ((await fetchLines(app, connection)) > 0);
  await matchAll(app)
}

test('a bank that does not know our cursor any more is read again from the beginning, and nothing is booked twice', async () => {
  const first = await pays()
  await read()
  assert.equal((await reloadDeposit(app, first)).status, 'completed')
  generation++
  const second = await pays()
  await read()
  assert.equal((await reloadDeposit(app, second)).status, 'pending')
  const { code, output } = await run(['line', 'reread', connection.name])
  assert.equal(code, 0)
  assert.match(output, /from the beginning/)
  assert.equal((await readCursor(app.db, connection.name))?.readAt, null, 'its deposits do not expire meanwhile')
  await read()
  assert.equal((await reloadDeposit(app, second)).status, 'completed')
  assert.ok((await readCursor(app.db, connection.name))?.readAt)
  assert.equal((await listLines(app.db, 'matched', 10)).filter(({ source }) => source === connection.name).length, 2)
  assert.deepEqual(await findDrift(app.db), [])
})

test('a source that was never read is refused, and the known ones are named', async () => {
  await read()
  const { code, errors } = await run(['line', 'reread', 'bank-api:elsewhere'])
  assert.notEqual(code, 0)
  assert.ok(errors.includes(connection.name), errors)
})
