import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { listAccounts, openCollectingAccount } from '../../packages/server/src/domain/banks/index.ts'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { bankApiConnection, rereadLine, setSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import { keepUnread, listLines, reimportUnread } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { addDays } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { lineFor, matchAll, someDeposits, ingest } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

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

test('writing: a full disk is seen although a change in place still succeeds', async () => {
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
  await app.db.transaction((tx) => tx.query(sql`drop function full_disk cascade`))
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
  await app.db.transaction((tx) => keepUnread(app, tx, 'test', [{ raw, why: 'not one of our accounts' }]))
  const { ok, found, todo } = await checkOf(check)
  assert.deepEqual([ok, found], [false, '1'])
  assert.match(todo ?? '', /vezne line unread --retry/)
  await openCollectingAccount(app, UNATTRIBUTED, { iban: account, title: 'Yeni Hesap A.Ş.', currency: 'TRY' })
  assert.equal(await reimportUnread(app, UNATTRIBUTED, rereadLine), 1)
  assert.deepEqual(await checkOf(check), { check, ok: true, found: 'none' })
})

test('what does not run is named, with what to do', async () => {
  assert.match((await checkOf('workers')).todo ?? '', /vezne work/)
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
    assert.match(output, /FAIL {2}bank \S+: .*\n +→ Check VEZNE_BANK_API_URL/)
    assert.match(output, /FAIL {2}sources of record: …\d{4} bank-api:gone\.example\n +→ Nothing is booked/)
  } finally {
    dead.stop()
  }
})

test('--live names what a deployment lacks before it takes real money', async () => {
  const { output, code } = await run(['doctor', '--live'])
  assert.equal(code, 1)
  assert.match(output, /FAIL {2}mode: sandbox\n +→ A sandbox stays one: .*VEZNE_MODE=live/)
  assert.match(output, /FAIL {2}least privilege: /)
  assert.match(output, /FAIL {2}two operators: /)
  assert.match(output, /FAIL {2}two admins: .*\n +→ Until there is a second admin, one person alone can be everyone/)
  assert.match(output, /warn {2}ops port: none/)
})

test('a database that refuses connections is named; a live one is not taken for the sandbox', async () => {
  const nowhere = openCommandLine({
    DATABASE_URL: 'postgres://vezne:secret@secret@127.0.0.1:9/vezne',
    VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
  })
  try {
    const { errors, code } = await nowhere.run(['doctor'])
    assert.equal(code, 3)
    assert.match(errors, /The database at 127\.0\.0\.1:9 refuses connections/)
    assert.doesNotMatch(errors, /sandbox|secret/)
  } finally {
    nowhere.stop()
  }
})
