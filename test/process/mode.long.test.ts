import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { run } from '../harness/child-process.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { cloneDatabase, testConfig } from '../harness/database.ts'
import { runSql } from '../harness/roles.ts'

const data = mkdtempSync(join(tmpdir(), 'vezne-mode-'))
after(() => rmSync(data, { recursive: true, force: true }))

const sandbox = (url: string) => ({
  VEZNE_DATA: data,
  DATABASE_URL: url,
  VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
})
const live = (url: string) => ({ ...sandbox(url), VEZNE_MODE: 'live', VEZNE_PUBLIC_URL: 'https://pay.example' })

async function database(kind: 'seeded' | 'empty'): Promise<string> {
  const { url, drop } = await cloneDatabase(kind)
  after(drop)
  return url
}

const WITHOUT_HOUSE = `select count(*)::int as n from merchants where id <> repeat('0', 24)`
const merchants = async (url: string) => (await runSql(url, WITHOUT_HOUSE))[0]?.['n']
const IS_LIVE = /VEZNE_MODE is sandbox, but the database is live.*Set VEZNE_MODE=live/s

test('a database that was made live refuses every role and every command without VEZNE_MODE=live', async () => {
  const url = await database('empty')
  const made = await run(['migrate'], live(url))
  assert.equal(made.code, 0, made.errors)
  for (const role of ['serve', 'work', 'up', 'migrate']) {
    const { code, errors } = await run([role], { ...sandbox(url), VEZNE_MIGRATE: role === 'serve' ? 'off' : 'on' })
    assert.equal(code, 2, `${role}: ${errors}`)
    assert.match(errors, IS_LIVE, role)
  }
  assert.equal(await merchants(url), 0, 'no demo merchant')
  const { run: command, stop } = openCommandLine(sandbox(url))
  after(stop)
  const id = '6920f1c2a4b8d0e6f1a2b3c4'
  for (const args of [
    ['sim', 'fund', id, '100'],
    ['merchant', 'create', '--name', 'Yeni'],
    ['withdrawal', 'list'],
    ['operator', 'add', 'ayse.yilmaz', '--role', 'admin'],
    ['doctor'],
  ]) {
    const { code, errors } = await command(args)
    assert.equal(code, 2, `${args.join(' ')}: ${errors}`)
    assert.match(errors, IS_LIVE, args.join(' '))
  }
  assert.equal(await merchants(url), 0)
  assert.equal((await run(['migrate'], live(url))).code, 0, 'live starts on')
})

test('a database of a sandbox refuses live', async () => {
  const url = await database('seeded')
  for (const args of [['serve'], ['operator', 'list'], ['doctor']]) {
    const { code, errors } = await run(args, live(url))
    assert.equal(code, 2, errors)
    assert.match(errors, /VEZNE_MODE is live, but the database belongs to a sandbox.*Use another database/s)
  }
})

test('the mode cannot be changed, and no demo merchant can be added to a live database', async () => {
  const url = await database('empty')
  assert.equal((await run(['migrate'], live(url))).code, 0)
  await assert.rejects(runSql(url, "update deployment set mode = 'sandbox'"), /append-only/)
  await assert.rejects(runSql(url, 'delete from deployment'), /append-only/)
  const demo = `insert into merchants (id, name, demo, requests_per_second, created_at) values ('d', 'Demo', true, 1, now())`
  await assert.rejects(runSql(url, demo), /merchants_no_demo_in_live/)
})

test('without a mode in the database nothing starts: the owner migrates first', async () => {
  const url = await database('seeded')
  await runSql(url, 'set session_replication_role = replica; delete from deployment')
  for (const args of [['serve'], ['operator', 'list']]) {
    const { code, errors } = await run(args, { ...sandbox(url), VEZNE_MIGRATE: 'off' })
    assert.equal(code, 2, errors)
    assert.match(errors, /does not say whether it is live.*vezne migrate/s)
  }
})
