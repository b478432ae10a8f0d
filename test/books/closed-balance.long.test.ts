import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { say } from '../../packages/server/src/acts/refusals/say.ts'
import { listDays } from '../../packages/server/src/domain/books/index.ts'
import { todaysWork } from '../../packages/server/src/domain/overview/index.ts'
import { previewFile } from '../../packages/server/src/domain/statements/index.ts'
import { startBooks } from '../harness/books.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { matchAll } from '../harness/payments.ts'
import { camt, contentOf, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import type { Refusal, Said } from '../../packages/server/src/platform/refusal.ts'

// A statement file about a day that two people closed.
const books = await startBooks()
const { app } = books
await giveLogin(books, 'ayse.yilmaz')
const { run, stop } = openCommandLine({
  DATABASE_URL: books.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)
const account = await openFileAccount(app)
const day = await books.later(1)
const bookings = [{ number: 'N1', amount: 167_360, sender: 'Ayşe Yılmaz', text: 'kira' }]
const statement = (closing: number, id: string) =>
  camt('053', { iban: account.iban, day, opening: 0, closing, bookings, id })
await account.take(statement(167_360, 'S1'))
await matchAll(app)
await books.later(1)
const acceptProblems = 'the bank confirmed it by phone'

const found = async (text: string) =>
  (await previewFile(app, contentOf('ekstre.xml', text), PLAIN)).findings.filter(({ check }) =>
    ['closing', 'closed'].includes(check ?? ''),
  )
const changed = async () => (await todaysWork(app)).find(({ name }) => name === 'closed_days_changed')?.count
const isChanged = async () => (await listDays(app, 1, day)).days[0]?.isChanged

async function person() {
  const one = visitor(books)
  await one.logIn('ayse.yilmaz')
  return one
}

test('a file that contradicts the balance of a day is a problem, which names a closed day as closed', async () => {
  const other = statement(9_167_360, 'S2')
  assert.deepEqual(
    (await found(other)).map(({ severity, check }) => [severity, check]),
    [['problem', 'closing']],
  )
  await books.close(day)
  const balances = { was: money(167_360n), is: money(9_167_360n), difference: money(9_000_000n) }
  const what = note('finding_closed_day', { which: 'closing', day, ...balances })
  assert.deepEqual(await found(other), [{ severity: 'problem', check: 'closed', what }])
  const [year, month, date] = day.split('-')
  const inTurkish = `${date}.${month}.${year} kapalı bir gün; kapanış bakiyesi 1.673,60 TL yerine 91.673,60 TL olurdu (fark 90.000,00 TL). Hangisinin doğru olduğunu bankaya sorun`
  assert.equal(say('tr', what), inTurkish)
  assert.deepEqual(await found(statement(167_360, 'S3')), [], 'the same balance')
  await assert.rejects(account.take(other), (error: Refusal) => {
    const problems = error.said?.facts['problems'] as Said[]
    assert.deepEqual(problems.at(-1), what)
    return error.why === 'file_doubtful'
  })
})

let fileId = ''

test('once it is imported with a reason, the closed day counts as changed, until the import is undone', async () => {
  assert.deepEqual([await changed(), await isChanged()], [0, false])
  fileId = (await account.take(statement(9_167_360, 'S2'), { acceptProblems })).file.id
  assert.deepEqual([await changed(), await isChanged()], [1, true])
  const one = await person()
  assert.match(visibleText((await one.request('')).text), /Sonradan değişen kapalı gün 1/)
})

test('undoing a file that brought only a balance says so', async () => {
  const one = await person()
  const { text } = await one.request(`/statements/${fileId}/undo`)
  assert.match(visibleText(text), /bakiyeleri kayıtlardan çıkar.* Bakiyeyi geri al/)
  const [year, month, date] = day.split('-')
  const closed = `${date}.${month}.${year} kapalı bir gün; kapatanlar: ayse.yilmaz, mehmet.kaya. Bakiyesi veya satırları geri alınırsa`
  assert.ok(visibleText(text).includes(closed), visibleText(text))
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const { location } = await one.request(`/statements/${fileId}/undo`, { csrf, why: 'yanlış bakiye' })
  assert.match(location ?? '', /said=balanceUndone/)
  assert.match(
    visibleText((await one.request(`/statements/${fileId}?said=balanceUndone`)).text),
    /bakiyesi kayıtlardan çıktı/,
  )
  assert.deepEqual([await changed(), await isChanged()], [0, false])
  const { file } = await account.take(statement(9_167_360, 'S4'), { acceptProblems })
  const { output } = await run(['statement', 'undo', file.id, '--why', 'wrong balance'])
  assert.match(output, /its balance is out of the books; it had no new lines/)
})
