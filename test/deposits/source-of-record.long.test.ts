import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { listAccounts, openBankDirectory, openCollectingAccount } from '../../packages/server/src/domain/banks/index.ts'
import {
  bankApiConnection,
  disableConnection,
  fetchLines,
  fillSourceOfRecord,
  manualConnection,
  openConnectedAccount,
  rereadLine,
  setSourceOfRecord,
} from '../../packages/server/src/domain/connections/index.ts'
import { listLines, listUnread, reimportUnread } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startSecondProcess, startService } from '../harness/service.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

const service = await startService()
const { app } = service
const bank = await startPlainBank()
const first = bankApiConnection({ ...bank.connection, name: 'bank-api:first.example' })
const second = bankApiConnection({ ...bank.connection, name: 'bank-api:second.example' })
app.connections.push(first, second)
const [one, other] = (await listAccounts(app.db)).map(({ iban }) => iban) as [string, string]
const run = openCommandLineOf(service)
let cursor = 0

async function reads(from: typeof first, ...lines: object[]): Promise<void> {
  bank.behave({ statement: () => ({ status: 200, body: { lines, cursor: String(++cursor), more: false } }) })
  await fetchLines(app, from)
}

function wire(account: string, narrative: string): object {
  const now = app.clock.now().toISOString()
  const facts = { reference: app.ids.next(), amount: 5000, direction: 'credit', senderName: 'Ayşe', senderIban: null }
  return { account, valueDate: istanbul(new Date(now)).day, bookedAt: now, narrative, ...facts }
}

const booked = async () => (await listLines(app.db, undefined, 100)).map(({ narrative }) => narrative)
const connectionOf = async (iban: string) =>
  (await listAccounts(app.db)).find((account) => account.iban === iban)?.connection

test('a line from another connection than the source of record: not booked, kept with the reason, booked once it is', async () => {
  await setSourceOfRecord(app, UNATTRIBUTED, [one], first.name)
  await reads(second, wire(one, 'elsewhere'), wire(other, 'no record yet'))
  await reads(first, wire(one, 'of record'))
  assert.deepEqual((await booked()).toSorted(), ['no record yet', 'of record'])
  const [kept, ...more] = await listUnread(app.db)
  assert.deepEqual([kept?.source, kept?.why], [second.name, note('unread_other_source', { connection: first.name })])
  assert.equal(more.length, 0)
  assert.equal(await reimportUnread(app, UNATTRIBUTED, rereadLine), 0)
  await setSourceOfRecord(app, UNATTRIBUTED, [one], second.name)
  assert.equal(await reimportUnread(app, UNATTRIBUTED, rereadLine), 1)
  assert.ok((await booked()).includes('elsewhere'))
  assert.deepEqual(await listUnread(app.db), [])
})

test('a line that the source of record has given is known when the account moves to another connection', async () => {
  const line = wire(one, 'seen by both')
  await reads(second, line)
  await setSourceOfRecord(app, UNATTRIBUTED, [one], first.name)
  await reads(first, line)
  assert.equal((await booked()).filter((narrative) => narrative === 'seen by both').length, 1)
  assert.deepEqual(await listUnread(app.db), [])
})

test('several connections: accounts without a source of record get none, whichever worker comes first, and doctor names them', async () => {
  const another = await startSecondProcess(service)
  another.connections.push(second, manualConnection)
  await setSourceOfRecord(app, UNATTRIBUTED, [one], second.name)
  const without = (await listAccounts(app.db)).filter(({ connection }) => connection === null)
  assert.ok(without.length > 0)
  const filled = await Promise.all([app, another, app].map((worker) => fillSourceOfRecord(worker)))
  assert.deepEqual(filled, [0, 0, 0])
  assert.equal(await connectionOf(one), second.name)
  const accounts = await listAccounts(app.db)
  assert.ok(accounts.every(({ connection, awaitsConnection }) => awaitsConnection === (connection === null)))
  const { output } = await run(['doctor', '--json'])
  const checks = (JSON.parse(output) as { checks: { check: string; found: string; todo?: string }[] }).checks
  const found = checks.find(({ check }) => check === 'sources of record')
  for (const { iban } of without) assert.match(found?.found ?? '', new RegExp(`…${iban.slice(-4)} none yet`))
  assert.match(found?.todo ?? '', /vezne account connect/)
  const rest = without.map(({ iban }) => iban)
  await setSourceOfRecord(app, UNATTRIBUTED, rest, first.name)
})

test('one connection that is not disabled: accounts without a source of record get it, from a worker that has it', async () => {
  const alone = await startService()
  const connections = [manualConnection, first]
  const accounts = (await listAccounts(alone.app.db)).length
  assert.equal(await fillSourceOfRecord({ ...alone.app, connections: [] }), 0)
  assert.equal(await fillSourceOfRecord({ ...alone.app, connections: [manualConnection] }), 0, 'by hand: no lines')
  const filled = await Promise.all([1, 2].map(() => fillSourceOfRecord({ ...alone.app, connections })))
  assert.deepEqual(
    filled.toSorted((a, b) => a - b),
    [0, accounts],
  )
  const iban = makeIban('0046', '8800001')
  await openCollectingAccount(alone.app, UNATTRIBUTED, { iban, title: 'Yeni Hesap A.Ş.', currency: 'TRY' })
  const withSecond = { ...alone.app, connections: [...connections, second] }
  await disableConnection(withSecond, UNATTRIBUTED, second.name, 'a test')
  assert.equal(await fillSourceOfRecord({ ...alone.app, connections }), 1)
})

test('an account that is opened while two connections are known: nothing is booked and no customer gets it until it is connected', async () => {
  const iban = makeIban('0046', '8800002')
  const opened = await openConnectedAccount(app, UNATTRIBUTED, { iban, title: 'Yeni Hesap A.Ş.', currency: 'TRY' })
  assert.deepEqual([opened.connection, opened.awaitsConnection], [null, true])
  await reads(second, wire(iban, 'by the second'))
  await reads(first, wire(iban, 'by the first'))
  assert.equal(await fillSourceOfRecord(app), 0)
  const kept = (await listUnread(app.db)).filter(({ raw }) => raw.includes(iban))
  const why = note('unread_no_connection')
  assert.deepEqual([kept.map((unread) => unread.why), await connectionOf(iban)], [[why, why], null])
  const offered = async () => {
    const fresh = openBankDirectory(app)
    return (await fresh.accountsFor('FAST', 'TRY')).some((account) => account.iban === iban)
  }
  assert.equal(await offered(), false)
  assert.match((await run(['account', 'list'])).output, new RegExp(`${iban} +active +to be connected`))
  await setSourceOfRecord(app, UNATTRIBUTED, [iban], first.name)
  assert.equal(await offered(), true)
  assert.equal(await reimportUnread(app, UNATTRIBUTED, rereadLine), 1)
  assert.deepEqual(
    [(await booked()).includes('by the first'), (await booked()).includes('by the second')],
    [true, false],
  )
})

test('open-account takes the connection, and says what it is', async () => {
  const open = (number: string, ...more: string[]) =>
    run(['bank', 'open-account', '--iban', makeIban('0046', number), '--title', 'Yeni Hesap A.Ş.', ...more])
  assert.match(
    (await open('8800003', '--connection', 'bank-api:typo')).errors,
    /no connection bank-api:typo\. The connections are:/,
  )
  assert.match(
    (await open('8800003', '--connection', second.name)).output,
    /Its connection is bank-api:second\.example/,
  )
  const later = await open('8800004')
  assert.match(later.output, /Several connections are known.*vezne account connect CONNECTION TR/)
})

test('account connect sets it for several accounts or for none; account list shows it', async () => {
  const unknown = await run(['account', 'connect', 'bank-api:typo', one, other])
  assert.equal(unknown.code, 1)
  assert.match(
    unknown.errors,
    /no connection bank-api:typo\. The connections are: .*bank-api:second\.example, manual\./,
  )
  const half = await run(['account', 'connect', 'manual', one, 'TR00'])
  assert.match(half.errors, /no collecting account TR00/)
  assert.equal(await connectionOf(one), second.name)
  const { code, output } = await run(['account', 'connect', 'manual', one, other])
  assert.deepEqual([code, output.match(/: manual\.$/gm)?.length], [0, 2])
  assert.match((await run(['account', 'list'])).output, new RegExp(`${one} +active +manual`))
})

test('with one connection that gives statements, a new account has it at once', async () => {
  const alone = await startService()
  const iban = makeIban('0046', '8800005')
  const facts = { iban, title: 'Yeni Hesap A.Ş.', currency: 'TRY' }
  const connections = [manualConnection, first]
  const opened = await openConnectedAccount({ ...alone.app, connections }, UNATTRIBUTED, facts)
  assert.deepEqual([opened.connection, opened.awaitsConnection], [first.name, false])
})
