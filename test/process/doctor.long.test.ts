import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { compose } from '../../packages/server/src/compose.ts'
import { startWorkers } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { examine, openRunRecorder } from '../../packages/server/src/domain/doctor/index.ts'
import { checkLedger } from '../../packages/server/src/domain/ledger/index.ts'
import { listAccounts, openCollectingAccount } from '../../packages/server/src/domain/banks/index.ts'
import { selectSending } from '../../packages/server/src/domain/withdrawals/index.ts'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { bankApiConnection, rereadLine, setSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import { keepUnread, listLines, reimportUnread } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { addDays } from '../../packages/server/src/kernel/istanbul.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { tryLargeWrite } from '../../packages/server/src/domain/merchants/index.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { testConfig } from '../harness/database.ts'
import { lineFor, matchAll, someDeposits, ingest } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// Money that a bank has shown and that is not in the books: doctor fails until a person has dealt with it.
const service = await startService()
const { app } = service
const shop = await service.merchant()
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)

async function checkOf(name: string) {
  const { output, code } = await run(['doctor', '--json'])
  const { healthy, checks } = JSON.parse(output) as {
    healthy: boolean
    checks: { check: string; ok: boolean; found: string; todo?: string }[]
  }
  assert.equal(code, healthy ? 0 : 1)
  const found = checks.find(({ check }) => check === name) ?? assert.fail(`no check is named ${name}`)
  assert.ok(found.ok || !healthy, 'a failed check makes the deployment unhealthy')
  return found
}

test('incoming money that needs review: named with its sum and what to do, until a person has decided', async () => {
  const check = 'incoming money that needs review'
  assert.deepEqual(await checkOf(check), { check, ok: true, found: 'none' })
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  const line = await lineFor(app, deposit ?? assert.fail())
  await ingest(app, [line])
  await matchAll(app)
  await ingest(app, [{ ...line, valueDate: addDays(line.valueDate, -1) }])
  const { ok, found, todo } = await checkOf(check)
  assert.deepEqual([ok, found], [false, '1 (1.250,00 TL), the oldest 0 days old'])
  assert.match(todo ?? '', /vezne line list --state needs_review/)
  const [queued] = await listLines(app.db, 'needs_review', 10)
  await decideCorrection(app, UNATTRIBUTED, queued?.id ?? '', 'same_money')
  assert.deepEqual(await checkOf(check), { check, ok: true, found: 'none' })
})

test('writing: a full disk is seen although a change in place still succeeds; /readyz fails until there is space', async () => {
  assert.deepEqual(await checkOf('writing'), { check: 'writing', ok: true, found: 'works' })
  await app.db.transaction(async (tx) => {
    await tx.query(sql`create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'no space' using errcode = '53100'; end $$`)
    await tx.query(
      sql`create trigger full_disk before insert on spent_requests for each row execute function full_disk()`,
    )
  })
  const { ok, found } = await checkOf('writing')
  assert.deepEqual([ok, found], [false, "The database's disk is full."])
  const ready = async () => (await fetch(`${service.baseUrl}/readyz`)).status
  await assert.rejects(tryLargeWrite(app), /disk is full/)
  assert.equal(await ready(), 503)
  const scraped = async () => /^vezne_ready (\d)$/m.exec(await (await fetch(`${service.baseUrl}/metrics`)).text())?.[1]
  await until(scraped, (value) => value === '0')
  await assert.rejects(tryLargeWrite(app), /disk is full/)
  await app.db.transaction((tx) => tx.query(sql`drop function full_disk cascade`))
  await until(ready, (status) => status === 200)
  await until(scraped, (value) => value === '1')
})

test('statement timeout: that of the database is named, although our own sessions set it to 0', async () => {
  const check = 'statement timeout'
  assert.deepEqual(await checkOf(check), { check, ok: true, found: 'none' })
  const name = new URL(service.databaseUrl).pathname.slice(1)
  await app.db.oneStatement((tx) => tx.query(sql([`alter database "${name}" set statement_timeout = '60s'`])))
  const { found, todo } = await checkOf(check)
  assert.equal(found, '60000 ms')
  assert.match(todo ?? '', /Remove it from the role and the database/)
  await app.db.oneStatement((tx) => tx.query(sql([`alter database "${name}" reset statement_timeout`])))
})

test('money in suspense: a warning with count, sum, age and the command that lists it', async () => {
  const check = 'money in suspense'
  assert.deepEqual(await checkOf(check), { check, ok: true, found: 'none' })
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  const threeDaysAgo = new Date(app.clock.now().getTime() - 3.5 * 86_400_000)
  const line = await lineFor(app, deposit ?? assert.fail(), { narrative: 'kira', amount: 4200n })
  await ingest(app, [line, { ...line, bankReference: app.ids.next(), amount: 800n, bookedAt: threeDaysAgo }])
  await matchAll(app)
  const { ok, found, todo } = await checkOf(check)
  assert.deepEqual([ok, found], [true, '2 (50,00 TL), the oldest 3 days old'])
  assert.match(todo ?? '', /vezne line list --state suspense/)
})

test('unread lines: counted, with what to do, until they are taken in', async () => {
  const check = 'unread lines'
  assert.deepEqual(await checkOf(check), { check, ok: true, found: 'none' })
  const account = makeIban('0046', '777001')
  const line = { account, reference: 'r-1', amount: 100, direction: 'credit', valueDate: '2026-11-16' }
  const raw = JSON.stringify({ ...line, bookedAt: '2026-11-16T10:00:00Z' })
  await app.db.transaction((tx) => keepUnread(app, tx, 'test', [{ raw, why: note('unread_not_ours') }]))
  const { ok, found, todo } = await checkOf(check)
  assert.deepEqual([ok, found], [false, '1'])
  assert.match(todo ?? '', /vezne line unread --retry/)
  await openCollectingAccount(app, UNATTRIBUTED, { iban: account, title: 'Yeni Hesap A.Ş.', currency: 'TRY' })
  assert.equal(await reimportUnread(app, UNATTRIBUTED, rereadLine), 1)
  assert.deepEqual(await checkOf(check), { check, ok: true, found: 'none' })
})

test('workers: dead ones are seen within a minute, and of living ones those that stand still', async () => {
  const recordRuns = async (secondsAgo: number, ...workers: string[]) => {
    const at = new Date(app.realClock.now().getTime() - secondsAgo * 1000)
    const recorder = openRunRecorder({ ...app, realClock: { now: () => at }, host: 'worker-1' })
    for (const worker of workers) recorder.succeeded(worker, 1000)
    await recorder.record()
  }
  assert.match((await checkOf('workers')).todo ?? '', /vezne work/)
  // The ledger is checked once an hour: that it was says little about the workers of now.
  await checkLedger(app)
  await recordRuns(600, 'match-lines', 'submit-payouts', 'read-a-bank-of-the-past')
  const dead = await checkOf('workers')
  assert.deepEqual([dead.ok, dead.found], [false, 'none has run for 10 min'])
  await recordRuns(1, 'submit-payouts')
  const half = await checkOf('workers')
  assert.deepEqual([half.ok, half.found], [false, 'these stand still: match-lines'])
  await recordRuns(0, 'match-lines')
  assert.deepEqual(await checkOf('workers'), { check: 'workers', ok: true, found: '2 run' })
})

const IN_LIVE = { mode: 'live', databaseUrl: service.databaseUrl, baseUrl: null, isWorker: false } as const

test('sending record: in live a warning until a worker with a data folder has run', async () => {
  const check = 'sending record'
  const inLive = async () => (await examine(app, { ...app.config, ...IN_LIVE })).find((one) => one.check === check)
  assert.equal((await inLive())?.todo?.why, 'todo_sending')
  const folder = mkdtempSync(join(tmpdir(), 'vezne-data-'))
  const worker = compose(testConfig({ dataFolder: folder }), service.databaseUrl)
  await worker.clock.follow(worker.db, () => undefined)
  const workers = startWorkers(worker)
  try {
    await until(inLive, (found) => found?.todo === undefined, 30_000)
    assert.ok(existsSync(join(folder, 'sending.json')))
    assert.match((await checkOf(check)).found, /kept outside the database, last on /)
  } finally {
    await Promise.all(workers.map((one) => one.stop()))
    await worker.db.end()
    rmSync(folder, { recursive: true })
  }
})

test('restored: a database that is older than what was sent is named before any worker has looked', async () => {
  const check = 'restored'
  assert.deepEqual(await checkOf(check), { check, ok: true, found: 'no' })
  const { current } = await selectSending(app.db, {})
  const moveTo = (timeline: string) =>
    app.db.transaction((tx) => tx.query(sql`update sending set timeline = ${timeline}, confirmed_by = '{}'`))
  await moveTo('0000000A')
  const { ok, found, todo } = await checkOf(check)
  assert.deepEqual([ok, found], [false, 'not marked, but the database may be older than what was sent'])
  assert.match(todo ?? '', /"The database is older"/)
  await moveTo(current)
  assert.equal((await checkOf(check)).ok, true)
})

test('what does not run is named, with what to do', async () => {
  assert.equal((await checkOf('callbacks')).ok, true)
  const dead = openCommandLine({
    DATABASE_URL: service.databaseUrl,
    VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
    VEZNE_PUBLIC_URL: 'http://127.0.0.1:9',
    VEZNE_BANK_API_URL: 'http://127.0.0.1:9',
    VEZNE_BANK_API_KEY: 'a key',
  })
  const gone = bankApiConnection({ baseUrl: 'https://gone.example', key: 'k' })
  const [account] = await listAccounts(app.db)
  await setSourceOfRecord({ ...app, connections: [gone] }, UNATTRIBUTED, [account?.iban ?? ''], gone.name)
  try {
    const { output, code } = await dead.run(['doctor'])
    assert.equal(code, 1)
    assert.match(output, /FAIL {2}API: http:\/\/127\.0\.0\.1:9: .*\n +→ /)
    assert.match(output, /FAIL {2}bank \S+: .*\n +→ Check the address .*\n +VEZNE_BANK_API_URL/)
    assert.match(output, /FAIL {2}sources of record: …\d{4} bank-api:gone\.example\n +→ Nothing is booked/)
  } finally {
    dead.stop()
  }
})

test('--live names what a deployment lacks before it takes real money', async () => {
  const { output, code } = await run(['doctor', '--live'])
  assert.equal(code, 1)
  assert.match(output, /FAIL {2}mode: sandbox\n +→ A sandbox stays a sandbox: .*\n +VEZNE_MODE=live/)
  assert.match(output, /FAIL {2}least privilege: /)
  assert.match(output, /FAIL {2}two operators: /)
  assert.match(output, /FAIL {2}two admins: .*\n +→ Add a second admin: until then, one person can act as everyone/)
  assert.match(
    output,
    /FAIL {2}payout rules: none, .*\n +→ Propose rules for each merchant.*\n +vezne merchant payout-rules ID/,
  )
  assert.match(output, /warn {2}ops port: none/)
})

test('a database that refuses connections is named; a live one is not taken for the sandbox', async () => {
  const nowhere = openCommandLine({
    DATABASE_URL: 'postgres://vezne:secret@secret@127.0.0.1:9/vezne',
    VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
  })
  try {
    const { output, errors, code } = await nowhere.run(['doctor'])
    assert.equal(code, 3)
    assert.match(output, /FAIL {2}database: The database at 127\.0\.0\.1:9 refuses connections.*\n +→ /)
    assert.equal(`${output}${errors}`.match(/refuses connections/g)?.length, 1, 'said once')
    assert.doesNotMatch(errors, /sandbox|secret/)
  } finally {
    nowhere.stop()
  }
})
