import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { merchantActor } from '../../packages/server/src/kernel/actor.ts'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { createDeposits } from '../../packages/server/src/domain/deposits/index.ts'
import { createWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { keepUnread } from '../../packages/server/src/domain/statements/index.ts'
import { NO_FEE } from '../../packages/server/src/kernel/money.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import { notRefused } from '../../packages/server/src/platform/refusal.ts'
import { addTestEndpoint } from '../harness/callbacks.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { depositBody } from '../harness/examples.ts'
import { turkishIban } from '../harness/iban.ts'
import { lineFor, matchAll, ingest } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { storeNames } from '../harness/stored-names.ts'

// What a bank, a customer or a merchant may write, and what a terminal would make of it.
const CORPUS = [
  'clear\u001b[2J\u001b[Hscreen',
  'title\u001b]0;owned\u0007',
  'link\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\',
  'c1\u009b31mred\u009d0;t\u009c',
  'row\n6920f1c2a4b8d0e6f1a2b3c4  9.999,00 TL  forged',
  'over\rwritten',
  'back\b\b\b\b\u007f\u007f',
  'tab\tand\vfeed\f',
  '\u202eTR120006200029500006291296',
  '\u2066isolate\u2069 \u2067r\u2069 \u2068f\u2069',
  '\u202aembed\u202c \u202bembed\u202c \u202doverride\u202c',
  'marks\u200e\u200f\u061c',
  'zero\u200bwidth\u200c\u200d\ufeff\u2060\u00ad',
  'lines\u2028and\u2029paragraphs\u0085',
  'tags\u{e0001}\u{e0041}\u{e007f}',
  'filler\u3164\u115f\u034f\ufe0f',
]
/** Written down apart from the code under test, as first and last of each range. A line break is what ends a line of ours. */
const NEVER = [
  ...[
    [0, 9],
    [11, 31],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x34f, 0x34f],
    [0x61c, 0x61c],
    [0x115f, 0x115f],
    [0x200b, 0x200f],
  ],
  ...[
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0x3164, 0x3164],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xe0000, 0xe0fff],
  ],
] as [number, number][]
const hostileIn = (text: string) =>
  Array.from(text, (one) => one.codePointAt(0) ?? 0).filter((code) =>
    NEVER.some(([from, to]) => code >= from && code <= to),
  )

const service = await startService()
const { app } = service
const shop = await service.merchant({ funds: 10_000_000n })
const NAME = `Dükkân ${CORPUS[0]}${CORPUS[8]}`
const { merchantId } = shop
const data = mkdtempSync(join(tmpdir(), 'vezne-hostile-'))
after(() => rmSync(data, { recursive: true, force: true }))
const facts = { baseUrl: service.baseUrl, databaseUrl: service.databaseUrl, merchant: shop }
writeFileSync(join(data, 'sandbox.json'), JSON.stringify(facts))
const { run, stop } = openCommandLine({ VEZNE_DATA: data, VEZNE_MASTER_KEY: app.config.masterKey.toString('hex') })
after(stop)

const customerOf = (text: string) => ({ id: text, name: text, username: text })
const deposits = notRefused(
  await createDeposits(
    app,
    CORPUS.map((text) => ({
      ...{ actor: merchantActor(merchantId), processId: text, amount: 125_000n, currency: 'TRY', bankId: 'FAST' },
      ...{ customer: customerOf(text), metadata: { [text]: text } },
    })),
  ),
)
for (const [index, deposit] of deposits.entries()) {
  const text = CORPUS[index] ?? ''
  const unknown = { senderName: text, narrative: text }
  const known = { senderName: deposit.customer.name, narrative: `${deposit.referenceCode} ${text}` }
  await ingest(app, [await lineFor(app, deposit, unknown), await lineFor(app, deposit, known)])
}
await matchAll(app)
const unread = CORPUS.map((text) => ({ raw: `{${text}`, why: note('unread_not_storable', { error: text }) }))
await app.db.transaction((tx) => keepUnread(app, tx, 'test', unread))
const [withdrawal] = notRefused(
  await createWithdrawals(
    app,
    CORPUS.map((text) => ({
      ...{
        actor: merchantActor(merchantId),
        processId: text,
        amount: 10_000n,
        currency: 'TRY',
        bankId: null,
        iban: turkishIban(),
      },
      ...{
        accountName: text,
        userId: text,
        userName: text,
        name: text,
        feeTerms: [{ effectiveFrom: new Date(0), deposit: NO_FEE, withdraw: NO_FEE }],
      },
    })),
  ),
)
await storeNames(app, merchantId, NAME, CORPUS[8])
for (const description of CORPUS) await addTestEndpoint(app, merchantId, { url: 'http://127.0.0.1:1/x', description })
while ((await distributeEvents(app)) > 0);

/** Every way out of a command: what it says and what it complains. */
async function outputs(args: string[]): Promise<string[]> {
  const forPeople = await run(args)
  const forPrograms = await run([...args, '--json'])
  for (const { output, errors } of [forPeople, forPrograms]) {
    for (const written of [output, errors]) {
      assert.deepEqual(hostileIn(written), [], `${args.join(' ')}: ${JSON.stringify(written)}`)
    }
  }
  if (forPrograms.output !== '') JSON.parse(forPrograms.output)
  return forPeople.output.trimEnd().split('\n')
}

test('tables: no character that cannot be seen, and as many rows as there are', async () => {
  assert.equal((await outputs(['line', 'list', '--state', 'suspense', '--limit', '100'])).length, 1 + CORPUS.length)
  assert.equal((await outputs(['line', 'unread'])).length, 1 + CORPUS.length)
  assert.equal((await outputs(['endpoint', 'list', merchantId])).length, 2 + CORPUS.length)
  assert.equal((await outputs(['merchant', 'list'])).length, 3)
  assert.equal((await outputs(['withdrawal', 'list', '--state', 'queued'])).length, 1 + CORPUS.length)
})

test('one thing with its facts', async () => {
  const expected = (await outputs(['deposit', 'show', deposits[0]?.id ?? ''])).length
  for (const { id } of deposits) assert.equal((await outputs(['deposit', 'show', id])).length, expected)
  assert.equal((await outputs(['withdrawal', 'show', withdrawal?.id ?? ''])).length, 6)
  await outputs(['merchant', 'show', merchantId])
  await outputs(['merchant', 'brand', merchantId])
  await outputs(['events', 'list', '--merchant', merchantId])
  for (const event of (await shop.get('/v1/events?limit=100')).body.data.events as { eventId: string }[])
    await outputs(['events', 'show', event.eventId, '--merchant', merchantId])
})

test('what the API answers, and the stream of events', async () => {
  await outputs(['curl', 'GET', '/v1/transactions?limit=100'])
  const { code, output, errors } = await run(['listen', '--once', '--from-start', '--json'])
  assert.equal(code, 0, errors)
  assert.deepEqual(hostileIn(output), [])
  assert.ok(
    output
      .trimEnd()
      .split('\n')
      .every((line) => 'payload' in (JSON.parse(line) as object)),
  )
  assert.deepEqual(hostileIn((await run(['listen', '--once', '--from-start'])).output), [])
})

test('error messages', async () => {
  for (const text of CORPUS) {
    await outputs(['deposit', 'show', text])
    await outputs(['line', 'match', text, text])
    await outputs(['curl', 'GET', text])
    const { errors } = await run(['endpoint', 'disable', merchantId, text, '--reason', text])
    assert.deepEqual(hostileIn(errors), [])
    assert.deepEqual(hostileIn((await run([text])).errors), [])
  }
})

test('the API takes no text that turns the text around it, in names and processIds', async () => {
  for (const mark of ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069']) {
    const customer = { id: 'c-1', name: `Ayşe${mark}`, username: 'ayse' }
    assert.equal((await shop.post('/v1/deposit', depositBody({ customer }))).code, 'VALIDATION_ERROR')
    assert.equal((await shop.post('/v1/deposit', depositBody({ processId: `p${mark}` }))).code, 'VALIDATION_ERROR')
  }
  const customer = { id: 'c-1', name: 'عائشة يلماز\u200f', username: 'ayse' }
  assert.equal((await shop.post('/v1/deposit', depositBody({ customer }))).status, 201, 'names of any script stay')
})
