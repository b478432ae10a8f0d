import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, refused, refusedFields } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

// Decisions 4 and 11: reading, listing and cancelling.
type Row = { transactionId: string; type: string; processId: string; status: string; createdAt: string }

const PATH = '/v1/transactions'
const service = await startService()
const shop = await service.merchant({ funds: 1_000_000n })
const other = await service.merchant({ funds: 1_000_000n })

const list = async (query = '', of = shop): Promise<{ transactions: Row[]; nextCursor: string | null }> =>
  accepted(await of.get(PATH + query), 200)
const create = async (path: string, body: object, of = shop) => accepted(await of.post(path, body), 201)

test('D11.1 GET one deposit: what creation answered, and more', async () => {
  const created = await create('/v1/deposit', depositBody())
  const shown = accepted(await shop.get(`${PATH}/${created.transactionId}`), 200)
  for (const [field, value] of Object.entries(created)) assert.deepEqual(shown[field], value, field)
  assert.deepEqual([shown.type, shown.receivedAmount, shown.flags], ['deposit', 0, []])
})

test('D11.2 GET one withdrawal: what creation answered, and more', async () => {
  const created = await create('/v1/withdraw', withdrawBody())
  const shown = accepted(await shop.get(`${PATH}/${created.transactionId}`), 200)
  for (const [field, value] of Object.entries(created)) assert.deepEqual(shown[field], value, field)
  assert.deepEqual([shown.type, shown.fee], ['withdrawal', 0])
})

test('D11.3 an id that is no id: 400 VALIDATION_ERROR', async () => {
  for (const id of ['1', 'F'.repeat(24), 'f'.repeat(23), 'f'.repeat(25), 'g'.repeat(24)]) {
    refused(await shop.get(`${PATH}/${id}`), 400, 'VALIDATION_ERROR')
    refused(await shop.post(`${PATH}/${id}/cancel`, undefined), 400, 'VALIDATION_ERROR')
  }
})

test('D11.4 45 transactions in pages of 10: each once, newest first, and the last page says so', async () => {
  const one = await service.merchant({ funds: 1_000_000n })
  const [{ transactionId: funding } = { transactionId: '' }] = (await list('', one)).transactions
  const bodies = Array.from({ length: 45 }, (_, at) =>
    at % 2 === 0 ? (['/v1/deposit', depositBody()] as const) : (['/v1/withdraw', withdrawBody()] as const),
  )
  const created = await Promise.all(bodies.map(([path, body]) => create(path, body, one)))
  const seen: string[] = []
  let cursor: string | null = null
  const sizes = []
  do {
    const page = await list(`?limit=10${cursor === null ? '' : `&cursor=${cursor}`}`, one)
    sizes.push(page.transactions.length)
    seen.push(...page.transactions.map(({ transactionId }) => transactionId))
    cursor = page.nextCursor
  } while (cursor !== null)
  const expected: string[] = [funding, ...created.map(({ transactionId }) => transactionId)]
  assert.deepEqual(seen, expected.toSorted().toReversed())
  assert.deepEqual(sizes, [10, 10, 10, 10, 6])
})

test('D11.5 a page that is exactly full and the last has no next cursor', async () => {
  const one = await service.merchant()
  for (let count = 0; count < 3; count++) await create('/v1/deposit', depositBody(), one)
  assert.equal((await list('?limit=3', one)).nextCursor, null)
  assert.notEqual((await list('?limit=2', one)).nextCursor, null)
  assert.deepEqual(await list('', await service.merchant()), { transactions: [], nextCursor: null })
})

test('D11.6 without a limit a page has 20; 100 is the most', async () => {
  const one = await service.merchant()
  await Promise.all(Array.from({ length: 25 }, () => create('/v1/deposit', depositBody(), one)))
  assert.equal((await list('', one)).transactions.length, 20)
  assert.equal((await list('?limit=100', one)).transactions.length, 25)
})

test('D11.7 type shows one kind', async () => {
  await create('/v1/deposit', depositBody())
  await create('/v1/withdraw', withdrawBody())
  for (const type of ['deposit', 'withdrawal']) {
    const { transactions } = await list(`?type=${type}`)
    assert.ok(transactions.length > 0)
    assert.deepEqual([...new Set(transactions.map((row) => row.type))], [type])
  }
})

test('D11.8 status shows one status, of either kind', async () => {
  const { transactionId } = await create('/v1/deposit', depositBody())
  await shop.post(`${PATH}/${transactionId}/cancel`, undefined)
  for (const status of ['pending', 'completed', 'cancelled']) {
    const { transactions } = await list(`?status=${status}`)
    assert.ok(transactions.length > 0, status)
    assert.deepEqual([...new Set(transactions.map((row) => row.status))], [status])
  }
  for (const status of ['processing', 'failed', 'expired'])
    assert.deepEqual((await list(`?status=${status}`)).transactions, [])
})

test('D4.1 processId finds what was created with it, of either kind, and nothing else', async () => {
  const processId = 'sipariş & 100% + #1'
  const created = [
    await create('/v1/deposit', depositBody({ processId })),
    await create('/v1/withdraw', withdrawBody({ processId })),
  ]
  const query = `?processId=${encodeURIComponent(processId)}`
  const found = (await list(query)).transactions.map(({ transactionId }) => transactionId)
  const ids: string[] = created.map(({ transactionId }) => transactionId)
  assert.deepEqual(found.toSorted(), ids.toSorted())
  assert.equal((await list(`${query}&type=withdrawal`)).transactions[0]?.transactionId, ids[1])
  assert.deepEqual((await list('?processId=never')).transactions, [])
})

test('D11.9 from and to bound the time of creation', async () => {
  const { createdAt, transactionId } = await create('/v1/deposit', depositBody())
  const at = (ms: number) => encodeURIComponent(new Date(Date.parse(createdAt) + ms).toISOString())
  const found = async (query: string) =>
    (await list(`${query}&limit=100`)).transactions.some((row) => row.transactionId === transactionId)
  assert.equal(await found(`?from=${at(0)}`), true)
  assert.equal(await found(`?from=${at(1)}`), false)
  assert.equal(await found(`?to=${at(1)}`), true)
  assert.equal(await found(`?to=${at(-1)}`), false)
  assert.equal(await found(`?from=${at(-1000)}&to=${at(1000)}`), true)
  // The same instant in Turkish time.
  const local = new Date(Date.parse(createdAt) + 3 * 3_600_000).toISOString().replace('Z', '+03:00')
  assert.equal(await found(`?from=${encodeURIComponent(local)}`), true)
})

for (const query of [
  'type=deposits',
  'type=',
  'type=deposit&type=withdrawal',
  'status=done',
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1e1',
  'limit=ten',
  'limit=',
  'cursor=abc',
  'cursor=',
  `cursor=${'F'.repeat(24)}`,
  'from=yesterday',
  'from=2026-11-15',
  'from=2026-11-15T09:00:00',
  'from=2026-13-15T09:00:00Z',
  'to=1794726854',
  'processId=',
  `processId=${'x'.repeat(51)}`,
  'processId=a%00b',
  'processId=a%0ab',
  'proccessId=misspelt',
  'Type=deposit',
]) {
  test(`D11.10 the filter ${query}: 400 VALIDATION_ERROR`, async () => {
    refused(await shop.get(`${PATH}?${query}`), 400, 'VALIDATION_ERROR')
  })
}

test('D11.11 a misspelt filter is named', async () => {
  assert.deepEqual(refusedFields(await shop.get(`${PATH}?proccessId=1`)), ['proccessId'])
})

test('D11.12 tenant isolation: the id of another merchant is 404 on every object route, and stays as it was', async () => {
  for (const [path, body] of [
    ['/v1/deposit', depositBody()],
    ['/v1/withdraw', withdrawBody()],
  ] as const) {
    const { transactionId } = await create(path, body)
    refused(await other.get(`${PATH}/${transactionId}`), 404, 'NOT_FOUND')
    refused(await other.post(`${PATH}/${transactionId}/cancel`, undefined), 404, 'NOT_FOUND')
    assert.equal(accepted(await shop.get(`${PATH}/${transactionId}`), 200).status, 'pending')
    assert.deepEqual((await list(`?processId=${body.processId}`, other)).transactions, [])
  }
})

test('D11.13 tenant isolation: the cursor of another merchant shows nothing of it', async () => {
  const { transactionId } = await create('/v1/deposit', depositBody())
  const mine = new Set((await list('?limit=100', other)).transactions.map((row) => row.transactionId))
  for (const row of (await list(`?limit=100&cursor=${transactionId}`, other)).transactions)
    assert.ok(mine.has(row.transactionId))
})

test('D11.14 tenant isolation: the answer for another merchant’s id is the one for an id that never was', async () => {
  const { transactionId } = await create('/v1/deposit', depositBody())
  const never = 'f'.repeat(24)
  const message = async (id: string) => refused(await other.get(`${PATH}/${id}`), 404, 'NOT_FOUND').message
  assert.equal((await message(transactionId)).replace(transactionId, never), await message(never))
})

test('D11.15 balance: currency, available and held, and no parameter but currency', async () => {
  const one = await service.merchant({ funds: 70_000n })
  assert.deepEqual(accepted(await one.get('/v1/balance'), 200), { currency: 'TRY', available: 70_000, held: 0 })
  assert.deepEqual(accepted(await one.get('/v1/balance?currency=TRY'), 200).available, 70_000)
  for (const query of ['currency=USD', 'currency=try', 'currency=', 'of=me'])
    refused(await one.get(`/v1/balance?${query}`), 400, 'VALIDATION_ERROR')
})
