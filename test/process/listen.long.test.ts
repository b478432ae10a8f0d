import assert from 'node:assert/strict'
import { once as onceEvent } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { MerchantCredentials } from '../../packages/server/src/domain/merchants/index.ts'
import type { SandboxFacts } from '../../packages/server/src/edges/cli/core/context.ts'
import { ready, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody } from '../harness/examples.ts'
import type { Received } from '../harness/receiver.ts'
import { answer, ok, startReceiver, verify } from '../harness/receiver.ts'
import { until } from '../harness/until.ts'

// `vezne listen` against the sandbox as `npm start` runs it.
const data = mkdtempSync(join(tmpdir(), 'vezne-listen-'))
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
const facts = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as SandboxFacts
const demo = client(facts.baseUrl, facts.merchant)

const another = async () => {
  const { code, output, errors } = await run(['merchant', 'create', '--name', 'Kitap Evi', '--json'])
  assert.equal(code, 0, errors)
  const credentials = JSON.parse(output) as MerchantCredentials
  return { ...credentials, ...client(facts.baseUrl, credentials) }
}
type Shop = Awaited<ReturnType<typeof another>>

async function eventsOf(shop: Shop, transactionId: string, count: number): Promise<string[]> {
  const seen = await until(
    () => shop.get(`/v1/events?transactionId=${transactionId}`),
    ({ body }) => body.data.events.length === count,
  )
  return seen.body.data.events.map(({ eventId }: { eventId: string }) => eventId).toReversed()
}

/** The shortest story there is: deposit.cancelled, sequence 1. Answers the event's id, once it can be read. */
async function happen(shop: Shop): Promise<string> {
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  await shop.post(`/v1/transactions/${transactionId}/cancel`, undefined)
  const [event = ''] = await eventsOf(shop, transactionId, 1)
  return event
}

/** Two events of one transaction: paid in part, then the rest. */
async function happenTwice(shop: Shop): Promise<[string, string]> {
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody({ amount: 5000 })), 201)
  for (const amount of ['2000', '3000']) {
    const { code, errors } = await run(['sim', 'pay', transactionId, '--amount', amount])
    assert.equal(code, 0, errors)
  }
  const [first = '', second = ''] = await eventsOf(shop, transactionId, 2)
  return [first, second]
}

/** Each wait looks at the service, so that a dead one is noticed. */
const when = (holds: () => boolean) => until(() => demo.get('/v1/balance'), holds)

const whose = ({ apiKey, apiSecret }: Shop) => ['--key', apiKey, '--secret', apiSecret]
const to = (receiver: { url: string }, { callbackSecret }: Shop) => [
  ...['--forward', receiver.url],
  ...['--callback-secret', callbackSecret],
]
/** Ends with the file, also when its test has failed. */
function listening(args: string[]) {
  const child = vezne(['listen', ...args], env)
  after(() => child.process.kill('SIGKILL'))
  return child
}
const idsOf = (all: Received[]) => all.map(({ id }) => id)

/** Runs `listen --once` to its end; answers the lines of its output. */
async function once(...args: string[]) {
  const { code, output, errors } = await run(['listen', '--once', '--json', ...args])
  const lines = output.split('\n').filter(Boolean)
  return {
    code,
    errors,
    events: lines.map((line) => JSON.parse(line)),
    ids: lines.map((line) => JSON.parse(line).eventId as string),
  }
}

test('killed in the middle: it goes on where it stopped, and every event arrives', async () => {
  const shop = await another()
  const receiver = await startReceiver()
  const args = [...whose(shop), ...to(receiver, shop)]
  const before = await happen(shop)
  const first = listening(args)
  await when(() => first.errors().includes('listening, forwarding to'))
  await when(() => first.errors().includes(`verifies with the secret ${shop.callbackSecret}`))
  const told = [await happen(shop)]
  await when(() => receiver.all.length === 1)
  // The next is taken in, and never answered: this is where it dies.
  receiver.behave(() => undefined)
  told.push(await happen(shop))
  await when(() => receiver.all.length === 2)
  first.process.kill('SIGKILL')
  await first.exited
  for (let more = 0; more < 3; more++) told.push(await happen(shop))

  // A receiver that is down is no reason to lose one either.
  receiver.behave((_, response) => void response.destroy())
  const second = listening(args)
  await when(() => told.slice(1).every((id) => idsOf(receiver.all.slice(2)).includes(id)))
  const [answered, from]: [string[], number] = [[], receiver.all.length]
  receiver.behave((received, response, request) => {
    answered.push(received.id)
    ok(received, response, request)
  })
  await when(() => second.output().split('\n').length - 1 === told.length - 1)
  second.process.kill('SIGKILL')
  await second.exited

  for (const received of receiver.all) verify(shop.callbackSecret, received)
  assert.deepEqual(answered.toSorted(), told.slice(1).toSorted(), 'each is accepted once')
  assert.ok(from >= 2 + 4 && !idsOf(receiver.all).includes(before), 'it begins with what happens after its first start')
  assert.match(second.output(), /^\S+Z {2}deposit\.cancelled +[0-9a-f]{24} {2}#1 {2}→ 200: ok\n/)
})

test('a refused event holds back its own transaction only, and is tried again', async () => {
  const shop = await another()
  const receiver = await startReceiver()
  const child = listening([...whose(shop), ...to(receiver, shop)])
  await when(() => child.errors().includes('listening'))
  let refuse = true
  receiver.behave((received, response, request) => {
    if (refuse && received.event.type !== 'deposit.cancelled') response.writeHead(422).end('no \u001b[31m thanks\n')
    else ok(received, response, request)
  })
  const [first, second] = await happenTwice(shop)
  const other = await happen(shop)
  await when(() => idsOf(receiver.all).filter((id) => id === first).length >= 2 && idsOf(receiver.all).includes(other))
  await when(() => child.output().includes('deposit.cancelled'))
  assert.ok(!idsOf(receiver.all).includes(second), 'the second waits behind the first')
  const words = `deposit.processing ${first}: ${receiver.url} answered 422: no \\x1b[31m thanks\\n; again in `
  assert.ok(child.errors().includes(words), child.errors())

  refuse = false
  await when(() => child.output().split('\n').length - 1 === 3)
  child.process.kill('SIGKILL')
  await child.exited
  const mine = idsOf(receiver.all).filter((id) => id !== other)
  assert.deepEqual(mine, [...mine.slice(0, -1).fill(first), second])
})

test('what waits when it is stopped is sent first at the next start, and what got through is not sent again', async () => {
  const shop = await another()
  const receiver = await startReceiver()
  const args = [...whose(shop), ...to(receiver, shop)]
  assert.deepEqual((await once(...args)).ids, [])
  const [first, second] = await happenTwice(shop)
  const other = await happen(shop)
  receiver.behave((received, response, request) =>
    (received.id === other ? ok : answer(503))(received, response, request),
  )
  const refused = await once(...args)
  assert.deepEqual([refused.code, refused.ids], [1, [other]])
  assert.match(
    refused.errors,
    new RegExp(`${first}: .* answered 503: status 503\\. It is the first to be sent next time`),
  )
  receiver.behave(ok)
  const later = await happen(shop)
  const { ids, code } = await once(...args)
  assert.deepEqual([code, ids.toSorted()], [0, [first, second, later].toSorted()])
  assert.ok(ids.indexOf(first) < ids.indexOf(second))
  assert.deepEqual((await once(...args)).ids, [])
})

test('--skip 2: an event that is refused twice is dropped, and the next of its transaction is sent', async () => {
  const shop = await another()
  const receiver = await startReceiver()
  const args = [...whose(shop), ...to(receiver, shop)]
  await once(...args)
  const [first, second] = await happenTwice(shop)
  receiver.behave((received, response, request) =>
    (received.id === first ? answer(500) : ok)(received, response, request),
  )
  const { code, events, errors } = await once(...args, '--skip', '2')
  assert.equal(code, 0, errors)
  assert.deepEqual(idsOf(receiver.all), [first, first, second])
  assert.match(errors, new RegExp(`${first}: .* answered 500: status 500; skipped after 2 refusals`))
  const shown = events.map(({ eventId, forwarded, answer, skipped }) => ({ eventId, forwarded, answer, skipped }))
  assert.deepEqual(shown, [
    { eventId: first, forwarded: '500', answer: 'status 500', skipped: true },
    { eventId: second, forwarded: '200', answer: 'ok', skipped: false },
  ])
  assert.deepEqual((await once(...args)).ids, [], 'what was dropped does not come back')
})

test('a key that is revoked ends it, also while an event waits to be tried again', async () => {
  const shop = await another()
  const receiver = await startReceiver(answer(503))
  const child = listening([...whose(shop), ...to(receiver, shop)])
  await when(() => child.errors().includes('listening'))
  await happen(shop)
  await when(() => child.errors().includes('; again in'))
  assert.equal((await run(['merchant', 'revoke-key', shop.merchantId])).code, 0)
  assert.equal(await child.exited, 1)
  assert.match(child.errors(), /INVALID_API_KEY/)
})

test('--skip drops nothing while no one answers there', async () => {
  const shop = await another()
  // A port on which something listened a moment ago.
  const closed = createServer().listen(0, '127.0.0.1')
  await onceEvent(closed, 'listening')
  const nowhere = { url: `http://127.0.0.1:${(closed.address() as AddressInfo).port}/callbacks` }
  closed.close()
  const args = [...whose(shop), ...to(nowhere, shop)]
  await once(...args)
  const event = await happen(shop)
  for (let time = 0; time < 2; time++) {
    const { code, errors } = await once(...args, '--skip', '1')
    assert.equal(code, 1)
    assert.match(
      errors,
      new RegExp(`${event}: .* did not answer \\(connect ECONNREFUSED .*\\)\\. It is the first to be sent next time`),
    )
  }
})

test('--latest: begins with what happens next, whatever waited or came before', async () => {
  const shop = await another()
  const receiver = await startReceiver(answer(503))
  const args = [...whose(shop), ...to(receiver, shop)]
  await once(...args)
  await happen(shop)
  assert.equal((await once(...args)).code, 1)
  await happen(shop)
  receiver.behave(ok)
  assert.deepEqual((await once(...args, '--latest')).ids, [])
  const next = await happen(shop)
  assert.deepEqual((await once(...args)).ids, [next])
})

test('an answer is shown in bounded words', async () => {
  const shop = await another()
  const receiver = await startReceiver((_, response) => void response.writeHead(200).end('x'.repeat(100_000)))
  const args = [...whose(shop), ...to(receiver, shop)]
  await once(...args)
  await happen(shop)
  const { events } = await once(...args)
  assert.equal(events[0].answer, `${'x'.repeat(200)}…`)
})

test('--once: everything new, then the end; merchants and targets have places of their own', async () => {
  const [shop, other] = await Promise.all([another(), another()])
  const receiver = await startReceiver(answer(503))
  const forwarding = [...whose(shop), ...to(receiver, shop)]
  for (const args of [whose(shop), forwarding, whose(other)]) assert.deepEqual((await once(...args)).ids, [])
  const [mine, theirs] = await Promise.all([happen(shop), happen(other)])
  assert.equal((await once(...forwarding)).code, 1)
  assert.deepEqual((await once(...whose(shop))).ids, [mine])
  assert.deepEqual((await once(...whose(other))).ids, [theirs])
  assert.deepEqual((await once(...whose(shop))).ids, [])
  receiver.behave(ok)
  assert.deepEqual((await once(...forwarding)).ids, [mine], 'who only looked has moved no one else on')
  assert.deepEqual((await once(...whose(other), '--from-start')).ids, [theirs])
})

test('wrong usage, and no one there', async () => {
  for (const [expected, words, ...args] of [
    [2, /--forward localhost:3000 is not an address/, '--forward', 'localhost:3000'],
    [2, /--callback-secret/, '--forward', 'http://127.0.0.1:1/', '--key', 'vk_1', '--secret', 'vs_1'],
    [2, /--key and --secret together/, '--key', 'vk_1'],
    [2, /--latest and --from-start/, '--latest', '--from-start'],
    [2, /--skip must be a whole number/, '--forward', 'http://127.0.0.1:1/', '--skip', 'all'],
    [2, /--skip must be 1 or more/, '--forward', 'http://127.0.0.1:1/', '--skip', '0'],
    [2, /--skip goes with --forward/, '--skip', '1'],
    [2, /baseUrl must be an address/, '--once', '--url', 'http://127.0.0.1:1/v1'],
    [1, /INVALID_API_KEY/, '--key', 'vk_1', '--secret', 'vs_1'],
    [3, /does not answer/, '--from-start', '--url', 'http://127.0.0.1:1'],
    [3, /not as Vezne does/, '--once', '--from-start', '--url', facts.bankUrl ?? ''],
  ] as [number, RegExp, ...string[]][]) {
    const { code, errors } = await run(['listen', ...args])
    assert.equal(code, expected, `${args.join(' ')}\n${errors}`)
    assert.match(errors, words)
    assert.doesNotMatch(errors, /\n {4}at /, 'words, not a stack')
  }
})
