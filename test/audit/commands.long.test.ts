import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openHeadWriter } from '../../packages/server/src/domain/audit/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { runSql } from '../harness/roles.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app, databaseUrl } = service
await addOperator(app, UNATTRIBUTED, 'ada.aksoy', DECIDING)
const { merchantId } = await service.merchant()

const folder = mkdtempSync(join(tmpdir(), 'vezne-audit-'))
const heads = join(folder, 'audit-heads.jsonl')
const { run, stop } = openCommandLine({
  VEZNE_DATA: folder,
  DATABASE_URL: databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(() => {
  stop()
  rmSync(folder, { recursive: true, force: true })
})
const writeHead = openHeadWriter({ ...app, auditHeads: heads })
const json = async (...args: string[]) => JSON.parse((await run([...args, '--json'])).output)
const freeze = (how: 'freeze' | 'unfreeze', why: string) =>
  run(['merchant', how, merchantId, '--why', why, '--as', 'ada.aksoy'])

test('a command is recorded with who, what, before and after, why and from where; list finds it', async () => {
  const { code, errors } = await freeze('freeze', 'suspected fraud')
  assert.equal(code, 0, errors)
  const subject = `merchant:${merchantId}`
  const { entries } = await json(
    'audit',
    'list',
    '--actor',
    'ada.aksoy',
    '--action',
    'merchant.freeze',
    '--subject',
    subject,
  )
  assert.equal(entries.length, 1)
  const shown = await json('audit', 'show', String(entries[0].number))
  assert.deepEqual(shown, entries[0])
  const { action, actor, before, after: now, reason, origin } = shown
  assert.deepEqual(
    { action, actor, before, now, reason, origin },
    {
      action: 'merchant.freeze',
      actor: 'ada.aksoy',
      before: { frozen: false },
      now: { frozen: true },
      reason: 'suspected fraud',
      origin: { edge: 'cli', host: hostname(), user: userInfo().username },
    },
  )
  const words = await run(['audit', 'show', String(shown.number)])
  assert.match(words.output, /why +suspected fraud/)
  assert.match((await run(['audit', 'list', '--since', '2001-01-01T00:00:00Z'])).output, /merchant\.freeze/)
  assert.match((await run(['audit', 'list', '--since', '2999-01-01T00:00:00Z'])).output, /No entries/)
  assert.equal((await run(['audit', 'list', '--since', 'x'])).code, 2)
  const none = await run(['audit', 'show', '99999'])
  assert.equal(none.code, 1)
  assert.match(none.errors, /There is no audit entry 99999/)
})

test('verify: intact, and every head outside is compared; a line is written only when the head is new', async () => {
  assert.match((await run(['audit', 'verify'])).output, /chain is intact: \d+ entries.*\n.*No heads to compare with/)
  await writeHead()
  await writeHead()
  await freeze('unfreeze', 'it was a mistake')
  await writeHead()
  assert.equal(readFileSync(heads, 'utf8').split('\n').length, 3)
  const { code, output } = await run(['audit', 'verify'])
  assert.equal(code, 0, output)
  assert.match(output, /2 head\(s\) of .*audit-heads\.jsonl compared/)
  const { healthy: _, checks } = await json('doctor')
  const check = checks.find((one: { check: string }) => one.check === 'audit')
  assert.equal(check.ok, true, check.found)
  assert.match(check.found, /^\d+ entries, head \d+ outside$/)
  assert.equal((await run(['audit', 'verify', '--heads', join(folder, 'none')])).code, 2)
})

/** Runs it with the triggers disabled, and returns what `audit verify` and `doctor` then say. */
async function afterwards(statement: string) {
  const tables = ['audit_entries', 'audit_head']
  const all = (how: string) => tables.map((table) => `alter table ${table} ${how} trigger user;`).join(' ')
  await runSql(
    databaseUrl,
    `create table saved_entries as table audit_entries; create table saved_head as table audit_head`,
  )
  await runSql(databaseUrl, `${all('disable')} ${statement}; ${all('enable')}`)
  const found = await run(['audit', 'verify'])
  const { checks } = await json('doctor')
  await runSql(
    databaseUrl,
    `${all('disable')} delete from audit_entries; delete from audit_head;
     insert into audit_entries table saved_entries; insert into audit_head table saved_head; ${all('enable')}
     drop table saved_entries, saved_head`,
  )
  assert.equal(found.code, 1, found.output)
  assert.equal(checks.find((one: { check: string }) => one.check === 'audit').ok, false)
  return found.output
}

/** The last entry is removed, and the chain ends before it as if it had never been. */
const CUT = `delete from audit_entries where number = (select max(number) from audit_entries);
  update audit_head set (number, hash) = (select number, hash from audit_entries order by number desc limit 1)`

test('verify: an altered entry, and a chain that was rewritten or cut as a whole, are found; exit code 1', async () => {
  const altered = await afterwards(`update audit_entries set actor = 'bora.boz' where number = 2`)
  assert.match(altered, /BROKEN: entry 2 was altered/)
  assert.match(altered, /Entries 1 to 1 are a chain/)
  assert.match(await afterwards(CUT), /BROKEN: entry \d+ is missing, but it was the newest once \(line 2 of .*restored/)
  // After a cut, another decision takes the number of the one that was removed.
  const other = `${CUT}; insert into audit_pending (at, actor, action, subject, origin) values (now(), 'x', 'y', 'z:1', '{}')`
  assert.match(await afterwards(other), /BROKEN: entry \d+ was not written by the service/)
  assert.equal((await run(['audit', 'verify'])).code, 0)
})

test('a line that a crash cut off stays one line, and is named', async () => {
  appendFileSync(heads, '{"number":')
  await freeze('freeze', 'suspected again')
  await writeHead()
  const lines = readFileSync(heads, 'utf8').split('\n')
  assert.equal(lines.length, 5)
  assert.match((await run(['audit', 'verify'])).output, /BROKEN: line 3 of .* is no head/)
  writeFileSync(heads, lines.filter((_, i) => i !== 2).join('\n'))
  assert.equal((await run(['audit', 'verify'])).code, 0)
})
