import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { DEPOSIT_STATUSES } from '../../packages/server/src/domain/deposits/index.ts'
import {
  PAYOUT_STATES,
  WITHDRAWAL_STATES,
  WITHDRAWAL_STATUSES,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { LINE_STATES } from '../../packages/server/src/domain/statements/index.ts'
import type { SandboxFacts } from '../../packages/server/src/edges/cli/core/context.ts'
import { HEALTH_STATES } from '../../packages/server/src/domain/webhooks/index.ts'
import { ready, run as runVezne, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { cloneDatabase } from '../harness/database.ts'
import { accepted } from '../harness/envelope.ts'
import { visitor } from '../harness/operator-console.ts'
import { partialIndexes, planSteps, problemsOf } from '../harness/plan-problems.ts'
import type { Recorded } from '../harness/record-statements.ts'
import { seedHistory } from '../harness/seed-history.ts'
import { storeStatements } from '../harness/store-statements.ts'

// Every statement of the API, the consoles' lists, the commands and the workers, as a sandbox sends them, and what every function of a store sends besides;
// then their plans on a database with a history. A statement that is new is in one of the two.

const data = mkdtempSync(join(tmpdir(), 'vezne-plans-'))
const file = join(data, 'statements')
const database = await cloneDatabase('empty')
const recorder = new URL('../harness/record-statements.ts', import.meta.url).href
const env = {
  VEZNE_DATA: data,
  DATABASE_URL: database.url,
  RECORD_STATEMENTS: file,
  NODE_OPTIONS: `--import ${recorder}`,
}
// Statements of migrations are not recorded: they fit no later table.
await runVezne(['migrate'], { VEZNE_DATA: data, DATABASE_URL: database.url })
const sandbox = vezne(['up'], env)
await ready(sandbox)
const { run, stop } = openCommandLine(env)
const { baseUrl, merchant, logins = [] } = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as SandboxFacts
const demo = client(baseUrl, merchant)
after(async () => {
  stop()
  sandbox.process.kill('SIGTERM')
  await sandbox.exited
  await database.drop()
  rmSync(data, { recursive: true, force: true })
})

/** `only`: the statement it is for. */
const EXCEPTIONS: { problem: RegExp; why: string; only?: RegExp }[] = [
  {
    problem:
      /(_pkey|_no_longer_pending) where .*id < .*id >= .* for \(\(created_at >= \$\d\) AND \(created_at < \$\d\)( AND \(merchant_id = \$\d\))?\)$/,
    why: 'the bounds of ids are those of the times, and the merchant is a part of the index by status',
  },
  { problem: /payouts_by_(merchant_and_)?day where .*created_at >= /, why: 'the payouts of one day' },
  { problem: /payouts_by_day for \(state = 'sent'/, why: 'most are: a page is found at once' },
  { problem: /bank_lines_pkey for \(state = 'matched'/, why: 'most are: a page is found at once' },
  {
    problem:
      /bank_lines_by_entries where .* @@ \(*search_query\(\$\d+, step\w*\.prefixes\)( && search_marked\(step\w*\.prefixes, \$\d+\)\))?\) for a page$/s,
    why: 'those of a few days, which are sorted; older days are read only if the page is not full',
  },
  {
    problem: /bank_lines_pkey where \(id >= \$1\) for/,
    why: 'a line rule is tried on small lines of 90 days, at most 50,000, on the connection of reports',
    only: /from bank_lines l where l.id >= \$1 and l.booked_at >= \$2 and l.direction/,
  },
  { problem: /of unread_lines$/, why: '`erase` searches their texts; they are few' },
  {
    problem: /(of transfers|of holds|holds_pkey for \(state = 'pending'.*)$/,
    why: '`doctor` and the check of the ledger read all of it',
    only: /with moved as|count\(distinct \(merchant_id, subject_id, kind/,
  },
  {
    problem:
      /(of transfers|transfers_by_day where .*|statements_by_day where .*|of line_parts_by_subject for .*|bank_lines_by_statement where \(statement_id IS NULL\).*)$/,
    why: 'the proof of a day reads everything since the last closed day, on the connection of reports; a statement is a row per day',
    only: /from transfers t|from day_lines/,
  },
]

/** Functions that send nothing for a stand-in. What they send is recorded from the sandbox. */
const ONLY_REAL = ['listByState', 'listLines', 'listPayouts', 'updatePayout', 'updatePayouts']

async function cli(...args: string[]): Promise<Record<string, string>> {
  const { code, output, errors } = await run([...args, '--json'])
  assert.equal(code, 0, `${args.join(' ')}: ${errors}`)
  return JSON.parse(output) as Record<string, string>
}

async function tellStories(): Promise<string[]> {
  const told: string[] = []
  for (const event of ['deposit.completed', 'deposit.cancelled', 'withdrawal.returned', 'deposit.expired'])
    told.push((await cli('trigger', event))['transactionId'] as string)
  return told
}

async function readApi(transactionId: string): Promise<void> {
  const day = 'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z'
  const lists = [
    'transactions',
    `transactions?${day}`,
    'transactions?processId=x',
    ...DEPOSIT_STATUSES.flatMap((status) => [`transactions?status=${status}`, `transactions?status=${status}&${day}`]),
    'events',
    'events?after=0',
    'events?type=deposit.completed',
    'events?type=deposit.failed&after=0',
    `events?transactionId=${transactionId}`,
    'events?state=waiting',
    'events?state=given_up',
    `transactions/${transactionId}`,
    'balance',
    'available-banks',
  ]
  for (const path of lists) accepted(await demo.get(`/v1/${path}`), 200)
  const { events } = accepted(await demo.get(`/v1/events?transactionId=${transactionId}`), 200)
  accepted(await demo.get(`/v1/events/${events[0].eventId}`), 200)
}

/** Lists, searches and timelines of both consoles. */
async function readConsoles(depositId: string, withdrawalId: string): Promise<void> {
  const all = 'from=2026-01-01&to=2030-01-01'
  const lists = (path: string, statuses: readonly string[]) => [
    `${path}${all}`,
    ...statuses.map((status) => `${path}${all}&status=${status}`),
  ]
  const texts = [
    depositId,
    withdrawalId,
    'ABCD-2345',
    'order 7',
    'TR330006100519786457841326',
    '1326',
    '500,00',
    'ayse yil',
    'ayse yil 500,00',
  ]
  const events = `/callbacks/${merchant.merchantId}`
  const pages = {
    operator: [
      ...['', '/matching', '/approvals', '/payouts', '/accounts', '/statements', '/books', '/merchants', '/banks'],
      ...lists('/transactions?kind=deposit&', DEPOSIT_STATUSES),
      ...lists('/transactions?kind=withdrawal&', WITHDRAWAL_STATUSES),
      ...[depositId, withdrawalId].map((id) => `/transactions/${id}`),
      ...texts.map((text) => `/search?q=${encodeURIComponent(text)}`),
      ...['/charts', '/people', '/own', '/system', '/callbacks', events, `${events}?state=waiting&before=9`],
      ...HEALTH_STATES.map((state) => `/callbacks?only=${state}`),
      `/callbacks?after=${merchant.merchantId}.${'0'.repeat(24)}`,
      ...['/audit', '/audit?before=3', '/audit?from=2026-01-01&to=2026-12-31&before=3'],
      ...['actor', 'action', 'subject'].map((filter) => `/audit?${filter}=merchant.create&before=3&to=2026-12-31`),
      `/audit?subject=${withdrawalId}`,
      '/unread',
    ],
    merchant: [
      ...['', '/callbacks', '/callbacks?state=waiting', '/callbacks?state=given_up', '/calls', '/balance', '/links'],
      ...lists('/deposits?', DEPOSIT_STATUSES),
      ...lists('/withdrawals?', WITHDRAWAL_STATUSES),
      ...[depositId, withdrawalId].map((id) => `/transactions/${id}`),
      ...texts.map((text) => `/search?q=${encodeURIComponent(text)}`),
      ...['/calls?result=failed', '/instructions', '/developer', '/team'],
    ],
  }
  for (const [audience, paths] of [
    ['operator', pages.operator],
    ['merchant', pages.merchant],
  ] as const) {
    const person = visitor({ baseUrl }, audience)
    const login = logins.find((one) => one.audience === audience) ?? assert.fail('no demo login')
    assert.equal((await person.logIn(login.name, login.password)).status, 303)
    for (const path of paths) {
      const { status, text } = await person.request(path)
      assert.ok(status === 200 || status === 303, `${audience}${path}: ${status} ${text}`)
    }
  }
}

async function runCommands(depositId: string, withdrawalId: string): Promise<void> {
  const commands = [
    ['deposit', 'show', depositId],
    ['withdrawal', 'show', withdrawalId],
    ...WITHDRAWAL_STATES.map((state) => ['withdrawal', 'list', '--state', state]),
    ['payout', 'list'],
    ['payout', 'list', '--without-debit'],
    ['payout', 'list', '--without-credit'],
    ...PAYOUT_STATES.map((state) => ['payout', 'list', '--state', state]),
    ['line', 'list'],
    ['line', 'unread'],
    ...LINE_STATES.map((state) => ['line', 'list', '--state', state]),
    ['journal', 'list'],
    ['events', 'list'],
    ['endpoint', 'list', 'demo'],
    ['merchant', 'list'],
    ['merchant', 'show', 'demo'],
    ['statement', 'list'],
    ['account', 'list'],
    ['bank', 'list'],
    ['find', 'ayse yilmaz'],
    ['audit', 'list'],
    ...['actor', 'action', 'subject'].map((filter) => ['audit', 'list', `--${filter}`, 'x']),
    ['audit', 'list', '--actor', 'x', '--action', 'x'],
    ['audit', 'show', '1'],
    ['audit', 'verify'],
  ]
  for (const command of commands) await cli(...command)
  // It finds something: the database of a test is not durable.
  await run(['doctor'])
}

/** Pages whose statements depend on the address. */
async function statementsOfAll(): Promise<Recorded[]> {
  const sent = readFileSync(file, 'utf8').trim().split('\n')
  const stores = await storeStatements()
  const silent = stores.filter(({ statements }) => statements.length === 0).map(({ name }) => name)
  assert.deepEqual(
    silent.toSorted(),
    ONLY_REAL,
    'a function that cannot be called with stand-ins must be run by a command',
  )
  const all = new Set([...sent, ...stores.flatMap(({ statements }) => statements.map((one) => JSON.stringify(one)))])
  return [...all]
    .map((line) => JSON.parse(line) as Recorded)
    .filter(({ text }) => /^\s*(select|insert|update|delete|with)\b/i.test(text))
}

test('no statement reads all of a table that grows, or all that a merchant has in it', async () => {
  const [depositId = '', , withdrawalId = ''] = await tellStories()
  await readApi(depositId)
  await readConsoles(depositId, withdrawalId)
  await runCommands(depositId, withdrawalId)
  // Its workers would go on with what is written below.
  sandbox.process.kill('SIGTERM')
  await sandbox.exited
  const statements = await statementsOfAll()
  const db = new pg.Client({ connectionString: database.url })
  db.on('error', () => undefined)
  await db.connect()
  await seedHistory(db, { merchantIds: [merchant.merchantId, 'another', 'third'], deposits: 10_000, until: new Date() })
  const partial = await partialIndexes(db)
  const check = async (list: Recorded[]) => {
    const found: string[] = []
    for (const statement of list)
      for (const problem of problemsOf(await planSteps(db, statement), partial))
        if (!EXCEPTIONS.some(({ problem: known, only }) => known.test(problem) && (only?.test(statement.text) ?? true)))
          found.push(`${problem}: ${statement.text}`)
    return found
  }
  assert.deepEqual(await check(statements), [], 'before anybody has counted the rows')
  await db.query('vacuum analyze')
  assert.deepEqual(await check(statements), [], 'counted')

  const lists = statements.filter(({ text }) =>
    /from deposits d\s+where d.merchant_id = \$1 .*d.status\) collate /s.test(text),
  )
  await db.query('begin')
  await db.query('drop index deposits_no_longer_pending')
  assert.match((await check(lists)).join(), /reads deposits_pkey where .* for .*status/, 'a missing index is noticed')
  await db.query('rollback')
  await db.end()
})
