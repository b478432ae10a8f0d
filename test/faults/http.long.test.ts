import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { Answer } from '../harness/client.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import type { FaultProxy } from '../harness/fault-proxy.ts'
import { startFaultProxy } from '../harness/fault-proxy.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

let proxy: FaultProxy
const service = await startService({}, async (url) => {
  proxy = await startFaultProxy(url)
  return proxy.url
})
const shop = await service.merchant({ funds: 5_000_000n })
after(() => proxy.close())
beforeEach(async () => {
  proxy.set('pass')
  await until(
    () => shop.get('/v1/balance'),
    ({ status }) => status === 200,
  )
})

const unavailable = (answer: Answer): string => {
  assert.equal(answer.status, 503, answer.text)
  assert.equal(answer.code, 'SERVICE_UNAVAILABLE')
  assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
  return (answer.body as { error: { message: string } }).error.message
}

const CERTAIN = /Nothing was saved/
const UNKNOWN =
  /whether it was saved is unknown.*GET \/v1\/transactions\?processId=….*the same processId never runs twice/

test('a silent database: every request is 503 with Retry-After while it lasts, and all is well after it', async () => {
  proxy.set('silent')
  const answers = await Promise.all([
    shop.post('/v1/deposit', depositBody()),
    shop.post('/v1/withdraw', withdrawBody({ amount: 1000 })),
    shop.get('/v1/balance'),
    shop.get('/v1/transactions'),
  ])
  for (const answer of answers) unavailable(answer)
  // Now the cached caller has expired: it cannot be authenticated, so nothing has run.
  for (const [path, body] of [
    ['/v1/deposit', depositBody()],
    ['/v1/withdraw', withdrawBody({ amount: 1000 })],
  ] as const)
    assert.match(unavailable(await shop.post(path, body)), CERTAIN)
  // A look-up that says so would be taken as the outcome of what it looks up.
  assert.doesNotMatch(unavailable(await shop.get('/v1/transactions?processId=order-1')), CERTAIN)
  proxy.set('pass')
  await until(
    () => shop.post('/v1/deposit', depositBody()),
    ({ status }) => status === 201,
  )
})

for (const [what, path, bodyOf] of [
  ['deposits', '/v1/deposit', () => depositBody()],
  ['withdrawals', '/v1/withdraw', () => withdrawBody({ amount: 1000 })],
] as [string, string, () => { processId: string }][]) {
  test(`answers of the database are lost under many ${what}: each caller is told nothing false`, async () => {
    const bodies = Array.from({ length: 60 }, bodyOf)
    await shop.post(path, bodyOf())
    proxy.set('no-answers')
    const said = (await Promise.all(bodies.map((body) => shop.post(path, body)))).map(unavailable)
    proxy.set('pass')
    const found = async ({ processId }: { processId: string }) =>
      (await shop.get(`/v1/transactions?processId=${processId}`)).body.data.transactions.length
    await until(
      () => shop.get('/v1/balance'),
      ({ status }) => status === 200,
    )
    for (const [index, body] of bodies.entries()) {
      const message = said[index] as string
      assert.ok(CERTAIN.test(message) || UNKNOWN.test(message), message)
      if (CERTAIN.test(message)) assert.equal(await found(body), 0, message)
      // What the message advises: the same request again. It runs once, whatever became of the first.
      const again = await shop.post(path, body)
      assert.ok(again.status === 201 || again.code === 'DUPLICATE_TRANSACTION', again.text)
      assert.equal(await found(body), 1)
    }
  })
}
