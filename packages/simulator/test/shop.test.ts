import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import type { Running } from './simulator.ts'
import { start, temporaryFolder } from './simulator.ts'

const ACCESS = { VEZNE_API_KEY: 'pk_test', VEZNE_API_SECRET: 'sk_test' }
const CALLBACK_KEY = Buffer.from('a callback secret of some length')
const CALLBACK_SECRET = `whsec_${CALLBACK_KEY.toString('base64')}`
const NOW_SECONDS = Date.parse('2026-11-14T22:30:00.000Z') / 1000

type Call = { method: string; target: string; body: Record<string, unknown> }
type Reply = { status: number; envelope: unknown }

/** Plays Vezne: lets only well-signed calls through, and answers what the test says. */
async function playVezne(t: TestContext, reply: (call: Call) => Reply) {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const { headers, method = '', url: target = '' } = request
      const signed = String(headers['x-timestamp']) + method + target + body
      const expected = createHmac('sha256', ACCESS.VEZNE_API_SECRET).update(signed).digest('hex')
      const known = headers['x-api-key'] === ACCESS.VEZNE_API_KEY && headers['x-signature'] === expected
      const call = { method, target, body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>) }
      if (known) calls.push(call)
      const { status, envelope } = known ? reply(call) : refusal('INVALID_SIGNATURE', 'The signature does not match.')
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(envelope))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

const refusal = (code: string, message: string): Reply => ({
  status: 400,
  envelope: { success: false, error: { code, message }, timestamp: 0 },
})
const success = (data: object): Reply => ({ status: 200, envelope: { success: true, data, timestamp: 0 } })

/** A shop and a Vezne in which every deposit has the state that the test gives it. */
async function openShop(t: TestContext, folder = temporaryFolder(t)) {
  const deposit: Record<string, unknown> = { status: 'pending', sequence: 0, receivedAmount: 0 }
  let refused: Reply | null = null
  const vezne = await playVezne(t, ({ method }) => {
    if (refused) return refused
    if (method === 'POST') return success({ ...deposit, checkoutUrl: 'https://pay.example/checkout?token=t' })
    return success({ transactions: [deposit], nextCursor: null })
  })
  const env = { ...ACCESS, VEZNE_URL: `${vezne.url}/`, VEZNE_CALLBACK_SECRET: CALLBACK_SECRET }
  const shop = await start(t, folder, env)
  return { folder, env, shop, deposit, vezne, refuse: (reply: Reply | null) => (refused = reply) }
}

async function order(shop: Running, fields: Record<string, string> = {}): Promise<Response> {
  return shop.form('/shop/checkout', { istasyon: '1', kahve: '2', haritalar: '0', name: 'Ayşe Yılmaz', ...fields })
}

const idOf = ({ body }: Call) => String(body.processId).slice('order-'.length)

test('the basket is changed by its form and adds up', async (t) => {
  const { shop, vezne } = await openShop(t)
  const { text, headers } = await shop.page('/shop?istasyon=2&kahve=0&haritalar=1&lang=en')
  assert.match(text, /699\.90 TL/)
  assert.match(text, /formaction="\/shop\/checkout\?lang=en"/)
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /script-src 'self'/)
  assert.ok(policy.includes(`form-action 'self' ${vezne.url}`), 'or a browser stops the redirect to the checkout')
  assert.match((await shop.page('/shop?istasyon=999&kahve=-1&haritalar=x')).text, /value="20"[\s\S]*3\.940,50 TL/)
})

test('paying asks Vezne for a deposit, signed, and sends the customer to the checkout', async (t) => {
  const { shop, vezne } = await openShop(t)
  const answer = await order(shop)
  assert.equal(answer.status, 303)
  assert.equal(answer.headers.get('location'), 'https://pay.example/checkout?token=t')
  const [call] = vezne.calls as [Call]
  assert.equal(call.target, '/v1/deposit')
  const id = idOf(call)
  assert.deepEqual(call.body, {
    processId: `order-${id}`,
    amount: 66_600,
    customer: { id: 'ayşe.yılmaz', name: 'Ayşe Yılmaz', username: 'ayşe.yılmaz' },
    metadata: { order: id.slice(0, 6) },
    returnUrl: `${shop.url}/shop/orders/${id}`,
    language: 'tr',
  })
})

test('an order shows what Vezne says of it at each load, also after a restart', async (t) => {
  const { shop, vezne, deposit, folder, env, refuse } = await openShop(t)
  await order(shop)
  const path = `/shop/orders/${idOf(vezne.calls[0] as Call)}`
  const waiting = (await shop.page(path)).text
  assert.equal(vezne.calls.at(-1)?.target, `/v1/transactions?processId=order-${path.split('/').at(-1)}&type=deposit`)
  assert.match(waiting, /Ödemeniz bekleniyor[\s\S]*https:\/\/pay\.example[\s\S]*Durumu yenile/)
  assert.match(waiting, /<script src="\/shop\.js" defer>/)
  assert.match((await shop.page('/shop.js')).headers.get('content-type') ?? '', /javascript/)
  Object.assign(deposit, { status: 'expired', sequence: 1 })
  assert.match((await shop.page(path)).text, /Ödeme süresi doldu[\s\S]*Durumu yenile/)
  Object.assign(deposit, { status: 'completed', sequence: 2, receivedAmount: 67_600 })
  assert.equal((await shop.page(`${path}/status`)).text, '{"status":"expired"}', 'an open page waits for the callback')
  const paid = (await shop.page(path)).text
  assert.match(paid, /Ödendi[\s\S]*Gelen tutar[\s\S]*676,00 TL/)
  assert.doesNotMatch(paid, /<script|Durumu yenile/)
  await shop.stop()
  refuse(refusal('SERVICE_UNAVAILABLE', 'later'))
  assert.match((await (await start(t, folder, env)).page(path)).text, /Ödendi[\s\S]*SERVICE_UNAVAILABLE/)
  assert.equal((await fetch(`${vezne.url}/v1/deposit`)).status, 400, 'the receiver does look at signatures')
})

test('a refused call is shown with its code and message, escaped', async (t) => {
  const { shop, vezne, refuse } = await openShop(t)
  refuse(refusal('AMOUNT_OUT_OF_RANGE', 'at least <b>1.000</b>'))
  const answer = await order(shop)
  assert.equal(answer.status, 502)
  assert.match(await answer.text(), /AMOUNT_OUT_OF_RANGE[\s\S]*at least &lt;b&gt;1\.000&lt;\/b&gt;/)
  const stranger = await start(t, temporaryFolder(t), { ...ACCESS, VEZNE_API_SECRET: 'x', VEZNE_URL: vezne.url })
  assert.match(await (await order(stranger)).text(), /INVALID_SIGNATURE/)
  const alone = await start(t, temporaryFolder(t))
  assert.equal((await order(alone)).status, 503)
  const lost = await start(t, temporaryFolder(t), { ...ACCESS, VEZNE_URL: 'http://127.0.0.1:1' })
  assert.match(await (await order(lost)).text(), /UNREACHABLE/)
})

test('an empty basket or no name asks nobody', async (t) => {
  const { shop, vezne } = await openShop(t)
  assert.match(await (await order(shop, { istasyon: '0', kahve: '0' })).text(), /Sepet boş/)
  assert.match(await (await order(shop, { name: ' ' })).text(), /Adınızı yazın/)
  assert.deepEqual(vezne.calls, [])
  assert.equal((await shop.page('/shop/orders/none')).status, 404)
})

async function callBack(shop: Running, data: object, changes: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ type: 'deposit.updated', data: { type: 'deposit', ...data } })
  const timestamp = changes['webhook-timestamp'] ?? String(NOW_SECONDS)
  const signature = createHmac('sha256', CALLBACK_KEY).update(`msg_1.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,b2xkZXI= v1,${signature}`,
    ...changes,
  }
  return fetch(`${shop.url}/shop/callbacks`, { method: 'POST', body, headers })
}

test('a signed callback turns the order; one that was overtaken does not turn it back', async (t) => {
  const { shop, vezne, refuse } = await openShop(t)
  await order(shop)
  const id = idOf(vezne.calls[0] as Call)
  refuse(refusal('SERVICE_UNAVAILABLE', 'later'))
  const status = async () => (await shop.page(`/shop/orders/${id}/status`)).text
  const processId = `order-${id}`
  assert.equal((await callBack(shop, { processId, status: 'completed', sequence: 2 })).status, 200)
  assert.equal(await status(), '{"status":"completed"}')
  assert.match((await shop.page(`/shop/orders/${id}`)).text, /Ödeme bildirimi/)
  assert.equal((await callBack(shop, { processId, status: 'processing', sequence: 1 })).status, 200)
  assert.equal((await callBack(shop, { processId, status: 'expired' })).status, 200)
  assert.equal(await status(), '{"status":"completed"}')
  const foreign = await callBack(shop, { processId: 'not-mine', status: 'completed' })
  assert.deepEqual(await foreign.json(), { received: true, known: false })
})

test('a withdrawal with the processId of an order does not pay the order', async (t) => {
  const { shop, vezne, refuse } = await openShop(t)
  await order(shop)
  const id = idOf(vezne.calls[0] as Call)
  refuse(refusal('SERVICE_UNAVAILABLE', 'later'))
  const withdrawal = { type: 'withdrawal', processId: `order-${id}`, status: 'completed', sequence: 2 }
  const answer = await callBack(shop, withdrawal)
  assert.deepEqual([answer.status, await answer.json()], [200, { received: true, known: false }])
  assert.equal((await shop.page(`/shop/orders/${id}/status`)).text, '{"status":"pending"}')
})

test('a callback that is unsigned, old, of tomorrow or changed on its way is refused', async (t) => {
  const { shop, vezne } = await openShop(t)
  await order(shop)
  const data = { processId: `order-${idOf(vezne.calls[0] as Call)}`, status: 'completed', sequence: 1 }
  for (const changes of [
    { 'webhook-timestamp': String(NOW_SECONDS - 301) },
    { 'webhook-timestamp': String(NOW_SECONDS + 301) },
    { 'webhook-timestamp': 'soon' },
    { 'webhook-signature': 'v1,AAAA' },
    { 'webhook-id': 'msg_2' },
  ]) {
    assert.equal((await callBack(shop, data, changes)).status, 401, JSON.stringify(changes))
  }
  assert.equal((await fetch(`${shop.url}/shop/callbacks`, { method: 'POST', body: '{}' })).status, 401)
  assert.equal((await callBack(await start(t, temporaryFolder(t)), data)).status, 503)
  assert.match((await shop.page(`/shop/orders/${data.processId.slice(6)}`)).text, /Ödemeniz bekleniyor/)
})
