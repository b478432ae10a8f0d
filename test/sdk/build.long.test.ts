import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { breakOff } from '../harness/break-off.ts'
import { endsWithUs } from '../harness/ends-with-us.ts'

// The package as merchants install it: emitted JavaScript and types, in a folder that has nothing else of ours.

const ROOT = join(import.meta.dirname, '../..')
const shop = mkdtempSync(join(tmpdir(), 'vezne-sdk-'))
after(() => rmSync(shop, { recursive: true, force: true }))
const installed = join(shop, 'node_modules/@vezne/sdk')
writeFileSync(join(shop, 'package.json'), '{"type":"module"}')

type Packed = { filename: string; files: { path: string }[] }

function run(command: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: shop, encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  return stdout
}
const built = join(shop, 'built')
run(process.execPath, [join(ROOT, 'packages/sdk/build.mjs'), built])
const [packed] = JSON.parse(run('npm', ['pack', '--json', built])) as [Packed]
run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`])
for (const name of ['@types', 'undici-types'])
  symlinkSync(join(ROOT, 'node_modules', name), join(shop, 'node_modules', name))

test('it is JavaScript without tests, and imports only Node', () => {
  const files = packed.files.map(({ path }) => path)
  assert.deepEqual(
    files.filter((file) => !/^[a-z-]+\.(js|d\.ts)$/.test(file)),
    ['package.json'],
  )
  assert.deepEqual(globSync('*', { cwd: installed }).toSorted(), files.toSorted())
  for (const file of files.filter((name) => name.endsWith('.js')))
    for (const [, name] of readFileSync(join(installed, file), 'utf8').matchAll(/from '([^']+)'/g))
      assert.match(name ?? '', /^node:|^\.\/[a-z-]+\.js$/, file)
})

test('a program runs with it', () => {
  writeFileSync(
    join(shop, 'receiver.js'),
    `import { signCallbackForTest, verifyCallback, vezne } from '@vezne/sdk'
     const secrets = 'whsec_' + Buffer.from('a secret of 24 characters').toString('base64')
     const body = '{"type":"endpoint.test","data":{"endpointId":"1"}}'
     vezne({ baseUrl: 'https://pay.example', apiKey: 'vk_1', apiSecret: 'vs_1' })
     console.log(verifyCallback(signCallbackForTest({ body, secrets, id: 'e-1' }), body, secrets).eventId)`,
  )
  assert.equal(run(process.execPath, ['receiver.js']), 'e-1\n')
})

const examples = [...readFileSync(join(ROOT, 'docs/sdk.md'), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)]

test('the receiver of docs/sdk.md needs its secret, and survives a request that breaks off', async () => {
  const example = examples.find(([, code]) => code?.includes('createServer'))?.[1] ?? assert.fail('no receiver')
  const onFreePort = ".listen(0, '127.0.0.1', function () { console.log(this.address().port) })"
  assert.ok(example.includes('.listen(3000)'))
  writeFileSync(join(shop, 'receiver.ts'), example.replace('.listen(3000)', onFreePort))
  const { PATH } = process.env
  const without = spawnSync(process.execPath, ['receiver.ts'], { cwd: shop, env: { PATH }, encoding: 'utf8' })
  assert.deepEqual([without.status, without.stdout], [1, ''])
  assert.match(without.stderr, /CALLBACK_SECRET is not set/)
  const env = { PATH, CALLBACK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}` }
  const child = spawn(process.execPath, ['receiver.ts'], { cwd: shop, env })
  endsWithUs(child)
  after(() => child.kill('SIGKILL'))
  const [port] = await once(child.stdout, 'data')
  const url = `http://127.0.0.1:${Number(port)}/callbacks`
  for (let times = 0; times < 2; times++) {
    await breakOff(url)
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401)
  }
})

test('a strict TypeScript program, and the examples of docs/sdk.md, fit its types', () => {
  assert.equal(examples.length, 4)
  for (const [index, [, example = '']] of examples.entries()) writeFileSync(join(shop, `example-${index}.ts`), example)
  writeFileSync(
    join(shop, 'shop.ts'),
    `import type { CallbackEvent } from '@vezne/sdk'
     import { vezne, VezneError } from '@vezne/sdk'
     const { deposits, withdrawals, transactions } = vezne({ baseUrl: 'https://pay.example', apiKey: 'k', apiSecret: 's' })
     const customer = { id: 'c-1', name: 'Ayşe', username: 'ayse' }
     export const url: string | undefined = (await deposits.create({ processId: '1', amount: 1, customer })).checkoutUrl
     export const received = (event: CallbackEvent): number =>
       event.type === 'deposit.completed' ? event.data.receivedAmount : 0
     export const code = (error: unknown): string | null => (error instanceof VezneError ? error.code : null)
     for await (const { sequence } of transactions.list({ type: 'deposit' })) sequence satisfies number
     // @ts-expect-error -- an amount is a number, and a withdrawal has more fields
     await withdrawals.create({ processId: '1', amount: '1' })`,
  )
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2022']
  run(join(ROOT, 'node_modules/.bin/tsc'), [
    ...options,
    '--types',
    'node',
    'shop.ts',
    ...examples.map((_, index) => `example-${index}.ts`),
  ])
})
