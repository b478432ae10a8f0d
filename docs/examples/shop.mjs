// Creates a deposit and receives its callbacks. Node 20 or newer, no packages.
//
//   VEZNE_API_KEY=vk_… VEZNE_API_SECRET=vs_… CALLBACK_SECRET=whsec_… node shop.mjs
//   npx vezne listen --forward http://127.0.0.1:3000/callbacks     in a second terminal, in the folder of Vezne
//   npx vezne sim pay TRANSACTION_ID                               in a third: plays the customer
//
// VEZNE_URL is the address of Vezne, http://127.0.0.1:8080 when left out; PORT is the one of this program, 3000.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const {
  VEZNE_URL = 'http://127.0.0.1:8080',
  PORT = '3000',
  VEZNE_API_KEY,
  VEZNE_API_SECRET,
  CALLBACK_SECRET,
} = process.env

const say = (line) => process.stdout.write(`${line}\n`)
const fail = (line) => {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

// With an empty callback secret anyone could forge a callback.
const FORMS = { VEZNE_API_KEY: /^vk_/, VEZNE_API_SECRET: /^vs_/, CALLBACK_SECRET: /^whsec_[A-Za-z\d+/]{43}=$/ }
for (const [name, form] of Object.entries(FORMS))
  if (!form.test(process.env[name] ?? ''))
    fail(`${name} is not set, or incomplete. Copy it from what npm start prints.`)

async function call(method, path, body = '') {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', VEZNE_API_SECRET)
    .update(timestamp + method + path + body)
    .digest('hex')
  const answer = await fetch(VEZNE_URL + path, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'X-API-Key': VEZNE_API_KEY,
      'X-Timestamp': timestamp,
      'X-Signature': signature,
    },
    // The very text that was signed.
    ...(body && { body }),
  })
  const { success, data, error } = await answer.json()
  if (!success) throw new Error(`${error.code}: ${error.message} ${error.details?.hint ?? ''}`.trim())
  return data
}

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (!id || !/^\d{1,10}$/.test(timestamp ?? '') || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(CALLBACK_SECRET.replace(/^whsec_/, ''), 'base64')
  if (key.length === 0) return false
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  )
  return (signatures ?? '').split(' ').some((one) => {
    const given = Buffer.from(one)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

// In a database, in the transaction that credits the order: an event may come more than once.
const seen = new Set()

async function receive(request, response) {
  const body = Buffer.concat(await request.toArray())
  if (!isGenuine(request.headers, body)) return void response.writeHead(401).end()
  const id = request.headers['webhook-id']
  const { type, data } = JSON.parse(body)
  if (!seen.has(id)) say(`callback ${type} ${data.transactionId} ${data.receivedAmount}`)
  seen.add(id)
  response.writeHead(200).end()
}

const receiver = createServer((request, response) => {
  // A request that breaks off must not end the program.
  receive(request, response).catch(() => response.writeHead(500).end())
})

receiver.listen(Number(PORT), '127.0.0.1', async () => {
  say(`receiving at http://127.0.0.1:${receiver.address().port}/callbacks`)
  const customer = { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' }
  const order = { processId: `order-${Date.now()}`, amount: 125000, bankCode: 'FAST', customer }
  const deposit = await call('POST', '/v1/deposit', JSON.stringify(order)).catch(({ message, cause }) =>
    fail(`The deposit was not created: ${cause?.message || message}`),
  )
  say(`deposit ${deposit.transactionId}\nsend the customer to ${deposit.checkoutUrl}`)
})
