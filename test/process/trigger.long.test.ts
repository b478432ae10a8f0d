import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { compose } from '../../packages/server/src/compose.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { disableEndpoint, enableEndpoint } from '../../packages/server/src/domain/webhooks/index.ts'
import { changeEndpoint, findEndpoints, setMatching } from '../../packages/server/src/domain/merchants/index.ts'
import type { SandboxFacts } from '../../packages/server/src/edges/cli/core/context.ts'
import { bankOf } from '../../packages/server/src/edges/cli/sandbox/sim-pay.ts'
import { clientOf } from '../../packages/server/src/edges/cli/developer/trigger.ts'
import { SCENARIOS } from '../../packages/server/src/edges/cli/developer/trigger-scenarios.ts'
import { ready, run, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { depositBody } from '../harness/examples.ts'
import { answer, startReceiver, verify } from '../harness/receiver.ts'

// The sandbox as `npm start` runs it, with its workers at their own pace.
const data = mkdtempSync(join(tmpdir(), 'vezne-trigger-'))
const env = { VEZNE_DATA: data }
const sandbox = vezne(['up'], env)
await ready(sandbox)
const facts = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as SandboxFacts
const database = new pg.Pool({ connectionString: facts.databaseUrl })
// Variants are run from here: a process for each would take longer than all the scenarios.
const config = readConfig({ ...env, VEZNE_LOG: 'silent' })
const app = { ...compose(config, facts.databaseUrl), own: null }
const unfollow = await app.clock.follow(app.db, () => undefined)
const warm = openCommandLine(env)
const never = () => assert.fail('a scenario starts no process')
const context = {
  readConfig: () => config,
  openApp: never,
  runProcess: never,
  runMigrations: never,
  runBackup: never,
  runRestore: never,
}
const api = await clientOf(context, app, facts.merchant.merchantId)
after(async () => {
  warm.stop()
  await unfollow()
  await app.db.end()
  await database.end()
  sandbox.process.kill('SIGTERM')
  await sandbox.exited
  rmSync(data, { recursive: true, force: true })
})

type Case = [event: string, variant: string, before: string[], shows: Record<string, unknown>]

/** The events of each scenario in their order, and what the last of them tells. */
const CASES: Case[] = [
  ['deposit.processing', 'short', [], { status: 'processing', reason: 'short', receivedAmount: 160_000 }],
  ['deposit.processing', 'over', [], { status: 'processing', reason: 'over', receivedAmount: 240_000 }],
  ['deposit.completed', 'paid', [], { status: 'completed', flags: [], receivedAmount: 200_000 }],
  ['deposit.completed', 'short', ['deposit.processing'], { status: 'completed', flags: [], receivedAmount: 200_000 }],
  ['deposit.completed', 'over', ['deposit.processing'], { status: 'completed', flags: ['overpaid'] }],
  ['deposit.completed', 'late', ['deposit.expired'], { status: 'completed', flags: ['late'] }],
  ['deposit.completed', 'name', [], { status: 'completed', flags: ['name_mismatch'] }],
  ['deposit.completed', 'codeless', [], { status: 'completed', flags: [], receivedAmount: 200_000 }],
  ['deposit.failed', 'refused', ['deposit.processing'], { status: 'failed', reason: 'payment_rejected' }],
  ['deposit.expired', 'unpaid', [], { status: 'expired' }],
  ['deposit.cancelled', 'cancelled', [], { status: 'cancelled' }],
  ['deposit.updated', 'part', ['deposit.processing'], { status: 'processing', receivedAmount: 160_000 }],
  ['deposit.updated', 'duplicate', ['deposit.completed'], { status: 'completed', flags: ['duplicate'] }],
  ['deposit.updated', 'twice', ['deposit.completed'], { status: 'completed', flags: ['duplicate'] }],
  ['withdrawal.processing', 'pending', [], { status: 'processing' }],
  ['withdrawal.completed', 'paid', ['withdrawal.processing'], { status: 'completed' }],
  ['withdrawal.completed', 'doubt', ['withdrawal.processing'], { status: 'completed' }],
  ['withdrawal.failed', 'closed', ['withdrawal.processing'], { failureReason: 'account_closed' }],
  ['withdrawal.failed', 'name', ['withdrawal.processing'], { failureReason: 'name_mismatch' }],
  ['withdrawal.failed', 'limit', ['withdrawal.processing'], { failureReason: 'limit_exceeded' }],
  ['withdrawal.returned', 'returned', ['withdrawal.processing', 'withdrawal.completed'], { returned: true }],
]
const AMOUNT = 200_000
const movesClock = ([event, variant]: Case) => event === 'deposit.expired' || variant === 'late'
const isFirst = ([event, variant]: Case) => SCENARIOS.find((scenario) => scenario.event === event)?.variant === variant

/** As a developer types it. */
async function type([event]: Case): Promise<{ transactionId: string; sequence: number }> {
  const { code, output, errors } = await run(['trigger', event, '--amount', String(AMOUNT), '--json'], env)
  assert.equal(code, 0, errors)
  return JSON.parse(output) as { transactionId: string; sequence: number }
}

function runScenario([event, variant]: Case, amount = AMOUNT) {
  const scenario = SCENARIOS.find((one) => one.event === event && one.variant === variant)
  const demo = { merchant: 'demo', merchantId: facts.merchant.merchantId, api }
  return (
    scenario?.run({ context, app, bank: bankOf(context), ...demo, amount, say: () => undefined }) ??
    assert.fail(`no scenario ${event} ${variant}`)
  )
}

async function triggered(one: Case): Promise<void> {
  const [event, variant, before, shows] = one
  const end = await (isFirst(one) ? type(one) : runScenario(one))
  assert.ok('transactionId' in end)
  const { transactionId, sequence } = end
  const { rows } = await database.query<{ type: string; body: string }>(
    'select type, body from events where transaction_id = $1 and sequence <= $2 order by sequence',
    [transactionId, sequence],
  )
  assert.deepEqual(
    rows.map(({ type }) => type),
    [...before, event],
    variant,
  )
  const { data: told } = JSON.parse(rows.at(-1)?.body ?? '') as { data: Record<string, unknown> }
  for (const [field, value] of Object.entries({ transactionId, sequence, amount: AMOUNT, ...shows }))
    assert.deepEqual(told[field], value, `${event} ${variant}: ${field}`)
}

test('every scenario ends with its event, also when several are run at once', async () => {
  const still = CASES.filter((one) => !movesClock(one))
  await Promise.all(still.filter(([event]) => event.startsWith('deposit')).map(triggered))
  await Promise.all(still.filter(([event]) => event.startsWith('withdrawal')).map(triggered))
})

test('so do those that move the clock, one after the other', async () => {
  for (const one of CASES.filter(movesClock)) await triggered(one)
})

test('--list has them all', async () => {
  const { output } = await warm.run(['trigger', '--list', '--json'])
  const { stories, scenarios } = JSON.parse(output) as {
    stories: { story: string; about: string }[]
    scenarios: { event: string; variant: string }[]
  }
  assert.deepEqual(
    stories.map(({ story }) => story),
    ['paid', 'short', 'over', 'late', 'codeless', 'twice', 'unknown', 'refused', 'returned'],
  )
  const help = await warm.run(['trigger', '--help'])
  for (const { story, about } of stories) assert.match(help.output, new RegExp(`  ${story} +${about.slice(0, 20)}`))
  const names = scenarios.map(({ event, variant }) => [event, variant])
  assert.deepEqual(names, [...CASES.map(([event, variant]) => [event, variant]), ['endpoint.test', 'delivered']])
})

test('for people: every step, the transaction, where to look, and that the clock has moved', async () => {
  const { code, output } = await warm.run(['trigger', 'deposit.expired'])
  assert.equal(code, 0)
  const time = String.raw`\d\d:\d\d:\d\d`
  const lines = [
    `^${time}  pending     deposit [0-9a-f]{24} created: 1\\.250,00 TL\n`,
    `${time}              the sandbox's clock moves .*\n`,
    `${time}  expired     nobody has paid in time.* → deposit\\.expired #1, callback delivered \\(200\\)\n\n`,
  ]
  assert.match(output, new RegExp(lines.join('')))
  assert.match(output, /npx vezne curl GET \/v1\/transactions\/[0-9a-f]{24}\n.*npx vezne sim clock reset\n$/)
})

test('endpoint.test: the demo shop hears it, and a receiver of a developer, as soon as its address is set', async () => {
  const shop = await warm.run(['trigger', 'endpoint.test'])
  assert.equal(shop.code, 0, shop.errors)
  assert.match(
    shop.output,
    /^[\d:]{8} +a test .*\/shop\/callbacks\n[\d:]{8} +endpoint\.test, delivered: .* 200\n[^]*vezne events show \w{24}\n$/,
  )
  const { merchantId, callbackSecret } = facts.merchant
  const [first = assert.fail()] = await findEndpoints(app.db, [merchantId])
  const receiver = await startReceiver()
  await changeEndpoint(app, UNATTRIBUTED, merchantId, first.id, { url: receiver.url })
  const told = await runScenario(['endpoint.test', 'delivered', [], {}])
  const received = receiver.all.at(-1) ?? assert.fail()
  verify(callbackSecret, received)
  assert.deepEqual(told, { eventId: received.id, endpointId: first.id })
  assert.deepEqual([received.event.type, received.event.data], ['endpoint.test', { endpointId: first.id }])
})

test('endpoint.test that is not delivered says why: an answer of 500, an endpoint that is off', async () => {
  const { merchantId } = facts.merchant
  const [first = assert.fail()] = await findEndpoints(app.db, [merchantId])
  const receiver = await startReceiver(answer(500))
  await changeEndpoint(app, UNATTRIBUTED, merchantId, first.id, { url: receiver.url })
  const test = () => runScenario(['endpoint.test', 'delivered', [], {}])
  await assert.rejects(test(), { message: /not delivered: responded with status 500\.[^]*vezne events show/ })
  await disableEndpoint(app, UNATTRIBUTED, merchantId, first.id, 'moving house')
  await assert.rejects(test(), { why: 'endpoint_switched_off' })
  await enableEndpoint(app, UNATTRIBUTED, merchantId, first.id)
  await changeEndpoint(app, UNATTRIBUTED, merchantId, first.id, { url: first.url ?? '' })
})

test('a scenario that ends in another way says what was seen and what to check', async () => {
  await setMatching(app, UNATTRIBUTED, facts.merchant.merchantId, { amount: 'accept_received' })
  await assert.rejects(runScenario(['deposit.failed', 'refused', [], {}]), {
    name: 'Explained',
    message: /not deposit\.processing: deposit [0-9a-f]{24} is completed \(underpaid\)[^]*vezne merchant matching demo/,
  })
  await setMatching(app, UNATTRIBUTED, facts.merchant.merchantId, { amount: 'exact' })
  await assert.rejects(runScenario(['deposit.completed', 'paid', [], {}], 1), { code: 'AMOUNT_OUT_OF_RANGE' })
})

test('wrong usage: exit code 2 and the names that there are', async () => {
  const mistakes: [string[], RegExp][] = [
    [[], /deposit\.processing, .*withdrawal\.returned/],
    [['deposit.done'], /"deposit\.done".*deposit\.completed/],
    [['deposit.completed', '--variant', 'never'], /"never".*paid, short, over, late, name/],
    [['nonsense'], /"nonsense".*paid, short, over, late, codeless, twice, unknown, refused, returned/],
    [['paid', '--variant', 'short'], /no scenario "paid"/],
  ]
  const wrong = mistakes.map(async ([args, words]) => {
    const { code, errors } = await warm.run(['trigger', ...args])
    assert.equal(code, 2, args.join(' '))
    assert.match(errors, words)
  })
  await Promise.all(wrong)
})

test('sim pay says so when the simulated bank refuses the payment', async () => {
  const shop = client(facts.baseUrl, facts.merchant)
  const { transactionId } = (await shop.post('/v1/deposit', depositBody())).body.data
  const { code, errors } = await warm.run(['sim', 'pay', transactionId, '--amount', '90000000000'])
  assert.equal(code, 1)
  assert.match(errors, /insufficient_funds/)
})
