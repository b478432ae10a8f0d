import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import type { SandboxFacts } from '../../packages/server/src/edges/cli/core/context.ts'
import { SCENARIOS } from '../../packages/server/src/edges/cli/developer/trigger-scenarios.ts'
import { ready, vezne } from '../harness/child-process.ts'
import { openCommandLine } from '../harness/command-line.ts'

// The sandbox as `npm start` runs it, with its workers at their own pace.
const data = mkdtempSync(join(tmpdir(), 'vezne-stories-'))
const env = { VEZNE_DATA: data }
const sandbox = vezne(['up'], env)
await ready(sandbox)
const facts = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as SandboxFacts
const database = new pg.Pool({ connectionString: facts.databaseUrl })
const warm = openCommandLine(env)
after(async () => {
  warm.stop()
  await database.end()
  sandbox.process.kill('SIGTERM')
  await sandbox.exited
  rmSync(data, { recursive: true, force: true })
})

const AMOUNT = 200_000
type Told = { what: string; status?: string; event?: string; sequence?: number; at: string; callbacks?: object[] }
type Played = { story: string; transactionId: string; clockMoved: boolean; timeline: Told[] }
/** What the timeline of each story tells, in order, and how the transaction ends. */
const STORIES: Record<string, { tells: RegExp[]; ends: Record<string, unknown> }> = {
  paid: {
    tells: [/created/, /pays 2\.000,00 TL with the code/, /2\.000,00 TL credited$/],
    ends: { status: 'completed' },
  },
  short: {
    tells: [/created/, /pays 1\.600/, /1\.600,00 TL of 2\.000,00 TL are held \(.*short\)/, /pays 400,00/, /credited$/],
    ends: { status: 'completed', receivedAmount: 200_000 },
  },
  over: {
    tells: [/created/, /pays 2\.400/, /held \(.*over/, /operator says that the money is for/, /credited \(overpaid\)/],
    ends: { status: 'completed', receivedAmount: 240_000 },
  },
  codeless: {
    tells: [/created/, /without the code/, /in suspense as line \w{24} \(/, /operator finds/, /2\.000,00 TL credited$/],
    ends: { status: 'completed', flags: [] },
  },
  twice: {
    tells: [
      ...[/created/, /pays/, /credited$/, /pays/, /credited once; the second payment is not \(duplicate\)/],
      ...[/demo\.operator sends the second payment back/, /2\.000,00 TL sent back to TR\d+: completed/],
    ],
    ends: { status: 'completed', flags: ['duplicate'] },
  },
  refused: {
    tells: [/created/, /bank has the order/, /not sent \(account_closed\); the money is available again/],
    ends: { status: 'failed', failureReason: 'account_closed' },
  },
  unknown: {
    tells: [/created/, /bank has the order/, /unknown/, /bank has sent it/, /known now/],
    ends: { status: 'completed' },
  },
  returned: {
    tells: [/created/, /bank has the order/, /bank has sent it/, /recipient's bank/, /come back, and is available/],
    ends: { status: 'completed', returned: true },
  },
  late: {
    tells: [/created/, /clock moves/, /nobody has paid in time/, /pays/, /credited \(late\)/],
    ends: { status: 'completed', flags: ['late'] },
  },
}

async function playStory(story: string, merchant = 'demo'): Promise<Played> {
  const { code, output, errors } = await warm.run([
    ...['trigger', story, '--merchant', merchant, '--amount', String(AMOUNT), '--json'],
  ])
  assert.equal(code, 0, errors)
  return JSON.parse(output) as Played
}

/** Every event of the transaction is in the timeline, in order, with its callback; nothing is left to do. */
async function isWhole(story: string, played: Played, callbackState: string | null): Promise<void> {
  const { tells = [], ends = {} } = STORIES[story] ?? {}
  const told = played.timeline.filter(({ what }) => !what.startsWith('the merchant gets'))
  assert.equal(told.length, tells.length, told.map(({ what }) => what).join('\n'))
  for (const [place, words] of tells.entries()) assert.match(told[place]?.what ?? '', words, story)
  const times = played.timeline.map(({ at }) => at)
  assert.deepEqual(times, times.toSorted(), 'in the order of business time')
  const { rows } = await database.query<{ type: string; sequence: number; status: string; open: number }>(
    `select type, sequence, body::json -> 'data' ->> 'status' as status from events where transaction_id = $1 order by sequence`,
    [played.transactionId],
  )
  const events = told.flatMap(({ event: type, sequence, status }) => (type ? [{ type, sequence, status }] : []))
  assert.deepEqual(events, rows, `${story}: all events, in order`)
  const states = told.flatMap(({ callbacks = [] }) => callbacks.map((one) => (one as { state: string }).state))
  assert.deepEqual(new Set(states), new Set(callbackState === null ? [] : [callbackState]))
  const { data } = JSON.parse((await lastBody(played.transactionId)) ?? '') as { data: Record<string, unknown> }
  for (const [field, value] of Object.entries(ends)) assert.deepEqual(data[field], value, `${story}: ${field}`)
}

async function lastBody(id: string): Promise<string | undefined> {
  const { rows } = await database.query<{ body: string }>(
    'select body from events where transaction_id = $1 order by sequence desc limit 1',
    [id],
  )
  return rows[0]?.body
}

test('every story is played to its end: events, callbacks, timeline', async () => {
  const names = SCENARIOS.flatMap(({ story }) => story ?? [])
  assert.deepEqual(names.toSorted(), Object.keys(STORIES).toSorted())
  // The one that moves the clock last.
  for (const story of names.filter((one) => one !== 'late').concat('late')) {
    const played = await playStory(story)
    assert.deepEqual([played.story, played.clockMoved], [story, story === 'late'])
    await isWhole(story, played, 'delivered')
  }
})

test('another merchant plays them too, without an endpoint; one that may not call from here is told what to do', async () => {
  const made = await warm.run(['merchant', 'create', '--name', 'Kitap Evi', '--allow-ip', '127.0.0.1', '--json'])
  const { merchantId } = JSON.parse(made.output) as { merchantId: string }
  for (const story of ['paid', 'returned']) await isWhole(story, await playStory(story, merchantId), null)
  const shown = await warm.run(['trigger', 'paid', '--merchant', merchantId])
  assert.match(shown.output, /→ deposit\.completed #1, no endpoint\n[^]*npx vezne deposit show \w{24}\n$/)
  const other = await warm.run(['merchant', 'create', '--name', 'Uzak', '--allow-ip', '203.0.113.7', '--json'])
  const far = (JSON.parse(other.output) as { merchantId: string }).merchantId
  const refused = await warm.run(['trigger', 'paid', '--merchant', far])
  assert.equal(refused.code, 1)
  assert.match(refused.errors, new RegExp(`vezne merchant allow-ip ${far} 127\\.0\\.0\\.1`))
  const none = await warm.run(['trigger', 'paid', '--merchant', '6920f0aa17c3e5b2d4968f01'])
  assert.deepEqual([none.code, /merchant/.test(none.errors)], [1, true], none.errors)
})
