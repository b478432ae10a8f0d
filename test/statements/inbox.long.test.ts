import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { App } from '../../packages/server/src/compose.ts'
import { addConnection, setSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import { INBOX_WORDS } from '../../packages/server/src/edges/workers/inbox-words.ts'
import { importInbox, listFiles } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { Crash, crashingWorker } from '../harness/crash.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'
import { startSecondProcess, startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const DAY = '2026-03-10'
let exchanges = 0

type Inbox = Parameters<typeof importInbox>[1]
const noReport: Inbox['onOrderReport'] = ({ content }) => Promise.reject(new Error(`${content.name} is a report`))

/** A connection with its folders and one account. */
async function openExchange() {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-inbox-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const connection = `dosya-${++exchanges}`
  await addConnection(app, UNATTRIBUTED, connection, { kind: 'file_exchange', folder, orders: null })
  const { iban, lines } = await openFileAccount(app)
  await setSourceOfRecord(app, UNATTRIBUTED, [iban], connection)
  const looks = new Map<string, string>()
  const names = (where: string) => readdirSync(join(folder, where)).toSorted()
  return {
    folder,
    connection,
    iban,
    lines,
    names,
    write: (name: string, text: string) => writeFileSync(join(folder, 'inbox', name), text),
    look: (by: App = app, more: Partial<Inbox> = {}) =>
      importInbox(by, {
        connection,
        folder,
        looks,
        onOrderReport: noReport,
        words: INBOX_WORDS,
        ...more,
      }),
    report: (where: string, name: string) => readFileSync(join(folder, where, `${name}.report.txt`), 'utf8'),
  }
}

const statement = (iban: string, number = 'N1') =>
  camt('053', { iban, day: DAY, opening: 0, bookings: [{ number, amount: 10_000, sender: 'Ayşe', text: number }] })

test('a complete file is imported and moved with a report; one that grows or has a temporary name waits', async () => {
  const { iban, look, lines, names, report, write, folder } = await openExchange()
  write('a.xml', statement(iban).slice(0, 200))
  write('b.xml.filepart', 'x')
  assert.equal(await look(), 0)
  appendFileSync(join(folder, 'inbox', 'a.xml'), statement(iban).slice(200))
  assert.equal(await look(), 0)
  assert.equal(await look(), 1)
  assert.deepEqual([names('inbox'), names('done')], [['b.xml.filepart'], ['a.xml', 'a.xml.report.txt']])
  assert.match(report('done', 'a.xml'), /Imported on .* by inbox[\s\S]*1 new, 0 known/)
  assert.equal((await lines()).length, 1)
})

test('a wrong file is refused with the reason, and does not stop others; the same name again overwrites nothing', async () => {
  const { iban, look, lines, names, report, write } = await openExchange()
  write('1.xml', statement(iban).replace('100.00', '1o0.00'))
  write('2.xml', statement(iban))
  await look()
  assert.equal(await look(), 2)
  assert.match(report('refused', '1.xml'), /line \d+.*1o0\.00[\s\S]*move the file back to inbox/)
  assert.doesNotMatch(report('refused', '1.xml'), /mapping/)
  write('2.xml', statement(iban))
  await look()
  assert.equal(await look(), 1)
  assert.equal(names('done').filter((name) => !name.endsWith('.report.txt')).length, 2)
  const second = names('done').find((name) => name.endsWith('.report.txt') && name !== '2.xml.report.txt')
  assert.match(
    report('done', (second ?? '').replace('.report.txt', '')),
    /Imported before.*Nothing was booked now; .* first import:/,
  )
  assert.equal((await lines()).length, 1)
})

test('a crash at any point: imported once, and moved in the end', async () => {
  const { iban, look, lines, names, write } = await openExchange()
  write('a.xml', statement(iban))
  await look()
  let crashes = 0
  for (let at = 1; names('inbox').length > 0; at++) {
    await look(crashingWorker(app, at).worker).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error
      crashes++
    })
  }
  assert.ok(crashes > 10)
  assert.deepEqual([(await lines()).length, names('done')], [1, ['a.xml', 'a.xml.report.txt']])
})

test('two processes look at the same inbox: a file is imported once', async () => {
  const { iban, look, lines, names, write, connection } = await openExchange()
  const another = await startSecondProcess(service)
  for (const number of ['a', 'b', 'c'])
    write(`${number}.xml`, camt('052', { iban, day: DAY, bookings: [{ number, amount: 10_000, sender: 'Ayşe' }] }))
  await look()
  const looks = new Map<string, string>()
  await look(another, { looks })
  await Promise.all([look(), look(another, { looks })])
  assert.deepEqual([names('inbox'), (await lines()).length], [[], 3])
  assert.equal((await listFiles(app.db, 100)).filter((file) => file.connection === connection).length, 3)
})

test('pain.002 goes to its own function', async () => {
  const { look, names, report, write } = await openExchange()
  write(
    'r.xml',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt></CstmrPmtStsRpt></Document>',
  )
  const seen: string[] = []
  const onOrderReport: Inbox['onOrderReport'] = ({ content }) => {
    seen.push(content.name)
    return Promise.resolve(['3 settled'])
  }
  await look(app, { onOrderReport })
  await look(app, { onOrderReport })
  assert.deepEqual([seen, names('inbox')], [['r.xml'], []])
  assert.match(report('done', 'r.xml'), /3 settled/)
})

test('a saved mapping reads tables of the only account', async () => {
  const { look, lines, write, folder } = await openExchange()
  const columns = { date: 'Gün', description: 'Detay', amount: 'Miktar', mark: 'Yön' }
  const mapping = { id: 'deniz', name: 'DenizBank', amounts: 'marked', columns }
  writeFileSync(join(folder, 'mapping.json'), JSON.stringify(mapping))
  write('t.csv', 'Gün;Detay;Miktar;Yön\n10.03.2026;GELEN;100,00;A\n')
  await look()
  await look()
  assert.equal((await lines()).length, 1)
})

test('a table whose IBAN is of another bank than its layout: refused, and imported once the folder names the layout', async () => {
  const { iban, look, lines, names, report, write, folder } = await openExchange()
  const table = `IBAN;${iban}\nTarih;Açıklama;Borç;Alacak;Bakiye;Dekont No\n10.03.2026;GELEN;;100,00;100,00;D1\n`
  write('t.csv', table)
  await look()
  await look()
  assert.match(report('refused', 't.csv'), /nothing shows which bank.*[\s\S]*mapping\.json/)
  writeFileSync(join(folder, 'mapping.json'), '{ "bank": "ziraat" }')
  write('t.csv', table)
  await look()
  await look()
  assert.deepEqual([(await lines()).map(({ bankReference }) => bankReference), names('inbox')], [['D1'], []])
})

test('a file of the day whose opening balance nothing knows is refused, and the next right one is taken', async () => {
  const { iban, look, lines, names, write } = await openExchange()
  const day = (id: string, opening: number) =>
    camt('053', { iban, day: DAY, id, opening, bookings: [{ number: id, amount: 10_000, sender: 'Ayşe', text: id }] })
  write('1.xml', day('N1', 0))
  await look()
  await look()
  write('2.xml', day('N2', 55_555))
  write('3.xml', day('N3', 10_000))
  await look()
  assert.equal(await look(), 2)
  assert.deepEqual(names('refused'), ['2.xml', '2.xml.report.txt'])
  assert.deepEqual(
    (await lines()).map(({ bankReference }) => bankReference),
    ['N1', 'N3'],
  )
})
