import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { setCallbackUrl, runCallbacksOnce } from '../harness/callbacks.ts'
import { BASE_ENV } from '../harness/child-process.ts'
import { endsWithUs } from '../harness/ends-with-us.ts'
import { payDeposit } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { breakOff } from '../harness/break-off.ts'
import { until } from '../harness/until.ts'

// The programs that docs/api.md leads to, as a reader runs them.
const service = await startService()
const { app } = service
after(() => app.outbound.close())

const fileOf = (name: string) => join(import.meta.dirname, '../../docs/examples', name)
const noPython = spawnSync('python3', ['--version']).status !== 0 && 'there is no python3 on this machine'

const EXAMPLES = [
  ['shop.mjs', process.execPath, false],
  ['shop.py', 'python3', noPython],
] as const

for (const [file, command, skip] of EXAMPLES) {
  test(`docs/examples/${file} creates a deposit, and takes its callback and no forged one`, { skip }, async () => {
    const shop = await service.merchant()
    const child = spawn(command, [fileOf(file)], {
      env: {
        ...BASE_ENV,
        VEZNE_URL: service.baseUrl,
        PORT: '0',
        VEZNE_API_KEY: shop.apiKey,
        VEZNE_API_SECRET: shop.apiSecret,
        CALLBACK_SECRET: shop.callbackSecret,
      },
    })
    endsWithUs(child)
    after(() => child.kill('SIGKILL'))
    let output = ''
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
    child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)))
    const prints = async (pattern: RegExp) => {
      await until(
        async () => output,
        (text) => pattern.test(text),
      )
      return pattern.exec(output)?.[1] ?? ''
    }
    const url = await prints(/^receiving at (\S+)$/m)
    const id = await prints(/^deposit ([0-9a-f]{24})$/m)
    await prints(/^send the customer to (http\S+)$/m)
    const forged = await fetch(url, { method: 'POST', body: '{"type":"deposit.completed","data":{}}' })
    assert.equal(forged.status, 401)
    // Python's server closes such a connection itself, and does not say when it waits for the body.
    for (let times = 0; times < 2 && command === process.execPath; times++) {
      await breakOff(url)
      assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401, 'it lives on')
    }
    await setCallbackUrl(app, shop.merchantId, url)
    const deposit = (await findDepositById(app.db, id)) ?? assert.fail()
    await payDeposit(app, deposit)
    await runCallbacksOnce(app)
    await prints(new RegExp(`^(callback deposit\\.completed ${id} 125000)$`, 'm'))
    assert.equal(output.match(/^callback/gm)?.length, 1)
    child.kill('SIGINT')
    await once(child, 'exit')
    assert.equal(errors, '', 'Ctrl-C ends it without a traceback')
  })

  const complete = {
    VEZNE_URL: service.baseUrl,
    PORT: '0',
    VEZNE_API_KEY: 'vk_1',
    VEZNE_API_SECRET: 'vs_1',
    CALLBACK_SECRET: `whsec_${Buffer.alloc(32, 'vezne').toString('base64')}`,
  }
  for (const [name, value] of [
    ['VEZNE_API_KEY', ''],
    ['VEZNE_API_SECRET', ''],
    ['CALLBACK_SECRET', ''],
    ['CALLBACK_SECRET', 'whsec_'],
    ['CALLBACK_SECRET', 'whsec_AAAA'],
  ] as const) {
    test(`docs/examples/${file} does not start with ${name}=${value}, and names it`, { skip }, async () => {
      const env = { ...BASE_ENV, ...complete, [name]: value }
      const child = spawn(command, [fileOf(file)], { env })
      endsWithUs(child)
      const [output, errors] = [text(child.stdout), text(child.stderr)]
      assert.deepEqual(await once(child, 'exit'), [1, null])
      assert.equal(await output, '')
      assert.match(await errors, new RegExp(`^${name} is not set, or incomplete\\..*npm start.*\\n$`))
    })
  }

  test(`docs/examples/${file} ends when its deposit is refused`, { skip }, async () => {
    const child = spawn(command, [fileOf(file)], { env: { ...BASE_ENV, ...complete } })
    endsWithUs(child)
    const errors = text(child.stderr)
    assert.deepEqual(await once(child, 'exit'), [1, null])
    assert.match(await errors, /^The deposit was not created: INVALID_API_KEY: .+\n$/)
  })
}
