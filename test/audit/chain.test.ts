import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { compose } from '../../packages/server/src/compose.ts'
import type { Audit } from '../../packages/server/src/domain/audit/index.ts'
import { listAudit, notVerified, openAudit, verifyChain } from '../../packages/server/src/domain/audit/index.ts'
import { migrate } from '../../packages/server/src/platform/postgres/migrate.ts'
import type { Marks } from '../../packages/server/src/platform/crypto/marks.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { cloneDatabase, testConfig } from '../harness/database.ts'
import { startSecondProcess, startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const ada = operatorActor('ada.aksoy')

const client = new pg.Client({ connectionString: service.databaseUrl })
// The database is dropped with the service, which may be before.
client.on('error', () => undefined)
await client.connect()
after(() => client.end())

type Recording = Pick<typeof app, 'db' | 'clock' | 'marks'>
const record = (process: Recording, note: (audit: Audit) => Promise<void>) =>
  process.db.transaction((tx) => note(openAudit(process, tx, ada, 'merchant.freeze')))

const ROWS = 8
for (let i = 0; i < ROWS; i++)
  await record(app, (audit) => audit(`merchant:${i}`, { before: { n: i }, after: { n: i + 1 }, reason: 'neden: çok' }))
const count = async () => (await listAudit(app.db, {}, 100_000)).length
const all = await count()
const first = all - ROWS

/** What the owner of the database does with triggers disabled, and what is found. It is undone. */
async function tamper(statements: string, marks: Marks | null = null): Promise<string | null> {
  await client.query('begin')
  await client.query('alter table audit_entries disable trigger user; alter table audit_head disable trigger user')
  await client.query(statements)
  const found = await verifyChain({
    db: { query: async ({ text, values }) => (await client.query(text, values)).rows },
    marks,
  })
  await client.query('rollback')
  return found.problem
}

test('the chain of the database is the one that is computed here, also with Turkish letters', async () => {
  assert.equal((await verifyChain(app)).problem, null)
  assert.deepEqual(await verifyChain({ db: app.db }), { last: (await verifyChain(app)).last, problem: null })
  assert.equal((await verifyChain(app)).last.number, all)
  assert.equal(await tamper('select 1'), null)
})

const N = first + 4

test('each column of an entry that is altered is found', async () => {
  const values: Record<string, string> = {
    at: "at + interval '1 microsecond'",
    actor: "'bora.boz'",
    action: "'merchant.create'",
    subject: "'merchant:x'",
    before: `'{"n": 99}'`,
    after: 'null',
    reason: "reason || ' '",
    origin: `'{"edge": "cli"}'`,
    hash: "sha256('x')",
    previous_hash: "sha256('x')",
  }
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'audit_entries'::regclass and attnum > 0`,
  )
  assert.deepEqual(Object.keys({ number: '', mark: '', ...values }).toSorted(), rows.map(({ name }) => name).toSorted())
  for (const [column, value] of Object.entries(values)) {
    const problem = await tamper(`update audit_entries set ${column} = ${value} where number = ${N}`)
    assert.match(problem ?? '', new RegExp(`^entry ${N} was altered`), column)
  }
  assert.match((await tamper(`update audit_entries set reason = null where number = ${all}`)) ?? '', /was altered/)
})

test('an entry that someone wrote in the name of another is found, and is named as not verified', async () => {
  const forged = `insert into audit_pending (at, actor, action, subject, origin, mark)
    select now(), 'bora.boz', action, subject, origin, '0' || mark from audit_entries where number = ${all}`
  const chained = `${forged}; set constraints all immediate`
  assert.match((await tamper(chained, app.marks)) ?? '', new RegExp(`^entry ${all + 1} was not written by the service`))
  assert.equal(await tamper(chained), null)
  const unmarked = `update audit_entries set mark = null where number = ${N}`
  assert.match((await tamper(unmarked, app.marks)) ?? '', new RegExp(`^entry ${N} was not written by the service`))
  // Entries of before a key that was lost.
  assert.equal(await tamper(`update audit_entries set mark = null where number < ${N}`, app.marks), null)
  const entries = await listAudit(app.db, {}, ROWS)
  const [newest] = entries
  assert.ok(newest)
  assert.deepEqual(
    [...(await notVerified(app.marks, [...entries, { ...newest, number: all + 1, actor: 'bora.boz' }]))],
    [all + 1],
  )
})

test('a copy of an entry with its mark is refused, and found where the index is gone', async () => {
  const copied = `insert into audit_pending (at, actor, action, subject, before, after, reason, origin, mark)
    select at, actor, action, subject, before, after, reason, origin, mark from audit_entries where number = ${N};
    set constraints all immediate`
  await assert.rejects(client.query(`begin; ${copied}`), { constraint: 'audit_entries_mark_once' })
  await client.query('rollback')
  const found = await tamper(`drop index if exists audit_entries_mark_once; ${copied}`, app.marks)
  assert.match(found ?? '', new RegExp(`^entry ${all + 1} was not written by the service`))
})

test('without a key for marks no entry is written', async () => {
  const { url, drop } = await cloneDatabase('empty')
  after(drop)
  const early = compose(testConfig(), url)
  after(() => early.db.end())
  await migrate(early)
  await assert.rejects(
    record(early, (audit) => audit('merchant:1')),
    /has no key for the marks of rows/,
  )
  assert.deepEqual(await listAudit(early.db, {}, 10), [])
})

test('an entry that is removed is found: the first, one between, the last, and all', async () => {
  const remove = (which: string) => tamper(`delete from audit_entries where number ${which}`)
  assert.match((await remove('= 1')) ?? '', /^entry 1 is missing/)
  assert.match((await remove(`= ${N}`)) ?? '', new RegExp(`^entry ${N} is missing`))
  assert.match((await remove(`in (${N}, ${N + 1})`)) ?? '', new RegExp(`^entry ${N} to ${N + 1} are missing`))
  assert.match((await remove(`= ${all}`)) ?? '', new RegExp(`^entry ${all} is missing at the end`))
  assert.match((await remove('> 0')) ?? '', new RegExp(`^entries 1 to ${all} are missing at the end`))
})

test('entries that are swapped, renumbered, inserted or rewritten are found', async () => {
  const swap = `update audit_entries set number = -number where number in (${N}, ${N + 1})`
  const without = 'alter table audit_entries drop constraint audit_entries_from_one;'
  const swapped = `${without} ${swap}; update audit_entries set number = case -number when ${N} then ${N + 1} else ${N} end where number < 0`
  assert.match((await tamper(swapped)) ?? '', new RegExp(`^entry ${N} was altered, or exchanged`))
  const renumbered = `delete from audit_entries where number = ${N}; update audit_entries set number = number - 1 where number > ${N}`
  const oneByOne = renumbered.replace(
    'update',
    `${without} alter table audit_entries drop constraint audit_entries_pkey; update`,
  )
  assert.match((await tamper(oneByOne)) ?? '', new RegExp(`^entry ${N} was altered`))
  const columns = 'at, actor, action, subject, before, after, reason, origin, previous_hash, hash'
  const inserted = `insert into audit_entries (number, ${columns}) select ${all + 1}, ${columns} from audit_entries where number = ${all}`
  assert.match((await tamper(inserted)) ?? '', new RegExp(`^entry ${all + 1} was altered`))
  // As far as a forger gets who computes the hash of the altered entry anew, but not those of all that follow.
  const hash = (number: number, actor: string) => `sha256(previous_hash || convert_to(audit_field('${number}')
    || audit_field(to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) || audit_field('${actor}') || audit_field(action)
    || audit_field(subject) || audit_field(before::text) || audit_field(after::text) || audit_field(reason)
    || audit_field(origin::text), 'UTF8'))`
  const forge = (number: number) =>
    `update audit_entries set actor = 'bora.boz', hash = ${hash(number, 'bora.boz')} where number = ${number}`
  assert.match((await tamper(forge(N))) ?? '', new RegExp(`^entry ${N + 1} does not follow entry ${N}`))
  assert.match((await tamper(forge(all))) ?? '', new RegExp(`^entry ${all} or audit_head was altered`))
  assert.match((await tamper('update audit_head set number = number - 1')) ?? '', /was inserted past the chain/)
  const unchained = `alter table audit_pending disable trigger user;
    insert into audit_pending (at, actor, action, subject, origin) values (now(), 'x', 'y', 'z', '{}')`
  assert.match((await tamper(unchained)) ?? '', /^1 entries in audit_pending were never chained/)
})

test('with its triggers the tables take no change, and no row but by the chain', async () => {
  const refused = [
    'update audit_entries set reason = null',
    'delete from audit_entries',
    'truncate audit_entries',
    'update audit_head set number = 0',
    'delete from audit_head',
    'truncate audit_head',
  ]
  for (const statement of refused) await assert.rejects(client.query(statement), /append-only/, statement)
})

test('200 decisions of two processes at once: numbered without gaps; those that are rolled back leave none', async () => {
  const before = await count()
  const other = await startSecondProcess(service)
  const both = Array.from({ length: 200 }, async (_, i) => {
    const work = record(i % 2 === 0 ? app : other, async (audit) => {
      await audit(`merchant:r${i}`, { after: { i } })
      if (i % 10 === 9) throw new Error('rolled back')
    })
    return work.then(
      () => true,
      () => false,
    )
  })
  const saved = (await Promise.all(both)).filter(Boolean).length
  assert.equal(saved, 180)
  assert.equal(await count(), before + saved)
  const { last, problem } = await verifyChain(app)
  assert.equal(problem, null)
  assert.equal(last.number, before + saved)
})

test('several entries of one transaction follow each other; a decision holds the head only while it commits', async () => {
  const { number } = (await verifyChain(app)).last
  const { promise: untilOther, resolve: otherIsDone } = Promise.withResolvers<void>()
  const slow = record(app, async (audit) => {
    await audit('merchant:a')
    await audit('merchant:b')
    await untilOther
  })
  // Another one commits while the first is open.
  await record(app, (audit) => audit('merchant:c'))
  otherIsDone()
  await slow
  const made = (await listAudit(app.db, {}, 1000)).filter((one) => one.number > number)
  const byNumber = made.toSorted((a, b) => a.number - b.number)
  assert.deepEqual(
    byNumber.map(({ subject }) => subject),
    ['merchant:c', 'merchant:a', 'merchant:b'],
  )
  assert.equal((await verifyChain(app)).problem, null)
})

test('IBANs are masked, amounts are text, and what PostgreSQL cannot store is left out', async () => {
  const iban = 'TR620006200029500006291296'
  await record(app, (audit) =>
    audit('account:1', {
      after: { iban, amount: 5n, odd: 'a\0\ud800' },
      reason: `of TR62 0006 2000 2950 0006 2912 96.`,
    }),
  )
  const [entry] = await listAudit(app.db, { subject: 'account:1' }, 1)
  assert.deepEqual(entry?.after, { iban: 'TR62…1296', amount: '5', odd: 'a\ufffd' })
  assert.equal(entry?.reason, 'of TR62…1296.')
})

test('entries that a copy of the data brings along are not chained again', async () => {
  // As a restored dump writes them, with triggers in place.
  const columns = 'number, at, actor, action, subject, before, after, reason, origin, previous_hash, hash'
  await client.query('begin')
  await client.query(`create temp table copied as select ${columns} from audit_entries;
    alter table audit_entries disable trigger user; delete from audit_entries; alter table audit_entries enable trigger user;
    insert into audit_entries (${columns}) select ${columns} from copied`)
  await client.query('commit')
  assert.equal((await verifyChain(app)).problem, null)
})
