import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import type { EndpointContract } from '../packages/contract/src/index.ts'
import { ENDPOINTS, ERROR_STATUS, EVENT_TYPES } from '../packages/contract/src/index.ts'
import { ERROR_HELP } from '../packages/contract/src/openapi/error-help.ts'
import { EXAMPLES, exampleEvent } from '../packages/contract/src/openapi/examples.ts'
import { OPERATIONS } from '../packages/contract/src/openapi/operations.ts'
import { SCHEMAS } from '../packages/contract/src/openapi/schemas.ts'
import { addEvents, runCallbacksOnce, setCallbackUrl } from './harness/callbacks.ts'
import { send } from './harness/client.ts'
import { eventProblem, responseProblem } from './harness/contract.ts'
import { paidDeposit } from './harness/refunds.ts'
import { startService } from './harness/service.ts'

// /openapi.json is made from the contract, with which every response of every test is compared, also its error codes.

type Document = { paths: Record<string, Record<string, { responses: object }>>; webhooks: object; servers: object }
type Name = keyof typeof ENDPOINTS

const service = await startService()
const { app, baseUrl } = service
const { hostname, port } = new URL(baseUrl)
const answer = await send({ hostname, port, path: '/openapi.json' })
const names = Object.keys(ENDPOINTS) as Name[]

test('it is valid, complete and without warnings; its examples fit its schemas', async () => {
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  const config = await createConfig({
    extends: ['recommended-strict'],
    // Probes have no request that could be wrong.
    rules: {
      'operation-4xx-response': 'off',
      'no-invalid-media-type-examples': 'error',
      'no-server-example.com': 'off',
    },
  })
  const found = await lintFromString({ source: answer.text, absoluteRef: 'openapi.json', config })
  const problems = found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
  assert.deepEqual(problems, [])
})

for (const path of ['/openapi.json', '/docs/en/quickstart', '/docs/postman.json', '/healthz', '/readyz'])
  test(`${path}: HEAD has the headers of GET and no body, as monitors ask`, async () => {
    const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => fetch(baseUrl + path, { method })))
    assert.equal(head?.status, get?.status)
    assert.equal(head?.headers.get('content-type'), get?.headers.get('content-type'))
    assert.equal(await head?.text(), '')
  })

test('it has every endpoint and every event, under the address of this service', () => {
  const { paths, webhooks, servers } = answer.body as Document
  const written = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  assert.deepEqual(written, Object.values(ENDPOINTS).map(({ method, path }) => `${method} ${path}`)) // prettier-ignore
  assert.deepEqual(Object.keys(webhooks), EVENT_TYPES)
  assert.deepEqual(servers, [{ url: baseUrl }])
})

test('examples of responses and events keep to the contract', () => {
  for (const name of names) {
    const { method, path, status } = ENDPOINTS[name]
    const body = { success: true, data: EXAMPLES[name].data, timestamp: 1 }
    assert.equal(responseProblem(method, path, { status, body }), null, name)
  }
  for (const type of EVENT_TYPES) assert.equal(eventProblem(JSON.stringify(exampleEvent(type))), null, type)
})

test('every error code has a meaning and a remedy', () => {
  assert.deepEqual(Object.keys(ERROR_HELP), Object.keys(ERROR_STATUS))
})

test('docs/api.md has the same meanings of parameters and request fields', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/api.md'), 'utf8')
  for (const name of names) {
    const { method, path, request } = ENDPOINTS[name] as EndpointContract
    const heading = `### ${method} ${path.replace(/:(\w+)/g, '{$1}')}\n`
    const [section = ''] = text.slice(text.indexOf(heading) + heading.length).split(/^### /m)
    const rows = [...section.matchAll(/^\| ([\w.]+) \|.*\| (.+?) \|$/gm)].map(([, field, meaning]) => [field, meaning])
    const written = Object.fromEntries(rows.toReversed()) as Record<string, string>
    const body = Object.values(SCHEMAS).find(({ schema }) => schema === request.body)
    for (const [field, meaning] of Object.entries({ ...OPERATIONS[name].parameters, ...body?.fields }))
      if (field !== 'customer') assert.equal(written[field], meaning, `${heading}${field}`)
  }
})

test('every example is sent, and returns what is documented', async () => {
  const shop = await service.merchant({ funds: 1_000_000n })
  await setCallbackUrl(app, shop.merchantId, 'http://127.0.0.1:9/')
  const ids: Record<string, string> = { transactionId: (await paidDeposit(app, shop.merchantId)).id }
  await addEvents(app, shop.merchantId)
  await runCallbacksOnce(app)
  for (const name of names) {
    const { method, path, status } = ENDPOINTS[name]
    const { params, query, body, data } = EXAMPLES[name] as {
      params?: object
      query?: object
      body?: object
      data: object
    }
    if (name === 'getInstructions') ids['transactionId'] = await pendingDeposit(shop)
    if (name === 'cancelTransaction') ids['transactionId'] = await pendingWithdrawal(shop)
    if (name === 'refundTransaction') ids['transactionId'] = (await paidDeposit(app, shop.merchantId)).id
    const known = Object.fromEntries(Object.keys({ ...params, ...query }).map((key) => [key, ids[key]]))
    const target = path.replace(/:(\w+)/g, (_all, key: string) => known[key] ?? '')
    const asked = new URLSearchParams(
      Object.fromEntries(Object.entries({ ...query }).map(([key, value]) => [key, known[key] ?? String(value)])),
    )
    const full = asked.size > 0 ? `${target}?${asked.toString()}` : target
    const got = method === 'GET' ? await shop.get(full) : await shop.post(full, body)
    assert.equal(got.status, status, `${name}: ${got.text}`)
    assert.deepEqual(missing(data, got.body.data), [], name)
    if (name === 'listEvents') {
      const [{ eventId, deliveries }] = got.body.data.events
      Object.assign(ids, { eventId, endpointId: deliveries[0].endpointId })
    }
  }
})

type Shop = Awaited<ReturnType<typeof service.merchant>>

async function pendingDeposit(shop: Shop): Promise<string> {
  const { data } = (await shop.post('/v1/deposit', { ...EXAMPLES.createDeposit.body, processId: 'to-pay' })).body
  return data.transactionId as string
}

async function pendingWithdrawal(shop: Shop): Promise<string> {
  const { body } = EXAMPLES.createWithdrawal
  const { data } = (await shop.post('/v1/withdraw', { ...body, processId: 'to-cancel' })).body
  return data.transactionId as string
}

/** Fields of the example, at any depth of its objects, that the response does not have. */
function missing(example: object, got: Record<string, unknown>): string[] {
  return Object.entries(example).flatMap(([field, value]) => {
    if (got[field] === undefined) return [field]
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? missing(value as object, got[field] as Record<string, unknown>) : []
  })
}
