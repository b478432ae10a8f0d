import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { SandboxFacts } from '../../packages/server/src/edges/cli/core/context.ts'
import { ready, vezne, withoutTarget } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody } from '../harness/examples.ts'
import { answer, ok, startReceiver, verify } from '../harness/receiver.ts'
import { until } from '../harness/until.ts'

// The sandbox as `npm start` runs it; events and deliveries come at the pace of its own workers.
const data = mkdtempSync(join(tmpdir(), 'vezne-callbacks-'))
const env = { VEZNE_DATA: data }
const sandbox = vezne(['up'], env)
const { run, stop } = openCommandLine(env)
await ready(sandbox)
after(async () => {
  stop()
  sandbox.process.kill('SIGTERM')
  await sandbox.exited
  rmSync(data, { recursive: true, force: true })
})
const readFacts = () => JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as SandboxFacts
const facts = readFacts()
const demo = client(facts.baseUrl, facts.merchant)
type Shop = Pick<typeof demo, 'get' | 'post'>

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on whatever came back
async function cli(...args: string[]): Promise<any> {
  const { code, output, errors } = await run([...args, '--json'])
  assert.equal(code, 0, errors)
  return JSON.parse(output)
}

type Mistake = [code: number, words: RegExp, ...args: string[]]

async function allRefused(mistakes: Mistake[]): Promise<void> {
  for (const [expected, words, ...args] of mistakes) {
    const { code, errors } = await run(args)
    assert.equal(code, expected, `${args.join(' ')}\n${errors}`)
    assert.match(errors, words)
    assert.doesNotMatch(errors, /\n {4}at /, 'words, not a stack')
  }
}

const another = async () => {
  const credentials = await cli('merchant', 'create', '--name', 'Kitap Evi', '--allow-ip', '127.0.0.1')
  return { ...credentials, ...client(facts.baseUrl, credentials) }
}

/** The shortest story there is: deposit.cancelled, sequence 1. Answers the event's id, once it can be read. */
async function happen(shop: Shop): Promise<string> {
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  await shop.post(`/v1/transactions/${transactionId}/cancel`, undefined)
  const seen = await until(
    () => shop.get(`/v1/events?transactionId=${transactionId}`),
    ({ body }) => body.data.events.length === 1,
  )
  return seen.body.data.events[0].eventId as string
}

/** Each wait looks at the service, so that a dead one is noticed. */
const when = (holds: () => boolean) => until(() => demo.get('/v1/balance'), holds)

test('an endpoint from its first day to its last: add, list, set, disable, enable, rotate-secret, test, remove', async () => {
  const receiver = await startReceiver()
  const {
    endpointId: id,
    secret,
    url,
  } = await cli(
    ...['endpoint', 'add', 'demo', '--url', receiver.url, '--events', 'deposit.cancelled,deposit.completed'],
    ...['--description', 'the books', '--max-concurrent', '2'],
  )
  assert.equal(url, receiver.url)
  const mine = async () =>
    (await cli('endpoint', 'list', 'demo')).endpoints.find((one: { endpointId: string }) => one.endpointId === id)
  await happen(demo)
  await when(() => receiver.all.length === 1)
  verify(secret, receiver.all[0] ?? assert.fail())

  const changed = await run(['endpoint', 'set', 'demo', id, '--events', 'all', '--max-per-second', '50'])
  assert.equal(changed.output, `${id} gets all events at ${receiver.url}.\n`)
  await cli('endpoint', 'disable', 'demo', id, '--reason', 'moving house')
  await happen(demo)
  const { waiting, state, stateReason, eventTypes, maxConcurrent, maxPerSecond, description } = await mine()
  assert.deepEqual({ waiting, state, stateReason }, { waiting: 1, state: 'disabled', stateReason: 'moving house' })
  assert.deepEqual([eventTypes, maxConcurrent, maxPerSecond, description], [[], 2, 50, 'the books'])
  const { output } = await run(['endpoint', 'list', 'demo'])
  assert.match(output, new RegExp(`^${id}  disabled: moving house  1 {8}all events +${receiver.url}$`, 'm'))
  await allRefused([
    [1, /is disabled \(moving house\)[^]*\n {2}vezne endpoint enable \w{24} \w{24}\n/, 'endpoint', 'test', 'demo', id],
  ])
  assert.equal(receiver.all.length, 1)

  await cli('endpoint', 'enable', 'demo', id)
  await when(() => receiver.all.length === 2)
  const rotated = await cli('endpoint', 'rotate-secret', 'demo', id)
  assert.equal(readFacts().merchant.callbackSecret, facts.merchant.callbackSecret, "not the demo shop's")
  await cli('endpoint', 'test', 'demo', id)
  await when(() => receiver.all.at(-1)?.event.type === 'endpoint.test')
  const last = () => receiver.all.at(-1) ?? assert.fail()
  // A dispatcher may know the old secret alone for up to a second more.
  await until(
    () => demo.post(`/v1/events/${last().id}/resend?endpointId=${id}`, undefined),
    () => last().headers['webhook-signature']?.includes(' ') ?? false,
  )
  for (const one of [secret, rotated.secret]) verify(one, last())
  assert.notEqual(rotated.secret, secret)

  assert.match((await run(['endpoint', 'list'])).output, new RegExp(`^${id} `, 'm'), 'the demo merchant without a name')
  await cli('endpoint', 'remove', 'demo', id)
  assert.equal(await mine(), undefined)
})

test('endpoint: what cannot be is refused with words, and wrong usage names what there is', async () => {
  const add = ['endpoint', 'add', 'demo', '--url']
  const nobody = '0123456789abcdef01234567'
  await allRefused([
    [
      2,
      /"deposit\.done".*deposit\.processing, .*withdrawal\.updated, endpoint\.test/,
      ...add,
      'http://127.0.0.1/',
      '--events',
      'deposit.completed,deposit.done',
    ],
    [2, /--url/, 'endpoint', 'add', 'demo'],
    [2, /endpoint add demo --url http:\/\/127\.0\.0\.1:3000\/\n$/, 'endpoint', 'add', 'demo', 'http://127.0.0.1:3000/'],
    [2, /--url .*http:\/\/127\.0\.0\.1:3000\/callbacks, not "127\.0\.0\.1:3000"/, ...add, '127.0.0.1:3000'],
    [2, /--reason/, 'endpoint', 'disable', 'demo', nobody],
    [2, /--max-per-second must be a whole number/, ...add, 'http://127.0.0.1/', '--max-per-second', 'many'],
    [1, /url.*10\.0\.0\.1 is not a public address/, ...add, 'http://10.0.0.1/hooks'],
    [1, /url.*must not carry a user name/, ...add, 'https://user:pass@shop.example/'],
    [1, /maxPerSecond.*from 1 to/, ...add, 'http://127.0.0.1/', '--max-per-second', '0'],
    [1, new RegExp(`There is no merchant ${nobody}`), 'endpoint', 'list', nobody],
    [1, new RegExp(`There is no merchant ${nobody}`), 'endpoint', 'add', nobody, '--url', 'http://127.0.0.1/'],
    [1, new RegExp(`has no endpoint ${nobody}`), 'endpoint', 'set', 'demo', nobody, '--url', 'http://127.0.0.1/'],
  ])
})

test('a rotated secret of the first endpoint is the one that the sandbox signs and verifies with', async () => {
  const { endpoints } = await cli('endpoint', 'list', 'demo')
  const { secret } = await cli('endpoint', 'rotate-secret', 'demo', endpoints[0].endpointId)
  assert.deepEqual(readFacts(), { ...facts, merchant: { ...facts.merchant, callbackSecret: secret } })
})

test('events: list, show, resend; a night of failures is sent again with --since, but not to who has left', async () => {
  const shop = await another()
  const of = ['--merchant', shop.merchantId]
  const evening = new Date(Date.now() - 60_000).toISOString()
  // Its own schedule would try again while this test still looks.
  const receiver = await startReceiver(answer(503, { 'retry-after': '3600' }))
  const [{ endpointId: id }] = (await cli('endpoint', 'list', shop.merchantId)).endpoints
  await allRefused([[1, /has no address yet/, 'endpoint', 'test', shop.merchantId, id]])
  const unset = await run(['endpoint', 'set', shop.merchantId, id, '--max-per-second', '20'])
  assert.equal(unset.output, `${id} has no address yet.\n`)
  await cli('endpoint', 'set', shop.merchantId, id, '--url', receiver.url)
  const gone = await cli('endpoint', 'add', shop.merchantId, '--url', receiver.url)
  const [first, second] = [await happen(shop), await happen(shop)]
  const outcomes = async (event: string): Promise<string> =>
    (await cli('events', 'show', event, ...of)).attempts.map(({ outcome }: { outcome: string }) => outcome).join()
  const tried = (event: string, wanted: string) =>
    until(
      () => outcomes(event),
      (found) => found === wanted,
    )
  for (const event of [first, second]) await tried(event, '5xx,5xx')
  const removed = await run(['endpoint', 'remove', shop.merchantId, gone.endpointId])
  assert.equal(removed.output, `${gone.endpointId} is removed; waiting events given up: 2.\n`)

  // Endpoints that were made in one second stand in any order.
  const failed = '(?:failed 1× \\(5xx\\), waits; given up|given up; failed 1× \\(5xx\\), waits)'
  const both = new RegExp(`\n${second} .* deposit\\.cancelled .* ${failed}\n${first} .* ${failed}\n$`)
  // The worker gives up what had not arrived there, at its next turn.
  await until(
    () => run(['events', 'list', ...of, '--state', 'waiting']),
    ({ output }) => both.test(output),
  )
  const { events } = await cli('events', 'list', ...of, '--type', 'deposit.cancelled', '--limit', '1')
  assert.deepEqual([events.length, events[0].eventId], [1, second])
  const one = await cli('events', 'list', ...of, '--transaction', events[0].transactionId, '--state', 'given_up')
  assert.deepEqual([one.events.length, one.events[0].eventId], [1, second])
  assert.deepEqual(await cli('events', 'resend', first, ...of), { deliveries: 1 })
  await tried(first, '5xx,5xx,5xx')

  receiver.behave(ok)
  assert.deepEqual(await cli('events', 'resend', '--since', evening, ...of), { deliveries: 2 })
  await tried(first, '5xx,5xx,5xx,accepted')
  await tried(second, '5xx,5xx,accepted')
  const { payload, deliveries } = await cli('events', 'show', first, ...of)
  assert.equal(payload, receiver.all.findLast((received) => received.id === first)?.body)
  assert.deepEqual(deliveries.map(({ state }: { state: string }) => state).toSorted(), ['delivered', 'given_up'])
  assert.deepEqual(await cli('events', 'resend', '--since', evening, ...of), { deliveries: 0 })
})

test('events: wrong usage', async () => {
  const time = '2026-11-15T00:00:00Z'
  await allRefused([
    [2, /deposit\.done.*deposit\.completed/s, 'events', 'list', '--type', 'deposit.done'],
    [2, /waiting, given_up/, 'events', 'list', '--state', 'lost'],
    [2, /^Name an event or give --since\.\n$/, 'events', 'resend'],
    [2, /not both/, 'events', 'resend', facts.merchant.merchantId, '--since', time],
    [2, /--endpoint goes with one event/, 'events', 'resend', '--since', time, '--endpoint', facts.merchant.merchantId],
    [2, /--since yesterday is not a time/, 'events', 'resend', '--since', 'yesterday'],
    [2, /--since 2026-11-15T00:00 is not a time such as .*Z/, 'events', 'resend', '--since', '2026-11-15T00:00'],
    [1, /There is no event/, 'events', 'show', facts.merchant.merchantId],
    [1, /There is no event/, 'events', 'resend', facts.merchant.merchantId],
  ])
})

test('a shown event has the time at which it happened', async () => {
  const shop = await another()
  const event = await happen(shop)
  const { createdAt, transactionId } = (await shop.get(`/v1/events/${event}`)).body.data
  const { output } = await run(['listen', '--once', '--from-start', '--key', shop.apiKey, '--secret', shop.apiSecret])
  assert.equal(output, `${createdAt}  deposit.cancelled       ${transactionId}  #1\n`)
})

test('a closed pipe, as of `| head`, ends it without a word', async () => {
  const shop = await another()
  const child = vezne(['listen', '--key', shop.apiKey, '--secret', shop.apiSecret], env)
  after(() => child.process.kill('SIGKILL'))
  await until(
    async () => child.errors(),
    (said) => said.includes('listening'),
  )
  child.process.stdout?.destroy()
  await happen(shop)
  assert.equal(await child.exited, 141)
  assert.equal(withoutTarget(child.errors()), 'listening (Ctrl-C to stop)\n')
})
