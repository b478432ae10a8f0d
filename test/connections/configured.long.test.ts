import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { resealRows } from '../../packages/server/src/platform/postgres/sealed-rows.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openVault } from '../../packages/server/src/platform/crypto/vault.ts'
import { secureRandom } from '../../packages/server/src/platform/crypto/random.ts'
import { findAccount, listAccounts, openCollectingAccount } from '../../packages/server/src/domain/banks/index.ts'
import type { KindName, TermsOf } from '../../packages/server/src/domain/proposals/index.ts'
import { approveProposal, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import {
  addConnection,
  changeConnection,
  connectionSecrets,
  disableConnection,
  fillSourceOfRecord,
  listFileExchanges,
  manualConnection,
  selectConnections,
} from '../../packages/server/src/domain/connections/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startSecondProcess, startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const run = openCommandLineOf(service)
const bank = await startPlainBank()
const folder = mkdtempSync(join(tmpdir(), 'vezne-connections-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const KEY = 'sk-very-secret-1'
const keyFile = join(folder, 'bank.key')
writeFileSync(keyFile, `${KEY}\n`)

const add = (name: string, ...more: string[]) => run(['connection', 'add', name, ...more])
const addApi = (name: string, url = bank.connection.baseUrl) =>
  add(name, '--kind', 'http-api', '--url', url, '--key-file', keyFile)
const names = () => app.connections.map(({ name }) => name)

test('a bank API is added, listed and shown with its history; its key is sealed and never shown', async () => {
  const added = await addApi('garanti')
  assert.deepEqual([added.code, added.errors], [0, ''])
  const [list, show] = [await run(['connection', 'list']), await run(['connection', 'show', 'garanti', '--json'])]
  assert.match(list.output, /garanti +http-api +enabled +0 +http:\/\/127\.0\.0\.1/)
  const shown = JSON.parse(show.output) as { changes: { what: string; details: object }[] }
  const details = { kind: 'http_api', url: bank.connection.baseUrl, key: 'set' }
  assert.deepEqual(
    shown.changes.map((change) => [change.what, change.details]),
    [['connection.add', details]],
  )
  const rows = await app.db.query(sql`
    select n::text as text from connections n union all select e::text from audit_entries e`)
  for (const text of [added.output, list.output, show.output, JSON.stringify(rows)]) assert.ok(!text.includes(KEY))
  assert.match((await addApi('garanti')).errors, /There is already a connection garanti/)
})

test('wrong names, kinds and options are refused with what to do', async () => {
  const refusals: [string[], RegExp][] = [
    [['Garanti', '--kind', 'manual'], /lower-case letters/],
    [['teb', '--kind', 'manual'], /must begin with manual- for a manual connection, such as manual-teb/],
    [['manual-x', '--kind', 'file-exchange', '--folder', folder], /must not begin with manual/],
    [['teb', '--kind', 'http-api', '--url', 'http://x.example'], /needs --url and --key-file/],
    [['teb', '--kind', 'http-api', '--url', 'http://me:pw@x.example', '--key-file', keyFile], /without user/],
    [['teb', '--kind', 'http-api', '--url', 'http://x.example', '--key-file', '/none'], /--key-file: ENOENT/],
    [['teb', '--kind', 'manual', '--url', 'http://x.example'], /--url is not for kind manual/],
    [['teb', '--kind', 'file-exchange', '--folder', folder, '--orders', keyFile], /is not a JSON object/],
  ]
  for (const [args, why] of refusals) {
    const { code, errors } = await add(...(args as [string, ...string[]]))
    assert.notEqual(code, 0)
    assert.match(errors, why)
    assert.ok(!errors.includes(KEY))
  }
})

test('a process notices what is added, changed, disabled and enabled; what is unchanged stays the same object', async () => {
  const other = await startSecondProcess(service)
  await Promise.all([app.loadConnections(), other.loadConnections()])
  assert.deepEqual(names(), ['garanti'])
  const before = app.connections[0]
  await app.loadConnections()
  assert.equal(app.connections[0], before)
  await run(['connection', 'change', 'garanti', '--key-file', keyFile])
  await app.loadConnections()
  assert.notEqual(app.connections[0], before)
  assert.equal((await app.connections[0]?.statement(''))?.outcome, 'read')
  assert.equal((await run(['connection', 'disable', 'garanti', '--reason', 'maintenance'])).code, 0)
  await Promise.all([app.loadConnections(), other.loadConnections()])
  assert.deepEqual([names(), other.connections], [[], []])
  assert.match((await run(['connection', 'disable', 'garanti', '--reason', 'again'])).errors, /already disabled/)
  await run(['connection', 'enable', 'garanti'])
  await app.loadConnections()
  assert.deepEqual(names(), ['garanti'])
})

test('one that is not configured here can be disabled too, and comes back; its settings stay where they are', async () => {
  app.connections.push(manualConnection)
  await app.db.transaction((tx) =>
    tx.query(sql`insert into connections (name, kind, created_at) values ('manual', 'manual', now())`),
  )
  await run(['connection', 'disable', 'manual', '--reason', 'a test'])
  await app.loadConnections()
  await app.loadConnections()
  assert.deepEqual(names(), ['garanti'])
  await run(['connection', 'enable', 'manual'])
  await app.loadConnections()
  assert.deepEqual(names().toSorted(), ['garanti', 'manual'])
  const changed = await run(['connection', 'change', 'manual', '--url', 'http://x.example'])
  assert.match(changed.errors, /its settings are in the environment/)
  app.connections.splice(app.connections.indexOf(manualConnection), 1)
})

test('the secret opens in its own row only, and only for the address it was given for; others are not affected', async () => {
  await addApi('second')
  const change = (what: ReturnType<typeof sql>) => app.db.transaction((tx) => tx.query(what))
  await change(sql`update connections set settings = '{"url": "http://127.0.0.1:9"}' where name = 'second'`)
  await app.loadConnections()
  assert.deepEqual(names(), ['garanti'])
  assert.match(
    (await run(['doctor'])).output,
    /FAIL {2}connection second: The address of connection second was changed/,
  )
  assert.match((await run(['connection', 'test', 'second'])).errors, /was changed in the database/)
  await run(['connection', 'change', 'second', '--url', bank.connection.baseUrl])
  await app.loadConnections()
  assert.deepEqual(names(), ['garanti', 'second'])
  await change(sql`
    update connections set sealed = (select sealed from connections where name = 'garanti') where name = 'second'`)
  await app.loadConnections()
  assert.deepEqual(names(), ['garanti'])
  await run(['connection', 'change', 'second', '--url', bank.connection.baseUrl, '--key-file', keyFile])
  await app.loadConnections()
  assert.deepEqual(names(), ['garanti', 'second'])
})

test('rotating the master key seals the keys of connections again', async () => {
  const oldKey = app.config.masterKey
  const newKey = Buffer.from(secureRandom().bytes(32))
  const rotating = openVault(newKey, secureRandom(), oldKey)
  const { resealed, unopened } = await resealRows({ db: app.db, vault: rotating }, [connectionSecrets], () => undefined)
  assert.deepEqual([resealed, unopened], [2, []])
  const back = openVault(oldKey, secureRandom(), newKey)
  assert.equal((await resealRows({ db: app.db, vault: back }, [connectionSecrets], () => undefined)).resealed, 2)
  assert.match((await run(['master-key', 'check'])).output, /VEZNE_MASTER_KEY/)
})

test('a file exchange has its private folders, its profile, and a folder of its own', async () => {
  const place = join(folder, 'ziraat')
  const profile = join(folder, 'profile.json')
  writeFileSync(profile, '{"format": "pain.001"}')
  const wrong = await add('ziraat', '--kind', 'file-exchange', '--folder', place, '--orders', profile)
  assert.match(wrong.errors, /--orders: .*format must be one of/)
  writeFileSync(profile, '{"format": "pain.001.001.09"}')
  const added = await add('ziraat', '--kind', 'file-exchange', '--folder', place, '--orders', profile)
  assert.deepEqual([added.code, added.errors], [0, ''])
  for (const name of ['inbox', 'outbox', 'done', 'refused', 'staging'])
    assert.equal(statSync(join(place, name)).mode & 0o777, 0o700)
  await app.loadConnections()
  const connection = app.connections.find(({ name }) => name === 'ziraat')
  assert.deepEqual([connection?.kind, (await connection?.statement(''))?.outcome], ['file_exchange', 'unreachable'])
  const inside = await add('inside', '--kind', 'file-exchange', '--folder', join(place, 'inbox'))
  assert.match(inside.errors, /is the folder of connection ziraat, or one of the two is inside/)
  assert.deepEqual(readdirSync(join(place, 'inbox')), [])
  assert.match((await add('nowhere', '--kind', 'file-exchange', '--folder', keyFile)).errors, /folder cannot be used/)
  assert.match(
    (await run(['connection', 'change', 'ziraat', '--url', 'http://x.example'])).errors,
    /Only the layout of order files of connection .* can be changed.*\n  --orders FILE/,
  )
})

test('a connection test of a file exchange says what waits in its folders, and which folder is wrong', async () => {
  const place = join(folder, 'ziraat')
  writeFileSync(join(place, 'inbox', 'today.xml'), '<a/>')
  const fine = await run(['connection', 'test', 'ziraat'])
  assert.deepEqual([fine.code, fine.errors], [0, ''])
  assert.match(fine.output, /ok +inbox: 1 file\(s\): today\.xml/)
  rmSync(join(place, 'outbox'), { recursive: true })
  const wrong = await run(['connection', 'test', 'ziraat'])
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /FAILED +outbox: .*ENOENT/)
})

test('a new address does not take the key of the old one along', async () => {
  const shown = async () => (await run(['connection', 'show', 'second', '--json'])).output
  const before = await shown()
  const moved = await run(['connection', 'change', 'second', '--url', 'http://127.0.0.1:9'])
  assert.deepEqual([moved.code, /key is missing/.test(moved.errors)], [1, true], moved.errors)
  assert.equal(await shown(), before)
  const both = await run(['connection', 'change', 'second', '--url', 'http://127.0.0.1:9', '--key-file', keyFile])
  assert.equal(both.code, 0, both.errors)
})

test('live: two people add a connection and change its address or key; one disables it; the proposal keeps no key', async () => {
  const live = (await startService({ mode: 'live', publicUrl: 'https://pay.example' })).app
  await addOperator({ ...live, sandbox: true }, operatorActor('ayse.yilmaz'), 'mehmet.kaya', DECIDING)
  const [ayse, mehmet] = [operatorActor('ayse.yilmaz'), operatorActor('mehmet.kaya')]
  const api = (url: string) => ({ kind: 'http_api' as const, url, key: KEY })
  const propose = async <Name extends KindName>(kind: Name, terms: TermsOf<Name>) => {
    const asked = await makeProposal(live, ayse, kind, terms)
    return asked.state === 'open' ? asked.proposal : assert.fail(asked.state)
  }
  const byTwo = async <Name extends KindName>(kind: Name, terms: TermsOf<Name>) => {
    const { id, seenSha256 } = await propose(kind, terms)
    await approveProposal(live, mehmet, id, seenSha256)
  }
  const addresses = async () =>
    (await selectConnections(live.db)).flatMap(({ name, settings }) => (settings ? [[name, settings['url']]] : []))
  await assert.rejects(makeProposal(live, ayse, 'connection.add', { name: 'teb', given: api('http://bank.example') }), {
    why: 'bank_address_not_https',
    fields: ['url'],
  })
  await assert.rejects(addConnection(live, ayse, 'teb', api('https://bank.example')), { why: 'two_people_needed' })
  assert.deepEqual(await addresses(), [])
  const proposed = await propose('connection.add', { name: 'teb', given: api('https://bank.example') })
  assert.ok(!JSON.stringify([proposed, await live.db.query(sql`select c::text from proposals c`)]).includes(KEY))
  await approveProposal(live, mehmet, proposed.id, proposed.seenSha256)
  await byTwo('connection.add', { name: 'local', given: api('http://127.0.0.1:1') })
  assert.deepEqual(await addresses(), [
    ['local', 'http://127.0.0.1:1'],
    ['teb', 'https://bank.example'],
  ])
  await assert.rejects(changeConnection(live, ayse, 'teb', { key: 'k2' }), { why: 'two_people_needed' })
  await assert.rejects(changeConnection(live, ayse, 'teb', { url: 'https://b.example', key: 'k2' }), {
    why: 'two_people_needed',
  })
  await byTwo('connection.change', { name: 'teb', url: 'https://b.example', key: 'k2' })
  await live.loadConnections()
  assert.deepEqual(
    live.connections.map(({ name }) => name),
    ['manual', 'local', 'teb'],
  )
  assert.deepEqual((await addresses())[1], ['teb', 'https://b.example'])
  const { id } = await propose('connection.change', { name: 'teb', url: 'https://evil.example', key: 'k3' })
  await live.db.query(sql`
    update connections set settings = '{"url": "https://evil.example"}', sealed = (
      select (c.payload::json ->> 'sealed') from proposals c where c.id = ${id}
    ) where name = 'teb'`)
  await live.loadConnections()
  assert.deepEqual(
    live.connections.map(({ name }) => name),
    ['manual', 'local'],
    'the key of a proposal is none of a connection',
  )
  await disableConnection(live, ayse, 'teb', 'a test')
})

test('live: an account has the source of record that two people saw; a new connection is none by itself', async () => {
  const live = (await startService({ mode: 'live', publicUrl: 'https://pay.example' })).app
  await addOperator({ ...live, sandbox: true }, operatorActor('ayse.yilmaz'), 'mehmet.kaya', DECIDING)
  const [ayse, mehmet] = [operatorActor('ayse.yilmaz'), operatorActor('mehmet.kaya')]
  const opened = async (number: string) => {
    const terms = { iban: makeIban('0046', number), title: 'Örnek Ödeme A.Ş.', currency: 'TRY' }
    const asked = await makeProposal(live, ayse, 'account.open', terms)
    if (asked.state !== 'open') return assert.fail(asked.state)
    const seen = asked.proposal.rows.find(({ field }) => field === 'connection')?.after
    await approveProposal(live, mehmet, asked.proposal.id, asked.proposal.seenSha256)
    const { connection } = await findAccount(live, terms.iban)
    assert.equal(connection, seen)
    return connection
  }
  assert.equal(await opened('1'), 'manual')
  await openCollectingAccount({ ...live, sandbox: true }, ayse, {
    iban: makeIban('0046', '2'),
    title: 'Eski Hesap A.Ş.',
    currency: 'TRY',
  })
  const given = { kind: 'http_api' as const, url: bank.connection.baseUrl, key: KEY }
  await addConnection({ ...live, sandbox: true }, ayse, 'teb', given)
  await live.loadConnections()
  await fillSourceOfRecord(live)
  const sources = async () => new Set((await listAccounts(live.db)).map(({ connection }) => connection))
  assert.deepEqual(await sources(), new Set(['manual']))
  assert.equal(await opened('3'), 'teb')
})

test('a file exchange is used only with the folder and the order profile that people gave it', async () => {
  const orders = join(folder, 'orders.json')
  writeFileSync(orders, '{"format":"pain.001.001.09"}')
  const exchange = join(folder, 'exchange')
  const added = await add('dosya', '--kind', 'file-exchange', '--folder', exchange, '--orders', orders)
  assert.equal(added.code, 0, added.errors)
  const used = async () => [
    names().includes('dosya'),
    (await listFileExchanges(app)).some(({ name }) => name === 'dosya'),
  ]
  await app.loadConnections()
  assert.deepEqual(await used(), [true, true])
  for (const [path, value] of [
    ['{orders,chargeBearer}', '"DEBT"'],
    ['{folder}', '"/tmp/other"'],
  ]) {
    await app.db.transaction((tx) =>
      tx.query(
        sql`update connections set settings = jsonb_set(settings, ${path}, ${value}::jsonb) where name = 'dosya'`,
      ),
    )
    await app.loadConnections()
    assert.deepEqual(await used(), [false, false], path)
    assert.match((await run(['doctor'])).output, /FAIL {2}connection dosya: Folder or order profile/)
  }
  await app.db.transaction((tx) =>
    tx.query(sql`
      update connections set settings = ${JSON.stringify({ folder: exchange, orders: null })}::jsonb where name = 'dosya'`),
  )
  assert.equal((await run(['connection', 'change', 'dosya', '--orders', orders])).code, 0)
  await app.loadConnections()
  assert.deepEqual(await used(), [true, true])
})
