import { test } from 'node:test'
import { refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const shop = await service.merchant({ funds: 50_000n })

for (const prefix of ['', '/v0', '/v2', '/V1', '/v1/v1', '/v1.0', '/api/v1']) {
  test(`9.1 the endpoints live under /v1 only: nothing under "${prefix}"`, async () => {
    refused(await shop.get(`${prefix}/available-banks`), 404, 'NOT_FOUND')
    refused(await shop.post(`${prefix}/deposit`, depositBody()), 404, 'NOT_FOUND')
    refused(await shop.post(`${prefix}/withdraw`, withdrawBody()), 404, 'NOT_FOUND')
    refused(await shop.get(`${prefix}/transactions`), 404, 'NOT_FOUND')
    refused(await shop.get(`${prefix}/balance`), 404, 'NOT_FOUND')
  })
}

test('9.2 a field that this version does not know is no error: additions stay possible', async () => {
  const answer = await shop.post('/v1/deposit', { ...depositBody(), somethingNew: { a: 1 } })
  if (answer.status !== 201) throw new Error(answer.text)
})
