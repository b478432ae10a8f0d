import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCallers, findEndpoints } from '../../packages/server/src/domain/merchants/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { addTestEndpoint, deliveriesOf, setCallbackUrl, startCallbackWorkers, addEvents } from '../harness/callbacks.ts'
import { startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await startService()
const { app } = service

// What the operator reads; the test's log is silent.
const logged: { message: string; text: string }[] = []
app.log.error = (fields: { err?: Error }, text?: string) =>
  void logged.push({ message: fields.err?.message ?? '', text: text ?? '' })

/** Not within the second that a caller is cached for: tests write to the table behind the service's back. */
const fresh = (apiKeys: string[]) => findCallers(app, apiKeys)

test('a secret that does not open hurts its owner only, who is told what is wrong', async () => {
  const [one, two] = [await service.merchant(), await service.merchant()]
  await app.db.oneStatement((tx) =>
    tx.query(sql`update merchant_secrets set sealed = 'v2.damaged' where api_key = ${one.apiKey}`),
  )
  const [hurt, well] = await Promise.all([one.get('/v1/balance'), two.get('/v1/balance')])
  assert.equal(well.status, 200)
  assert.equal(hurt.status, 500)
  assert.equal(hurt.code, 'INTERNAL_ERROR')
  assert.ok(
    logged.some(({ message }) => message.includes('merchant_secrets') && message.includes(one.apiKey)),
    'the log names table and key',
  )
  const [, caller] = await fresh([one.apiKey, two.apiKey])
  assert.deepEqual(
    caller?.secrets.map(({ secret }) => secret),
    [two.apiSecret],
  )
})

test('a sealed secret moved to another merchant opens for neither, and signs for neither', async () => {
  const [one, two] = [await service.merchant(), await service.merchant()]
  await app.db.oneStatement((tx) =>
    tx.query(sql`
      update merchant_secrets s set sealed = other.sealed from merchant_secrets other
      where s.api_key in (${one.apiKey}, ${two.apiKey}) and other.api_key in (${one.apiKey}, ${two.apiKey})
        and other.api_key <> s.api_key`),
  )
  for (const caller of await fresh([one.apiKey, two.apiKey])) assert.deepEqual(caller?.secrets, [])
  assert.equal((await one.get('/v1/balance')).status, 500)
  assert.equal((await two.get('/v1/balance')).status, 500)
})

test('a key that is pointed at another merchant has no secret that opens', async () => {
  const [thief, victim] = [await service.merchant(), await service.merchant({ funds: 1_000_000n })]
  await app.db.oneStatement((tx) =>
    tx.query(sql`update merchant_keys set merchant_id = ${victim.merchantId} where api_key = ${thief.apiKey}`),
  )
  const [caller] = await fresh([thief.apiKey])
  assert.equal(caller?.merchant.id, victim.merchantId)
  assert.deepEqual(caller?.secrets, [])
  assert.equal((await thief.get('/v1/balance')).status, 500)
  assert.equal((await victim.get('/v1/balance')).status, 200)
})

test('an endpoint whose secret does not open keeps no other endpoint waiting', async () => {
  const shop = await service.merchant()
  const receiver = await startReceiver()
  const broken = await setCallbackUrl(app, shop.merchantId, `${receiver.url}/broken`)
  const { endpoint: sound } = await addTestEndpoint(app, shop.merchantId, { url: `${receiver.url}/sound` })
  assert.equal((await findEndpoints(app.db, [shop.merchantId])).length, 2)
  await app.db.oneStatement((tx) =>
    tx.query(sql`update callback_secrets set sealed = 'v2.damaged' where endpoint_id = ${broken.id}`),
  )
  startCallbackWorkers(app)
  const transactionId = await addEvents(app, shop.merchantId)
  const states = await until(
    async () => new Map((await deliveriesOf(app, transactionId)).map(({ endpointId, state }) => [endpointId, state])),
    (byEndpoint) => byEndpoint.get(sound.id) === 'delivered' && logged.some(({ text }) => /rotate/.test(text)),
  )
  assert.equal(states.get(broken.id), 'waiting')
  assert.deepEqual(
    receiver.all.map(({ path }) => path),
    ['/callbacks/sound'],
  )
  assert.ok(logged.some(({ message, text }) => message.includes(broken.id) && /rotate/.test(text)))
})
