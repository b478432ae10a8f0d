import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { setCallbackUrl, runCallbacksOnce } from '../harness/callbacks.ts'
import { BASE_ENV } from '../harness/child-process.ts'
import { endsWithUs } from '../harness/ends-with-us.ts'
import { payDeposit } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// The programs that docs/api.md leads to, as a reader runs them.
const service = await startService()
const { app } = service
after(() => app.outbound.close())

const noPython = spawnSync('python3', ['--version']).status !== 0 && 'there is no python3 on this machine'

for (const [file, command, skip] of [
  ['shop.mjs', process.execPath, false],
  ['shop.py', 'python3', noPython],
] as const) {
  test(`docs/examples/${file} creates a deposit, and takes its callback and no forged one`, { skip }, async () => {
    const shop = await service.merchant()
    const child = spawn(command, [join(import.meta.dirname, '../../docs/examples', file)], {
      env: {
        ...BASE_ENV,
        VEZNE_URL: service.baseUrl,
        PORT: '0',
        API_KEY: shop.apiKey,
        API_SECRET: shop.apiSecret,
        CALLBACK_SECRET: shop.callbackSecret,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    endsWithUs(child)
    after(() => child.kill('SIGKILL'))
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)))
    const prints = async (pattern: RegExp) => {
      await until(
        async () => output,
        (text) => pattern.test(text),
        30_000,
      )
      return pattern.exec(output)?.[1] ?? ''
    }
    const url = await prints(/^receiving at (\S+)$/m)
    const id = await prints(/^deposit ([0-9a-f]{24})$/m)
    await prints(/^send the customer to (http\S+)$/m)
    const forged = await fetch(url, { method: 'POST', body: '{"type":"deposit.completed","data":{}}' })
    assert.equal(forged.status, 401)
    await setCallbackUrl(app, shop.merchantId, url)
    const deposit = (await findDepositById(app.db, id)) ?? assert.fail()
    await payDeposit(app, deposit)
    await runCallbacksOnce(app)
    await prints(new RegExp(`^(callback deposit\\.completed ${id} 125000)$`, 'm'))
    assert.equal(output.match(/^callback/gm)?.length, 1)
    child.kill('SIGKILL')
  })
}
