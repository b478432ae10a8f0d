import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderSVG } from 'uqr'
import { request } from 'node:http'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { Answer } from '../harness/client.ts'
import { send } from '../harness/client.ts'
import { chooseBank, makeHandover } from '../../packages/server/src/domain/deposits/index.ts'
import { setBrand } from '../../packages/server/src/domain/merchants/index.ts'
import { depositNow, newDeposit, startCheckout, timePasses } from './stories.ts'

const checkout = await startCheckout()
const { app } = checkout
const shop = await checkout.merchant()

function ask(path: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  const { hostname, port } = new URL(checkout.baseUrl)
  const body = Buffer.from(options.body ?? '')
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }
  const headers = { ...(options.body !== undefined && form), ...options.headers }
  return send({ hostname, port, path, method: options.method ?? 'GET', headers }, body)
}

const post = (path: string, cookie: string, body = '', headers = {}) =>
  ask(path, { method: 'POST', body, headers: { cookie, ...headers } })

const cookieOf = ({ headers }: Answer) => String(headers['set-cookie']?.[0]).split(';')[0] ?? ''

/** Follows the link as a browser does: answers the clean address and the cookie. */
async function enter(deposit: { link: string }) {
  const answer = await ask(deposit.link)
  assert.equal(answer.status, 303)
  return { address: String(answer.headers['location']), cookie: cookieOf(answer), answer }
}

test('the link leads to a clean address, with the token in a cookie that only this page gets', async () => {
  const deposit = await newDeposit(shop)
  const { address, answer } = await enter(deposit)
  assert.equal(address, `/checkout/${deposit.id}`)
  assert.equal(
    answer.headers['set-cookie']?.[0],
    `vezne-${deposit.id}=${deposit.token}; Path=/checkout/${deposit.id}; HttpOnly; SameSite=Lax; Max-Age=2592000`,
  )
  assert.equal((await enter(deposit)).address, address, 'the same link works again, on another device too')
})

test('on https the cookie is bound to the host', async () => {
  const secure = await startCheckout({ publicUrl: 'https://pay.example' })
  const deposit = await newDeposit(await secure.merchant())
  const { hostname, port } = new URL(secure.baseUrl)
  const answer = await send({ hostname, port, path: deposit.link })
  assert.equal(
    answer.headers['set-cookie']?.[0],
    `__Host-vezne-${deposit.id}=${deposit.token}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=2592000`,
  )
  const page = await send({ hostname, port, path: `/checkout/${deposit.id}`, headers: { cookie: cookieOf(answer) } })
  assert.equal(page.status, 200)
})

test('whatever is wrong with a token, the answer is the same page to the byte', async () => {
  const mine = await newDeposit(shop)
  const other = await newDeposit(shop)
  const { cookie } = await enter(mine)
  const flipped = mine.token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  const answers = await Promise.all([
    ask('/checkout'),
    ask('/checkout?token='),
    ask('/checkout?token=nothing'),
    ask(`/checkout?token=${flipped}`),
    ask(`/checkout?token=${mine.token}&token=${mine.token}`),
    ask(`/checkout/${mine.id}`),
    ask(`/checkout/${other.id}`, { headers: { cookie } }),
    ask(`/checkout/${other.id}`, { headers: { cookie: `vezne-${other.id}=${mine.token}` } }),
    ask(`/checkout/${mine.id}`, { headers: { cookie: `${cookie}; ${cookie}` } }),
    ask(`/checkout/${'0'.repeat(24)}`, { headers: { cookie } }),
    ask('/checkout/nonsense', { headers: { cookie } }),
    ask(`/checkout/${mine.id}/status`),
    ask(`/checkout/${mine.id}/events`),
    ask(`/checkout/${mine.id}/qr.svg`),
    ask(`/checkout/${mine.id}/logo-light.png`),
    ask(`/checkout/${mine.id}/logo-dark.png`, { headers: { cookie } }),
    ask(`/checkout/${mine.id}/claim`, { method: 'POST', body: '' }),
    ask(`/checkout/${mine.id}/elsewhere`, { headers: { cookie } }),
    ask('/checkout/assets/nothing.css'),
  ])
  for (const answer of answers) {
    assert.equal(answer.status, 404)
    assert.equal(answer.text, answers[0]?.text)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
  }
})

test('every answer carries the headers; the page names no token, and nothing runs inline', async () => {
  const deposit = await newDeposit(shop)
  const { cookie, address } = await enter(deposit)
  const page = await ask(address, { headers: { cookie } })
  const script = /src="([^"]+\.js)"/.exec(page.text)?.[1] ?? ''
  const pages = [
    await ask(deposit.link),
    page,
    await ask('/checkout'),
    await ask(`${address}/status`, { headers: { cookie } }),
  ]
  for (const { headers } of [...pages, await ask(script)]) {
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    assert.match(String(headers['permissions-policy']), /camera=\(\)/)
  }
  for (const { headers } of pages) assert.equal(headers['cache-control'], 'no-store')
  assert.equal((await ask(script)).headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.ok(!page.text.includes(deposit.token))
  assert.doesNotMatch(page.text, /\sstyle=|\son\w+=|<style|<script>|javascript:|https?:\/\//)
})

test("each merchant's page links a stylesheet with its own colour; one of any other colour is sent, uncompressed", async () => {
  const styleOf = async (accent: string) => {
    const branded = await checkout.merchant()
    await setBrand(app, UNATTRIBUTED, branded.merchantId, { accent })
    const { address, cookie } = await enter(await newDeposit(branded))
    const [, path = ''] = /href="([^"]+\.css)"/.exec((await ask(address, { headers: { cookie } })).text) ?? []
    return path
  }
  const [red, blue] = [await styleOf('#b4232a'), await styleOf('#23427b')]
  const colourIn = async (path: string) => /:root\{--accent:(#\w+)\}/.exec((await ask(path)).text)?.[1]
  assert.deepEqual([await colourIn(red), await colourIn(blue)], ['#b4232a', '#23427b'])
  const other = blue.replace('23427b', '7a1f3d')
  assert.equal(await colourIn(other), '#7a1f3d')
  const encodingOf = async (path: string) =>
    (await ask(path, { headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding']
  assert.deepEqual([await encodingOf(red), await encodingOf(other)], ['gzip', undefined])
})

test('the QR code opens the same page once, for five minutes, and a newer one replaces it', async () => {
  const deposit = await newDeposit(shop)
  const { cookie, address } = await enter(deposit)
  const drawn = async (path: string) => (await ask(path, { headers: { cookie } })).text
  const { text, headers } = await ask(`${address}/qr.svg`, { headers: { cookie } })
  assert.equal(headers['content-type'], 'image/svg+xml')
  assert.equal(headers['cache-control'], 'no-store')
  assert.notEqual(text, renderSVG(checkout.baseUrl + deposit.link, { border: 2, pixelSize: 4 }))
  assert.notEqual(text, await drawn(`${address}/qr.svg`), 'a new code each time')

  const now = await depositNow(checkout, deposit.id)
  const link = async () => `/checkout?code=${await makeHandover(app, now)}`
  const [replaced, code] = [await link(), await link()]
  assert.equal((await ask(replaced)).status, 404)
  for (const name of ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'])
    assert.equal((await ask(code, { headers: { [name]: 'prefetch' } })).status, 404, name)
  assert.equal((await ask(code, { method: 'HEAD' })).status, 404)
  const answers = await Promise.all([ask(`${code}&lang=en`), ask(`${code}&lang=en`)])
  const opened = answers.filter(({ status }) => status === 303)
  assert.deepEqual(
    opened.map(({ headers: { location } }) => location),
    [`${address}?lang=en`],
  )
  assert.match(String(opened[0]?.headers['set-cookie']), new RegExp(`^vezne-${deposit.id}=${deposit.token};`))
  const old = await link()
  await timePasses(checkout, 5)
  const dead = [await ask(old), await ask(code), await ask('/checkout?code=nothing'), await ask('/checkout')]
  assert.deepEqual(new Set(dead.map(({ status, text: page }) => `${status} ${page}`)).size, 1)
})

test('a page exists for 30 days', async () => {
  const deposit = await newDeposit(shop)
  const { cookie, address } = await enter(deposit)
  await timePasses(checkout, 30 * 24 * 60 - 5)
  assert.equal((await ask(address, { headers: { cookie } })).status, 200)
  await timePasses(checkout, 10)
  const dead = [await ask(address, { headers: { cookie } }), await ask(deposit.link), await ask('/checkout')]
  assert.deepEqual(new Set(dead.map(({ status, text }) => `${status} ${text}`)).size, 1)
})

test('forms change something only from our own page, and always answer with the page', async () => {
  const deposit = await newDeposit(shop)
  const { cookie, address } = await enter(deposit)
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: checkout.baseUrl },
    { origin: 'https://evil.example' },
  ]) {
    assert.equal((await post(`${address}/bank`, cookie, 'bankId=FAST', headers)).status, 404)
  }
  assert.equal((await depositNow(checkout, deposit.id)).bankId, null)
  const sameOrigin = { 'sec-fetch-site': 'same-origin', origin: 'null' }
  const chosen = await post(`${address}/bank?lang=en`, cookie, 'bankId=FAST', sameOrigin)
  assert.deepEqual([chosen.status, chosen.headers['location']], [303, `${address}?lang=en`])
  assert.equal((await depositNow(checkout, deposit.id)).bankId, 'FAST')
  const claim = await post(`${address}/claim`, cookie, '', { origin: checkout.baseUrl })
  assert.deepEqual([claim.status, claim.headers['location']], [303, address])
  assert.notEqual((await depositNow(checkout, deposit.id)).claimedAt, null)
})

test('a browser that says nothing of the origin is believed with the cookie, which other sites do not send', async () => {
  for (const headers of [{ origin: 'null' }, {}]) {
    const deposit = await newDeposit(shop)
    const { cookie, address, answer } = await enter(deposit)
    assert.match(String(answer.headers['set-cookie']), /; SameSite=Lax/)
    assert.equal((await post(`${address}/bank`, '', 'bankId=FAST', headers)).status, 404)
    assert.equal((await depositNow(checkout, deposit.id)).bankId, null)
    assert.equal((await post(`${address}/bank`, cookie, 'bankId=FAST', headers)).status, 303)
    assert.equal((await depositNow(checkout, deposit.id)).bankId, 'FAST')
  }
})

test('forms with nonsense, on an older page, or too large change nothing and break nothing', async () => {
  const deposit = await newDeposit(shop)
  const { cookie, address } = await enter(deposit)
  for (const body of ['', 'bankId=', 'bankId=nothing', 'bankId=%00', 'bankId=FAST%27--', 'a=b&a=b']) {
    assert.equal((await post(`${address}/bank`, cookie, body)).status, 303)
  }
  assert.equal((await post(`${address}/claim`, cookie)).status, 303)
  assert.equal((await post(`${address}/bank`, cookie, `bankId=${'x'.repeat(5000)}`)).status, 413)
  const { bankId, claimedAt } = await depositNow(checkout, deposit.id)
  assert.deepEqual([bankId, claimedAt], [null, null])
  await shop.post(`/v1/transactions/${deposit.id}/cancel`, undefined)
  for (const form of ['bank', 'change', 'claim', 'seen']) {
    assert.equal((await post(`${address}/${form}`, cookie, 'bankId=FAST')).status, 303)
  }
  assert.equal((await depositNow(checkout, deposit.id)).status, 'cancelled')
})

test('status answers with the page part only to those who have an older one', async () => {
  const deposit = await newDeposit(shop)
  const { cookie, address } = await enter(deposit)
  const known = await ask(`${address}/status?version=0&screen=choose-bank`, { headers: { cookie } })
  assert.deepEqual(known.body, { version: 0, screen: 'choose-bank', left: known.body.left })
  await chooseBank(app, await depositNow(checkout, deposit.id), 'FAST')
  const older = await ask(`${address}/status?version=0&screen=choose-bank`, { headers: { cookie } })
  assert.deepEqual([older.body.version, older.body.screen], [1, 'pay'])
  assert.match(older.body.html, /^<main\s[^]*<\/main>$/)
})

test('the event stream tells the version at once and when it changes, and does not hold up the end of the server', async () => {
  const own = await startCheckout()
  const deposit = await newDeposit(await own.merchant())
  const { hostname, port } = new URL(own.baseUrl)
  const cookie = `vezne-${deposit.id}=${deposit.token}`
  const { promise: ended, resolve } = Promise.withResolvers<string[]>()
  const outgoing = request(
    { hostname, port, path: `/checkout/${deposit.id}/events`, headers: { cookie } },
    (incoming) => {
      assert.equal(incoming.headers['content-type'], 'text/event-stream; charset=utf-8')
      const versions: string[] = []
      incoming.on('data', (chunk: Buffer) => {
        versions.push(
          ...String(chunk)
            .matchAll(/data: (\d+)/g)
            .map(([, version]) => version as string),
        )
        if (versions.length === 1) void depositNow(own, deposit.id).then((now) => chooseBank(own.app, now, 'FAST'))
        if (versions.includes('1')) void own.server.close()
      })
      incoming.on('end', () => resolve(versions))
    },
  )
  outgoing.end()
  const versions = await ended
  assert.deepEqual([versions[0], versions.at(-1)], ['0', '1'])
})
