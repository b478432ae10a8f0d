import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { openDb } from '../../packages/server/src/platform/postgres/db.ts'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { readPostmaster } from '../../packages/server/src/platform/embedded-postgres/postgres-processes.ts'
import { openLog } from '../../packages/server/src/platform/log.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { Child } from '../harness/child-process.ts'
import { ready, run, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { accepted } from '../harness/envelope.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { until } from '../harness/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-backup-'))
const data = join(folder, 'data')
const env = { VEZNE_DATA: data }
const backup = join(folder, 'backup.tar.gz')
let service: Child = vezne(['up'], env)
await ready(service)

after(async () => {
  warm.stop()
  service.process.kill('SIGTERM')
  await service.exited
  rmSync(folder, { recursive: true, force: true })
})

async function stop(): Promise<void> {
  service.process.kill('SIGTERM')
  await service.exited
}

async function start(): Promise<void> {
  service = vezne(['up'], env)
  await ready(service)
}

function shop() {
  const { baseUrl, merchant } = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8'))
  return client(baseUrl, merchant)
}

const warm = openCommandLine(env)

async function command<Result>(...args: string[]): Promise<Result> {
  const alone = args[0] === 'backup' || args[0] === 'restore'
  const { code, output, errors } = await (alone ? run : warm.run)([...args, '--json'], env)
  assert.equal(code, 0, errors)
  return JSON.parse(output) as Result
}

const balance = async () => accepted(await shop().get('/v1/balance'), 200).balances as unknown
const stateOf = async (id: string) =>
  (await command<{ withdrawal: { state: string } }>('withdrawal', 'show', id)).withdrawal.state

/** What a restored data folder holds, without a service on it. */
async function look<Found>(dataFolder: string, at: (db: ReturnType<typeof openDb>) => Promise<Found>): Promise<Found> {
  const postgres = await startEmbeddedPostgres(dataFolder)
  const db = openDb({ url: postgres.url, log: openLog('silent') })
  try {
    return await at(db)
  } finally {
    await db.end()
    await postgres.stop()
  }
}

test('backup under load: all that was acknowledged before is in it, and the books hold where it is restored', async () => {
  const acknowledged = new Set<string>()
  let enough = false
  const one = async (): Promise<void> => {
    while (!enough) {
      const { status, body } = await shop().post('/v1/deposit', depositBody())
      // Too fast for the limit of requests.
      if (status === 429) continue
      assert.equal(status, 201)
      const { transactionId } = body.data
      acknowledged.add(transactionId)
      // A merchant may have a thousand open ones.
      await shop().post(`/v1/transactions/${transactionId}/cancel`, undefined)
    }
  }
  await command('sim', 'fund', 'demo', '1000000')
  const writers = Array.from({ length: 4 }, one)
  await until(
    async () => acknowledged.size,
    (size) => size > 100,
  )
  const before = [...acknowledged]
  await command('backup', backup, '--with-key')
  enough = true
  await Promise.all(writers)
  assert.ok(acknowledged.size > before.length, 'nothing was written meanwhile')
  assert.equal(statSync(backup).mode & 0o777, 0o600)

  const elsewhere = join(folder, 'elsewhere')
  const { code, errors } = await run(['restore', backup], { VEZNE_DATA: elsewhere })
  assert.equal(code, 0, errors)
  assert.equal(readFileSync(join(elsewhere, 'master.key'), 'utf8'), readFileSync(join(data, 'master.key'), 'utf8'))
  await look(elsewhere, async (db) => {
    const rows = await db.query<{ id: string }>(sql`select id from deposits where id = any(${before}::text[])`)
    assert.equal(rows.length, before.length)
    assert.deepEqual(await findDrift(db), [])
    const [held] = await db.query<{ count: number }>(sql`select count(*)::int from restores where released_at is null`)
    assert.equal(held?.count, 1)
  })
})

test('restore: a damaged archive, one without its key, a database in the way and a running one change nothing', async () => {
  const target = join(folder, 'refused')
  const refusal = async (file: string, where: string, ...options: string[]) => {
    const { code, errors } = await run(['restore', file, ...options], { VEZNE_DATA: where })
    assert.ok(code === 1 || code === 2, `code ${code}`)
    return errors
  }
  const bytes = readFileSync(backup)
  const damaged = join(folder, 'damaged.tar.gz')
  writeFileSync(damaged, bytes.subarray(0, bytes.length - 5000))
  assert.match(await refusal(damaged, target), /not a complete backup.*Nothing was changed/s)
  const middle = Math.floor(bytes.length / 2)
  // Not one bit: in a run of zeros gzip may unpack to the same bytes.
  for (let at = middle; at < middle + 64; at += 1) bytes.writeUInt8((bytes[at] ?? 0) ^ 0xff, at)
  writeFileSync(damaged, bytes)
  assert.match(await refusal(damaged, target), /not a complete backup/)
  const keyless = join(folder, 'keyless.tar.gz')
  await command('backup', keyless)
  assert.match(await refusal(keyless, target), /VEZNE_MASTER_KEY is missing/)
  assert.equal(existsSync(target), false)
  assert.match(await refusal(backup, join(folder, 'elsewhere')), /There is a database/)
  assert.match(await refusal(backup, data, '--force'), /Stop the service first/)
  assert.match((await run(['backup', backup], env)).errors, /There is a file/)
})

test('restore: the same backup again and again, and each database that was there is kept', async () => {
  const elsewhere = join(folder, 'elsewhere')
  for (const _ of [1, 2]) {
    const { code, errors } = await run(['restore', backup, '--force'], { VEZNE_DATA: elsewhere })
    assert.equal(code, 0, errors)
  }
  const kept = readdirSync(elsewhere).filter((name) => name.includes('.before-'))
  assert.deepEqual(kept.map((name) => name.replace(/-.*/, '')).toSorted(), [
    'postgres.before',
    'postgres.before',
    'postgres.password.before',
    'postgres.password.before',
  ])
})

test('restore: after kill -9 of the service its PostgreSQL is stopped, and the restore goes on', async () => {
  const killed = { VEZNE_DATA: join(folder, 'killed') }
  assert.equal((await run(['restore', backup], killed)).code, 0)
  const child = vezne(['up'], killed)
  await ready(child)
  child.process.kill('SIGKILL')
  await child.exited
  assert.match((await run(['restore', backup], killed)).errors, /There is a database.*--force/)
  assert.ok(readPostmaster(join(killed.VEZNE_DATA, 'postgres')), 'a refused restore leaves it running')
  const { code, errors } = await run(['restore', backup, '--force'], killed)
  assert.equal(code, 0, errors)
  assert.equal(readPostmaster(join(killed.VEZNE_DATA, 'postgres')), null)
  assert.equal(await look(killed.VEZNE_DATA, async (db) => (await findDrift(db)).length), 0)
})

test('paid after the backup: after the restore it is found at the bank, settled, and paid once', async () => {
  for (const name of ['ada.aksoy', 'bora.boz'])
    await command('operator', 'add', name, '--role', 'admin', '--role', 'approver')
  await command('merchant', 'payout-rules', 'demo', '--approve-from', '5000')
  const id = accepted(await shop().post('/v1/withdraw', withdrawBody()), 201).transactionId as string
  await until(
    () => stateOf(id),
    (state) => state === 'awaiting_approval',
  )
  const { seen } = await command<{ seen: string }>('withdrawal', 'show', id)
  const approve = (name: string) => command('withdrawal', 'approve', id, '--seen', seen, '--as', name)
  const approval = async () =>
    (await command<{ proposals: { target: string; state: string }[] }>('proposal', 'list', '--all')).proposals.find(
      ({ target }) => target === `withdrawal:${id}`,
    )?.state
  await approve('ada.aksoy')
  const moment = join(folder, 'moment.tar.gz')
  await command('backup', moment)
  await approve('bora.boz')
  await until(
    () => stateOf(id),
    (state) => state === 'sent',
  )
  const paid = await balance()
  await stop()
  await command('restore', moment, '--force')
  await start()
  const doctor = await warm.run(['doctor'])
  assert.match(doctor.output, /FAIL {2}restored/)
  // The heads of the audit belong to the database that was replaced, and are kept with it.
  assert.match(doctor.output, /ok {4}audit: /)
  assert.ok(readdirSync(data).some((name) => name.startsWith('audit-heads.jsonl.before-')))
  assert.deepEqual([await stateOf(id), await approval()], ['awaiting_approval', 'open'])
  const check = await command<{ settled: string[] }>('restore-check', '--release')
  assert.deepEqual(check.settled, [id])
  assert.deepEqual([await stateOf(id), await approval()], ['sent', 'expired'])
  assert.deepEqual(await balance(), paid)
  const { bankUrl, bankKey } = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8'))
  const ledger = await fetch(`${bankUrl}/api/ledger/transfers`, { headers: { authorization: `Bearer ${bankKey}` } })
  const { transfers } = (await ledger.json()) as { transfers: { reference: string }[] }
  assert.equal(transfers.filter(({ reference }) => reference === id).length, 1)

  assert.match((await warm.run(['restore-check'])).errors, /No restore is waiting/)
  await command('restored', '--at', new Date(Date.now() - 1000).toISOString())
  const held = accepted(await shop().post('/v1/withdraw', withdrawBody()), 201).transactionId as string
  const shown = await command<{ withdrawal: object }>('withdrawal', 'show', held)
  assert.partialDeepStrictEqual(shown.withdrawal, { state: 'queued', stateReason: 'restored' })
  const { output } = await warm.run(['restore-check'])
  assert.match(output, new RegExp(`^${held} .* 100,00 TL .* never_seen +is sent$`, 'm'))
  assert.match(output, /Ready/)
  await command('restore-check', '--release')
})
