import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { INBOX_WORDS } from '../../packages/server/src/edges/workers/inbox-words.ts'
import { businessDaysAgo } from '../../packages/server/src/domain/banks/index.ts'
import {
  addConnection,
  exchangeFindings,
  setSourceOfRecord,
} from '../../packages/server/src/domain/connections/index.ts'
import { importInbox } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { laterBy } from '../harness/crash.ts'
import { startService } from '../harness/service.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'

// A bank that sends files is not called, so nothing fails when it is silent or its files are wrong.

const service = await startService()
const { app } = service
const run = openCommandLineOf(service)
const folder = mkdtempSync(join(tmpdir(), 'vezne-silent-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const DAY_SECONDS = 86_400
await addConnection(app, UNATTRIBUTED, 'ziraat', { kind: 'file_exchange', folder, orders: null })
const { iban } = await openFileAccount(app)
await setSourceOfRecord(app, UNATTRIBUTED, [iban], 'ziraat')
await app.loadConnections()
const looks = new Map<string, string>()

/** As the worker does: the second look takes a file. */
async function receive(name: string, text: string): Promise<void> {
  writeFileSync(join(folder, 'inbox', name), text)
  const onOrderReport = () => Promise.reject(new Error('no report is expected'))
  for (const _look of [1, 2])
    await importInbox(app, {
      connection: 'ziraat',
      folder,
      looks,
      onOrderReport,
      words: INBOX_WORDS,
    })
}

const statement = (day: string) => camt('053', { iban, day, opening: 0, bookings: [] })

type Found = { check: string; ok: boolean; found: string; todo?: string }

async function doctor(check: string): Promise<Found> {
  const { checks } = JSON.parse((await run(['doctor', '--json'])).output) as { checks: Found[] }
  return checks.find((one) => one.check === check) ?? assert.fail(`no check is named ${check}`)
}

async function tested(check: string): Promise<Found> {
  const { checks } = JSON.parse((await run(['connection', 'test', 'ziraat', '--json'])).output) as { checks: Found[] }
  return checks.find((one) => one.check === check) ?? assert.fail(`no check is named ${check}`)
}

test('an account without a statement for more than one business day is named until one is imported', async () => {
  for (const { ok, found } of [await doctor('statements of ziraat'), await tested('statements')]) {
    assert.equal(ok, false)
    assert.match(found, new RegExp(`…${iban.slice(-4)} never`))
  }
  assert.match((await doctor('statements of ziraat')).todo ?? '', /vezne-silent-.*\/inbox, that a worker runs/)
  const day = istanbul(businessDaysAgo(app.clock.now(), 1, await app.banks.holidays())).day
  await receive('first.xml', statement(day))
  for (const { ok } of [await doctor('statements of ziraat'), await tested('statements')]) assert.equal(ok, true)
  const later = await exchangeFindings(laterBy(app, 7 * DAY_SECONDS), { name: 'ziraat', folder })
  const accounts = [{ why: 'check_account_until', facts: { account: iban.slice(-4), until: day } }]
  const found = { why: 'check_statements_late', facts: { accounts, more: 0 } }
  assert.deepEqual(later.find(({ check }) => check === 'statements')?.found, found)
})

test('the statements of a bank that sends files are not those of a bank that is read every second', async () => {
  assert.doesNotMatch((await doctor('statements')).found, /ziraat/)
})

test('files that were refused are named, until they are gone or a week old', async () => {
  assert.deepEqual([(await doctor('refused files of ziraat')).ok, (await tested('refused files')).ok], [true, true])
  await receive('a.xml', statement('2026-03-10').replace('TRY', 'T'))
  await receive('b.xml', '<nothing/>')
  for (const { ok, found } of [await doctor('refused files of ziraat'), await tested('refused files')]) {
    assert.equal(ok, false)
    assert.match(found, new RegExp(`2 in ${folder}/refused, the newest b\\.xml`))
  }
  assert.match((await doctor('refused files of ziraat')).todo ?? '', /\.report\.txt.*vezne statement import/)
  const later = await exchangeFindings(laterBy(app, 8 * DAY_SECONDS), { name: 'ziraat', folder })
  assert.equal(later.find(({ check }) => check === 'refused files')?.ok, true)
  for (const name of ['a.xml', 'b.xml']) rmSync(join(folder, 'refused', name))
  assert.equal((await doctor('refused files of ziraat')).ok, true)
})
