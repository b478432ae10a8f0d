import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DOCS } from '../../packages/server/src/edges/docs/site-map.ts'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { runCallbacksOnce, setCallbackUrl } from '../harness/callbacks.ts'
import { BASE_ENV } from '../harness/child-process.ts'
import { endsWithUs } from '../harness/ends-with-us.ts'
import { payDeposit } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await startService()
const { app } = service
after(() => app.outbound.close())
const skip = spawnSync('php', ['--version']).error !== undefined && 'there is no php on this machine'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test(
  'docs/examples/shop.php sends the customer to the checkout, and takes its callback and no forged one',
  { skip },
  async () => {
    const shop = await service.merchant()
    const url = `http://127.0.0.1:${await freePort()}`
    const env = { ...BASE_ENV, VEZNE_URL: service.baseUrl, VEZNE_API_KEY: shop.apiKey, VEZNE_API_SECRET: shop.apiSecret, CALLBACK_SECRET: shop.callbackSecret } // prettier-ignore
    const child = spawn('php', ['-S', url.slice('http://'.length), join(DOCS, 'examples/shop.php')], { env })
    endsWithUs(child)
    after(() => child.kill('SIGKILL'))
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)))
    await until(
      async () => output,
      (text) => text.includes('started'),
    )
    const bought = await fetch(`${url}/`, { redirect: 'manual' })
    assert.equal(bought.status, 303, await bought.clone().text())
    assert.match(bought.headers.get('location') ?? '', /\/checkout\?token=/)
    const id = /^deposit (\w{24})/.exec(await bought.text())?.[1] ?? ''
    assert.equal(
      (await fetch(`${url}/callbacks`, { method: 'POST', body: '{"type":"deposit.completed","data":{}}' })).status,
      401,
    )
    await setCallbackUrl(app, shop.merchantId, `${url}/callbacks`)
    await payDeposit(app, (await findDepositById(app.db, id)) ?? assert.fail())
    await runCallbacksOnce(app)
    await until(
      async () => output,
      (text) => text.includes(`callback deposit.completed ${id} 125000`),
    )
  },
)
