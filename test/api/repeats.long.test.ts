import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { setBankLimits } from '../../packages/server/src/domain/banks/index.ts'
import { fundMerchant } from '../../packages/server/src/domain/matching/index.ts'
import {
  changeNetworks,
  findMerchant,
  pruneSpentRequests,
  setReturnOrigins,
} from '../../packages/server/src/domain/merchants/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { addTestEndpoint, setCallbackUrl, addEvents, runCallbacksOnce } from '../harness/callbacks.ts'
import { ready, vezne } from '../harness/child-process.ts'
import type { CallOptions } from '../harness/client.ts'
import { client } from '../harness/client.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'
import { travelTo, until } from '../harness/until.ts'

// The same signed bytes, sent again inside the window of their timestamp.
const service = await startService()
const { app } = service
type Shop = Awaited<ReturnType<typeof service.merchant>>

const secondsFromNow = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds)

/** Sends the same bytes with the same signature, however often it is called. */
function signedOnce(shop: Pick<Shop, 'post'>, target: string, body?: object, options: CallOptions = {}) {
  const timestamp = secondsFromNow(0)
  return (on: Pick<Shop, 'post'> = shop, more: CallOptions = {}) =>
    on.post(target, body, { timestamp, ...options, ...more })
}

const fund = async ({ merchantId }: Shop, amount: bigint) =>
  fundMerchant(app, await findMerchant(app, merchantId), amount, 'TRY')
const spent = (shop: Shop) =>
  app.db.query<{ expiresAt: Date }>(sql`
    select expires_at as "expiresAt" from spent_requests where merchant_id = ${shop.merchantId}`)
const withdrawals = async (shop: Shop) =>
  accepted(await shop.get('/v1/transactions?type=withdrawal'), 200).transactions.length as number

/** A developer who has corrected what is not signed, such as a header, would else look for a mistake that is gone. */
const REFUSED_BEFORE = '(This signed request was refused before; sign it again with a new timestamp.)'

test('a withdrawal refused for its balance: after funding the same bytes get the first refusal again', async () => {
  const shop = await service.merchant()
  const body = withdrawBody()
  const send = signedOnce(shop, '/v1/withdraw', body)
  const { requestId: _, ...first } = refused(await send(), 400, 'INSUFFICIENT_BALANCE')
  await fund(shop, 50_000n)
  const { requestId: __, ...again } = refused(await send(), 400, 'INSUFFICIENT_BALANCE')
  assert.deepEqual(again, { ...first, message: `${first.message} ${REFUSED_BEFORE}` })
  assert.equal(await withdrawals(shop), 0)
  accepted(await shop.post('/v1/withdraw', body, { timestamp: secondsFromNow(1) }), 201)
  refused(await send(), 400, 'DUPLICATE_TRANSACTION')
})

test('a deposit refused for its amount: when the range has changed, the same bytes get the first refusal again', async () => {
  const own = await startService()
  const shop = await own.merchant()
  const sample = { amount: 50, bankCode: undefined }
  const send = signedOnce(shop, '/v1/deposit', depositBody(sample))
  const { requestId: _, ...first } = refused(await send(), 400, 'AMOUNT_OUT_OF_RANGE')
  for (const { code } of await own.app.banks.banks())
    await setBankLimits(own.app, UNATTRIBUTED, code, 'TRY', { minAmount: 1n, maxAmount: 100n })
  await until(
    () => shop.post('/v1/deposit', depositBody(sample)),
    ({ status }) => status === 201,
  )
  const { requestId: __, ...again } = refused(await send(), 400, 'AMOUNT_OUT_OF_RANGE')
  assert.deepEqual(again, { ...first, message: `${first.message} ${REFUSED_BEFORE}` })
})

test('the first refusal is repeated, also when something else is wrong by now', async () => {
  const shop = await service.merchant({ allowedNetworks: [] })
  const send = signedOnce(shop, '/v1/withdraw', withdrawBody({ bankId: 'f'.repeat(24) }))
  const first = refused(await send(), 403, 'IP_NOT_WHITELISTED')
  await changeNetworks(app, UNATTRIBUTED, shop.merchantId, { add: ['127.0.0.1'] })
  const other = withdrawBody({ bankId: 'f'.repeat(24) })
  const { details } = await until(
    async () => (await shop.post('/v1/withdraw', { ...other, processId: app.ids.next() })).body.error,
    ({ code }) => code === 'VALIDATION_ERROR',
  )
  assert.equal(details[0].field, 'bankId')
  assert.equal(refused(await send(), 403, 'IP_NOT_WHITELISTED').message, `${first.message} ${REFUSED_BEFORE}`)
})

test('a refusal with details is repeated with them when the setting has changed', async () => {
  const shop = await service.merchant()
  const back = { returnUrl: 'https://shop.example/back' }
  const send = signedOnce(shop, '/v1/deposit', depositBody(back))
  const { details } = refused(await send(), 400, 'VALIDATION_ERROR')
  await setReturnOrigins(app, UNATTRIBUTED, shop.merchantId, ['https://shop.example'])
  await until(
    () => shop.post('/v1/deposit', depositBody(back)),
    ({ status }) => status === 201,
  )
  assert.deepEqual(refused(await send(), 400, 'VALIDATION_ERROR').details, details)
  assert.equal(details[0].field, 'returnUrl')
})

test('one of many in a list is a repeat: it gets its refusal, and the others are created', async () => {
  const shop = await service.merchant()
  const repeats = Array.from({ length: 40 }, () => signedOnce(shop, '/v1/withdraw', withdrawBody()))
  await Promise.all(repeats.map(async (send) => refused(await send(), 400, 'INSUFFICIENT_BALANCE')))
  await fund(shop, 10_000_000n)
  const all = await Promise.all(
    repeats.flatMap((send) => [send(), shop.post('/v1/withdraw', withdrawBody({ amount: 100 }))]),
  )
  assert.deepEqual(
    all.map(({ code }) => code),
    repeats.flatMap(() => ['INSUFFICIENT_BALANCE', undefined]),
  )
  assert.equal((await spent(shop)).length, 40)
})

test('what is not signed cannot change the answer: another content type', async () => {
  const shop = await service.merchant()
  const send = signedOnce(shop, '/v1/deposit', depositBody())
  refused(await send(shop, { headers: { 'content-type': 'text/plain' } }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  refused(await send(), 415, 'UNSUPPORTED_MEDIA_TYPE')
})

test('30 equal resends at once: one runs, 29 are 409 REQUEST_REPEATED; signed again it runs again', async () => {
  const shop = await service.merchant()
  const receiver = await startReceiver()
  await setCallbackUrl(app, shop.merchantId, receiver.url)
  await addEvents(app, shop.merchantId)
  await runCallbacksOnce(app)
  const [{ eventId }] = accepted(await shop.get('/v1/events'), 200).events
  const send = signedOnce(shop, `/v1/events/${eventId}/resend`)
  const answers = await Promise.all(Array.from({ length: 30 }, () => send()))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200)) refused(answer, 409, 'REQUEST_REPEATED')
  const { message } = refused(await send(), 409, 'REQUEST_REPEATED')
  assert.match(
    message,
    /received before, at \d{4}-.*Z\. Look the result up with GET, or sign again with a new timestamp/,
  )
  await runCallbacksOnce(app)
  assert.equal(receiver.all.length, 2)
  accepted(await shop.post(`/v1/events/${eventId}/resend`, undefined, { timestamp: secondsFromNow(1) }), 200)
})

test('a cancellation and a resend of everything run once, whether they succeed or not', async () => {
  const shop = await service.merchant()
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  const cancel = signedOnce(shop, `/v1/transactions/${transactionId}/cancel`)
  accepted(await cancel(), 200)
  refused(await cancel(), 409, 'REQUEST_REPEATED')
  const late = { timestamp: secondsFromNow(1) }
  for (const code of ['INVALID_STATE', 'REQUEST_REPEATED']) refused(await cancel(shop, late), 409, code)
  const resend = signedOnce(shop, '/v1/events/resend', { since: '2026-01-01T00:00:00Z' })
  accepted(await resend(), 200)
  refused(await resend(), 409, 'REQUEST_REPEATED')
})

test('a cancellation refused before it ran gets that refusal again', async () => {
  const shop = await service.merchant({ allowedNetworks: [] })
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  await changeNetworks(app, UNATTRIBUTED, shop.merchantId, { add: ['203.0.113.7'] })
  await until(
    () => shop.get('/v1/balance'),
    ({ status }) => status === 403,
  )
  const cancel = signedOnce(shop, `/v1/transactions/${transactionId}/cancel`)
  refused(await cancel(), 403, 'IP_NOT_WHITELISTED')
  await changeNetworks(app, UNATTRIBUTED, shop.merchantId, { add: ['127.0.0.1'] })
  const read = () => shop.get(`/v1/transactions/${transactionId}`)
  await until(read, ({ status }) => status === 200)
  refused(await cancel(), 403, 'IP_NOT_WHITELISTED')
  assert.equal(accepted(await read(), 200).status, 'pending')
})

test('GET may be repeated; what is not the request’s fault may be tried again; nothing unsigned leaves a row', async () => {
  const shop = await service.merchant({ requestsPerSecond: 1 })
  const timestamp = secondsFromNow(0)
  for (let time = 0; time < 4; time++) accepted(await shop.get('/v1/balance', { timestamp }), 200)
  refused(await shop.post('/v1/deposit', depositBody(), { signature: '0'.repeat(64) }), 401, 'INVALID_SIGNATURE')
  refused(await shop.post('/v1/deposit', {}), 400, 'VALIDATION_ERROR')
  const send = signedOnce(shop, '/v1/deposit', depositBody())
  refused(await send(), 429, 'RATE_LIMITED')
  await until(send, ({ status }) => status === 201)
  refused(await until(send, ({ status }) => status !== 429), 400, 'DUPLICATE_TRANSACTION')
  assert.deepEqual(await spent(shop), [])
})

test('a refusal that cannot be recorded is not returned', async () => {
  const broken = await startService()
  const shop = await broken.merchant({ allowedNetworks: [] })
  await broken.app.db.query(sql`alter table spent_requests rename to lost`)
  const send = signedOnce(shop, '/v1/withdraw', withdrawBody())
  refused(await send(), 500, 'INTERNAL_ERROR')
  await broken.app.db.query(sql`alter table lost rename to spent_requests`)
  refused(await send(), 403, 'IP_NOT_WHITELISTED')
})

test('business time does not matter: signatures are judged by the real clock', async () => {
  const shop = await service.merchant()
  const send = signedOnce(shop, '/v1/withdraw', withdrawBody())
  refused(await send(), 400, 'INSUFFICIENT_BALANCE')
  await travelTo(app, 86_400)
  await fund(shop, 50_000n)
  await pruneSpentRequests(app)
  refused(await send(), 400, 'INSUFFICIENT_BALANCE')
  await travelTo(app, 0)
})

test('rows outlive the last second of their timestamp, then they are deleted', async () => {
  const shop = await service.merchant()
  for (const ahead of [-290, 295]) {
    const timestamp = secondsFromNow(ahead)
    refused(await shop.post('/v1/withdraw', withdrawBody(), { timestamp }), 400, 'INSUFFICIENT_BALANCE')
  }
  const at = (seconds: number) => ({ ...app, realClock: { now: () => new Date(Date.now() + seconds * 1000) } })
  const left = async (seconds: number) => {
    await pruneSpentRequests(at(seconds))
    return (await spent(shop)).length
  }
  assert.deepEqual([await left(60), await left(90), await left(640), await left(660)], [2, 1, 1, 0])
})

test('two serve processes on one database: a repeat to the other one is refused too', async (t) => {
  const env = {
    DATABASE_URL: service.databaseUrl,
    VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
    VEZNE_DATA: '/nonexistent',
  }
  const children = [vezne(['serve'], env), vezne(['serve'], env)]
  t.after(async () => {
    for (const child of children) child.process.kill('SIGTERM')
    await Promise.all(children.map(({ exited }) => exited))
  })
  const addresses = await Promise.all(children.map(ready))
  const shop = await service.merchant()
  const { endpoint } = await addTestEndpoint(app, shop.merchantId, { url: (await startReceiver()).url })
  const [one, two] = addresses.map((address) => client(address, shop)) as [Shop, Shop]

  const withdraw = signedOnce(shop, '/v1/withdraw', withdrawBody())
  refused(await withdraw(one), 400, 'INSUFFICIENT_BALANCE')
  await fund(shop, 50_000n)
  refused(await withdraw(two), 400, 'INSUFFICIENT_BALANCE')
  assert.equal(await withdrawals(shop), 0)

  const { transactionId } = accepted(await one.post('/v1/deposit', depositBody()), 201)
  const cancel = signedOnce(shop, `/v1/transactions/${transactionId}/cancel`)
  accepted(await cancel(one), 200)
  refused(await cancel(two), 409, 'REQUEST_REPEATED')

  await runCallbacksOnce(app)
  const [{ eventId }] = accepted(await shop.get(`/v1/events?transactionId=${transactionId}`), 200).events
  const resend = signedOnce(shop, `/v1/events/${eventId}/resend?endpointId=${endpoint.id}`)
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => resend(index % 2 === 0 ? one : two)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ code }) => code === 'REQUEST_REPEATED').length, 39)
})
