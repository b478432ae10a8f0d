import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import {
  DEPOSIT_STATUSES,
  ENDPOINTS,
  envelopeOf,
  ERROR_STATUS,
  errorEnvelopeOf,
  EVENT_TYPES,
  EVENTS,
  WITHDRAWAL_STATUSES,
} from '../packages/contract/src/index.ts'
import type { ErrorCode, EventType } from '../packages/contract/src/index.ts'
import * as deposits from '../packages/server/src/domain/deposits/index.ts'
import * as withdrawals from '../packages/server/src/domain/withdrawals/index.ts'
import { ROUTES as MOUNTED } from '../packages/server/src/edges/api/mount-v1.ts'
import { setCallbackUrl, addEvents, runCallbacksOnce } from './harness/callbacks.ts'
import type { Answer } from './harness/client.ts'
import { send } from './harness/client.ts'
import { eventProblem, keepsContract, responseProblem } from './harness/contract.ts'
import { exampleEvents } from './harness/example-events.ts'
import { depositBody, withdrawBody } from './harness/examples.ts'
import { paidDeposit, refundBody, refundPath } from './harness/refunds.ts'
import { startService } from './harness/service.ts'

// Every response and event of every test is checked against the contract (harness/client.ts, harness/receiver.ts).
// Here: that the contract names all of them, that it is closed, and that the checks find what they are for.

const service = await startService()
const { app, baseUrl } = service
const shop = await service.merchant({ funds: 1_000_000n })
const { hostname, port } = new URL(baseUrl)

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** The whole API. A new endpoint is added here, to the contract and to the documents. */
const API = [
  'GET /v1/available-banks',
  'POST /v1/deposit',
  'POST /v1/withdraw',
  'GET /v1/transactions',
  'GET /v1/transactions/:transactionId',
  'GET /v1/transactions/:transactionId/instructions',
  'POST /v1/transactions/:transactionId/cancel',
  'POST /v1/transactions/:transactionId/refund',
  'GET /v1/balance',
  'GET /v1/events',
  'GET /v1/events/:eventId',
  'POST /v1/events/:eventId/resend',
  'POST /v1/events/resend',
]
const PROBES = ['GET /healthz', 'GET /readyz']

test('every endpoint has its schemas in the contract, and the contract has no other', () => {
  assert.deepEqual(MOUNTED.map(nameOf), API)
  assert.deepEqual(Object.values(ENDPOINTS).map(nameOf), [...API, ...PROBES])
})

test('every type of event has its schema, and every status is known to both sides', async () => {
  assert.deepEqual(DEPOSIT_STATUSES, deposits.DEPOSIT_STATUSES)
  assert.deepEqual(WITHDRAWAL_STATUSES, withdrawals.WITHDRAWAL_STATUSES)
  const told = (kind: string, statuses: readonly string[]) =>
    [...statuses.filter((status) => status !== 'pending'), 'updated'].map((name) => `${kind}.${name}`)
  const types = [...told('deposit', DEPOSIT_STATUSES), ...told('withdrawal', WITHDRAWAL_STATUSES)]
  const all = [...types, 'withdrawal.returned', 'endpoint.test'].toSorted()
  assert.deepEqual(EVENT_TYPES.toSorted(), all)
  assert.deepEqual(Object.keys(EVENTS).toSorted(), all)
  assert.deepEqual((await exampleEvents()).map(({ type }) => type).toSorted(), all)
})

test('responses and events are closed; only metadata may hold anything', () => {
  const responses = Object.values(ENDPOINTS).map((endpoint) => ({
    at: nameOf(endpoint),
    schema: envelopeOf(endpoint.data),
  }))
  const errors = Object.keys(ERROR_STATUS).map((code) => ({ at: code, schema: errorEnvelopeOf(code as ErrorCode) }))
  const events = Object.entries(EVENTS).map(([type, schema]) => ({ at: type, schema }))
  const open = [...responses, ...errors, ...events].flatMap(({ at, schema }) => openObjects(schema, at))
  assert.deepEqual(
    open.filter((at) => !at.endsWith('.metadata')),
    [],
  )
  assert.ok(open.length > 0)
})

function openObjects(schema: TSchema, at: string): string[] {
  const {
    properties,
    items,
    anyOf = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, TSchema>
    items?: TSchema
    anyOf?: TSchema[]
    additionalProperties?: unknown
  }
  return [
    ...(properties && additionalProperties !== false ? [at] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, inside]) => openObjects(inside, `${at}.${name}`)),
    ...(items ? openObjects(items, `${at}[]`) : []),
    ...anyOf.flatMap((one) => openObjects(one, at)),
  ]
}

/** The same with one more field, once for each object in it. */
function withOneMore(value: unknown): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => withOneMore(item).map((changed) => value.with(index, changed)))
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([name, part]) =>
    name === 'metadata' ? [] : withOneMore(part).map((changed) => ({ ...value, [name]: changed })),
  )
  return [{ ...value, undocumented: 1 }, ...inside]
}

/** One success of each endpoint, by its name; the client has already compared it with the contract. */
async function oneOfEach(): Promise<Map<string, { method: string; target: string; answer: Answer }>> {
  const done = new Map<string, { method: string; target: string; answer: Answer }>()
  const call = async (name: string, target = name.slice(name.indexOf(' ') + 1), body?: object) => {
    const method = name.slice(0, name.indexOf(' '))
    const answer = method === 'GET' ? await shop.get(target) : await shop.post(target, body)
    done.set(name, { method, target, answer })
    return answer.body.data
  }
  await call('GET /v1/available-banks')
  const { transactionId } = await call('POST /v1/deposit', '/v1/deposit', depositBody({ metadata: { basket: 'A-17' } }))
  await call('POST /v1/withdraw', '/v1/withdraw', withdrawBody())
  await call('GET /v1/transactions')
  await call('GET /v1/transactions/:transactionId', `/v1/transactions/${transactionId}`)
  const toPay = '/v1/transactions/:transactionId/instructions'
  await call(`GET ${toPay}`, `/v1/transactions/${transactionId}/instructions`)
  const paid = await paidDeposit(app, shop.merchantId)
  const refund = '/v1/transactions/:transactionId/refund'
  await setCallbackUrl(app, shop.merchantId, 'http://127.0.0.1:9/')
  await call('POST /v1/transactions/:transactionId/cancel', `/v1/transactions/${transactionId}/cancel`)
  await call(`POST ${refund}`, refundPath(paid.id), refundBody({ reason: 'iade' }))
  await addEvents(app, shop.merchantId)
  await runCallbacksOnce(app)
  await call('GET /v1/balance')
  const { events } = await call('GET /v1/events')
  const { eventId } = events[0]
  await call('GET /v1/events/:eventId', `/v1/events/${eventId}`)
  await call('POST /v1/events/:eventId/resend', `/v1/events/${eventId}/resend`)
  await call('POST /v1/events/resend', '/v1/events/resend', { since: new Date(0).toISOString() })
  for (const name of PROBES) {
    const path = name.slice('GET '.length)
    done.set(name, { method: 'GET', target: path, answer: await send({ hostname, port, path }) })
  }
  return done
}

test('each endpoint keeps to its schema, and a field that is not documented is found wherever it stands', async () => {
  const done = await oneOfEach()
  assert.deepEqual([...done.keys()], [...API, ...PROBES])
  for (const [name, { method, target, answer }] of done) {
    assert.equal(answer.body.success, true, answer.text)
    const changed = withOneMore(answer.body) as Answer['body'][]
    assert.ok(changed.length >= 2, name)
    for (const body of changed)
      assert.match(String(responseProblem(method, target, { status: answer.status, body })), /packages\/contract/, name)
  }
})

test('errors: an unknown code, another status and an undocumented field are found', async () => {
  const { status, body } = await shop.post('/v1/deposit', depositBody({ amount: 'a lot' }))
  const problem = (changes: object, with_ = status) =>
    responseProblem('POST', '/v1/deposit', { status: with_, body: changes })
  assert.equal(problem(body), null)
  assert.match(String(problem({ ...body, error: { ...body.error, code: 'NO_MOOD' } })), /no error code/)
  assert.match(String(problem(body, 422)), /status is 400/)
  for (const changed of withOneMore(body)) assert.match(String(problem(changed as object)), /packages\/contract/)
})

test('events: each example keeps to its schema; an unknown type and an undocumented field are found', async () => {
  for (const event of await exampleEvents()) {
    keepsContract(eventProblem(JSON.stringify(event)))
    const { properties } = EVENTS[event.type as EventType].properties.data
    const order = Object.keys(properties).filter((key) => key in event.data)
    assert.deepEqual(Object.keys(event.data), order, 'keys are in the order of the contract')
    assert.match(String(eventProblem(JSON.stringify({ ...event, type: 'deposit.pending' }))), /no event/)
    for (const changed of withOneMore(event)) assert.match(String(eventProblem(JSON.stringify(changed))), /contract/)
  }
})
