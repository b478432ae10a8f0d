import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { changeFees, freezeMerchant, revokeKey } from '../../packages/server/src/domain/merchants/index.ts'
import { sign } from '../../packages/server/src/platform/crypto/signature.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// Headers, then a change of the merchant, then the rest of the body: the change counts.
const service = await startService()
const { app } = service
type Shop = Awaited<ReturnType<typeof service.merchant>>

async function slowly(shop: Shop, target: string, value: object, meanwhile: () => Promise<unknown>): Promise<string> {
  const { hostname, port } = new URL(service.baseUrl)
  const body = JSON.stringify(value)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = sign(shop.apiSecret, { timestamp, method: 'POST', target, body })
  const head = [
    `POST ${target} HTTP/1.1`,
    'host: localhost',
    `x-api-key: ${shop.apiKey}`,
    `x-timestamp: ${timestamp}`,
    `x-signature: ${signature}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
  await meanwhile()
  // Longer than a caller is cached.
  const began = performance.now()
  await until(
    async () => performance.now() - began,
    (ms) => ms > 2500,
  )
  socket.write(body.slice(5))
  await closed
  return `${received.slice(9, 12)} ${/"code":"(\w+)"/.exec(received)?.[1] ?? ''}`.trim()
}

test('frozen while the body arrives: 403, and nothing is created', async () => {
  const shop = await service.merchant({ funds: 1_000_000n })
  const answer = await slowly(shop, '/v1/withdraw', withdrawBody(), () =>
    freezeMerchant(app, UNATTRIBUTED, shop.merchantId, 'suspected fraud'),
  )
  assert.equal(answer, '403 ACCOUNT_SUSPENDED')
})

test('a key that is revoked while the body arrives is no key', async () => {
  const shop = await service.merchant()
  assert.equal(
    await slowly(shop, '/v1/deposit', depositBody(), () => revokeKey(app, UNATTRIBUTED, shop.merchantId)),
    '401 INVALID_API_KEY',
  )
})

test('new fees in force while the body arrives are the fees of the withdrawal', async () => {
  const shop = await service.merchant({ funds: 1_000_000n })
  const answer = await slowly(shop, '/v1/withdraw', withdrawBody(), () =>
    changeFees(app, UNATTRIBUTED, shop.merchantId, { withdraw: { fixed: 777n } }),
  )
  assert.equal(answer, '201')
  const [row] = await app.db.query<{ fee: bigint }>(
    sql`select fee from withdrawals where merchant_id = ${shop.merchantId}`,
  )
  assert.equal(row?.fee, 777n)
})
