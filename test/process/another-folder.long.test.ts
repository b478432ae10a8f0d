import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { SandboxFacts } from '../../packages/server/src/edges/cli/core/context.ts'
import type { Child } from '../harness/child-process.ts'
import { BASE_ENV, ready, startNode, vezne } from '../harness/child-process.ts'
import { cloneDatabase } from '../harness/database.ts'
import { startReceiver, verify } from '../harness/receiver.ts'

// A shop's own folder: no VEZNE_DATA, no .vezne. What the sandbox wrote to the home folder leads there.
const MAIN = join(import.meta.dirname, '../../packages/server/src/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'vezne-elsewhere-'))
const inside = (name: string) => {
  mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
  return join(folder, name)
}
const home = inside('home')
const shop = inside('shop')
const data = join(folder, 'vezne', '.vezne')
const database = await cloneDatabase('empty')
const started: Child[] = []
const up = async (VEZNE_DATA: string, HOME = home) => {
  const child = vezne(['up'], { VEZNE_DATA, HOME, DATABASE_URL: database.url })
  started.push(child)
  await ready(child)
  return child
}
after(async () => {
  for (const child of started) child.process.kill('SIGTERM')
  await Promise.all(started.map(({ exited }) => exited))
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

await up(data)
// The same database: its secrets open with the same key.
const second = inside('second')
copyFileSync(join(data, 'master.key'), join(second, 'master.key'))
const facts = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as SandboxFacts
const USED = `Using the sandbox in ${data}\n`

async function inShop(args: string[], env: Record<string, string> = {}, cwd = shop) {
  const child = startNode([MAIN, ...args], { HOME: home, VEZNE_LOG: 'silent', ...env }, cwd)
  const code = await child.exited
  return { code, output: child.output(), errors: child.errors() }
}

const NOT_FOUND =
  /^No sandbox has been started in .*shop\/\.vezne\. Start one .*npm start\. If one runs already, .*VEZNE_DATA=FOLDER/

test('with none running: exit code 3 and what to do, for every command of a developer', async () => {
  for (const args of [['curl', '/v1/balance'], ['sign', '/v1/balance'], ['listen'], ['trigger', 'paid']]) {
    const { code, errors } = await inShop(args, { HOME: inside('new-home') })
    assert.equal(code, 3, `${args.join(' ')}: ${errors}`)
    assert.match(errors, NOT_FOUND)
    assert.doesNotMatch(errors, /npx vezne/)
  }
})

test('the harness gives its processes no home folder: no test writes to a real one', () => {
  assert.ok(!('HOME' in BASE_ENV))
})

test('curl, sign, verify and commands on the database work in the folder of a shop, and say which sandbox they use', async () => {
  const balance = await inShop(['curl', '/v1/balance', '--json'])
  assert.deepEqual([balance.code, balance.errors], [0, `${USED}HTTP 200\n`])
  assert.equal(JSON.parse(balance.output).success, true)
  const signed = await inShop(['sign', '/v1/balance', '--json'])
  assert.equal(signed.errors, USED)
  assert.equal(JSON.parse(signed.output)['X-API-Key'], facts.merchant.apiKey)
  const merchant = await inShop(['merchant', 'show', 'demo', '--json'])
  assert.deepEqual([merchant.code, merchant.errors], [0, USED])
  assert.match(merchant.output, new RegExp(facts.merchant.merchantId))
})

test('listen forwards to the shop, whose callback verify accepts', async () => {
  const receiver = await startReceiver()
  const order = {
    processId: 'shop-1',
    amount: 125_000,
    bankCode: 'FAST',
    customer: { id: 'c', name: 'Ayşe Yılmaz', username: 'ayse' },
  }
  const created = await inShop(['curl', 'POST', '/v1/deposit', JSON.stringify(order)])
  assert.equal(created.code, 0, created.errors)
  const { transactionId } = JSON.parse(created.output).data as { transactionId: string }
  assert.equal((await inShop(['curl', 'POST', `/v1/transactions/${transactionId}/cancel`])).code, 0)
  const heard = await inShop(['listen', '--from-start', '--once', '--forward', receiver.url])
  assert.equal(heard.code, 0, heard.errors)
  assert.match(heard.errors, new RegExp(`^${USED}listening, forwarding to`))
  const received = receiver.all.at(-1) ?? assert.fail('nothing was forwarded')
  verify(facts.merchant.callbackSecret, received)
  writeFileSync(join(shop, 'body.json'), received.body)
  const header = (name: string) => [`--${name}`, received.headers[`webhook-${name}`] ?? '']
  const args = [...header('id'), ...header('timestamp'), ...header('signature'), '--body', 'body.json']
  const verified = await inShop(['verify', ...args])
  assert.deepEqual([verified.code, verified.errors], [0, USED], verified.output)
  assert.ok(!existsSync(join(shop, '.vezne')), 'nothing is left in the folder of the shop')
})

test('a sandbox in the folder itself comes first, and what is named before that', async () => {
  const other = inside('other')
  mkdirSync(join(other, '.vezne'), { mode: 0o700 })
  writeFileSync(join(other, '.vezne/sandbox.json'), JSON.stringify({ ...facts, baseUrl: 'http://127.0.0.1:1' }))
  const itsOwn = await inShop(['curl', '/v1/balance'], {}, other)
  assert.equal(itsOwn.code, 3)
  assert.match(itsOwn.errors, /^Using the sandbox in .*\/other\/\.vezne\nhttp:\/\/127\.0\.0\.1:1 does not answer/)
  const named = await inShop(['curl', '/v1/balance'], { VEZNE_DATA: data })
  assert.deepEqual([named.code, named.errors], [0, `${USED}HTTP 200\n`])
  const { host, pathname } = new URL(database.url)
  const byUrl = await inShop(['merchant', 'list', '--json'], { VEZNE_DATA: data, DATABASE_URL: database.url })
  assert.deepEqual([byUrl.code, byUrl.errors], [0, `Using the sandbox database ${pathname.slice(1)} at ${host}\n`])
  assert.ok(JSON.parse(byUrl.output), 'the result alone is on stdout')
})

test('without a home folder that can be written a sandbox starts all the same', async () => {
  const child = await up(second, '/proc/none')
  child.process.kill('SIGTERM')
  assert.equal(await child.exited, 0)
})

test('of two the one started last is used; when it was stopped or killed, the other', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const last = await up(second)
    assert.match((await inShop(['curl', '/v1/balance'])).errors, /^Using the sandbox in .*\/second\n/)
    last.process.kill(signal)
    await last.exited
    const { code, errors } = await inShop(['curl', '/v1/balance'])
    assert.deepEqual([code, errors], [0, `${USED}HTTP 200\n`], signal)
  }
})

test('without HOME a running sandbox is not found, and nothing is said about others', async () => {
  const { code, errors } = await inShop(['curl', '/v1/balance'], { HOME: '' })
  assert.equal(code, 3)
  assert.match(errors, NOT_FOUND)
})
