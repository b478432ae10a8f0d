import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { bankApiConnection, fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import { listUnread } from '../../packages/server/src/domain/statements/index.ts'
import { reloadDeposit, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

// A worker reads on at once for as long as `fetchLines` returns more than zero, and pauses when it returns zero.
const { app, merchant } = await startService()
const shop = await merchant()

/** A bank that always promises more, with a new cursor each time. */
let requests = 0
let pageOf = (_number: number): object[] => []
const bank = createServer((_, response) => {
  requests++
  response.end(JSON.stringify({ lines: pageOf(requests), cursor: `page-${requests}`, more: true }))
})
await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve))
after(() => bank.close())
const connection = bankApiConnection({ baseUrl: `http://127.0.0.1:${(bank.address() as AddressInfo).port}`, key: 'k' })

beforeEach(() => void (requests = 0))

/** More than any turn needs; a reader that never pauses ends here. */
const TOO_MANY = 120

async function oneTurn(): Promise<number> {
  while ((await fetchLines(app, connection)) > 0 && requests < TOO_MANY);
  return requests
}

async function wireOf() {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  if (!deposit) throw new Error('no deposit')
  const { accountIban: account, bankReference: reference, amount, ...rest } = await lineFor(app, deposit)
  return { deposit, wire: { account, reference, amount: Number(amount), ...rest } }
}

test('empty pages without end: one is read in a turn', async () => {
  pageOf = () => []
  assert.equal(await oneTurn(), 1)
})

test('pages without end of lines that cannot be read: one in a turn, and the lines are kept', async () => {
  pageOf = (number) => [{ broken: number }]
  assert.equal(await oneTurn(), 1)
  assert.equal((await listUnread(app.db)).length, 1)
})

test('pages without end of a line that is known: the reader pauses, and goes on at its next turn', async () => {
  const { deposit, wire } = await wireOf()
  pageOf = () => [wire]
  const first = await oneTurn()
  assert.ok(first > 1 && first < TOO_MANY, `${first} pages`)
  await matchAll(app)
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  const next = await wireOf()
  requests = 0
  pageOf = (number) => [number === 2 ? next.wire : wire]
  await oneTurn()
  await matchAll(app)
  assert.equal((await reloadDeposit(app, next.deposit)).status, 'completed')
})
