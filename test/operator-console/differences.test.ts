import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { checkBooks, selectChecks } from '../../packages/server/src/domain/books/index.ts'
import { lockChecks } from '../../packages/server/src/domain/books/days/checks/store.ts'
import { undoFile } from '../../packages/server/src/domain/books/index.ts'
import { beginImport } from '../../packages/server/src/domain/statements/index.ts'
import { startWorkers } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { startBooks } from '../harness/books.ts'
import { startService } from '../harness/service.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { camt, contentOf, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { until } from '../harness/until.ts'

// What bank and books differ by: on the accounts, and in the list of days.
const service = await startBooks()
await giveLogin(service, 'ayse.yilmaz')
const shop = await service.merchant()
const [account] = await service.app.banks.accounts()

async function text(path: string): Promise<string> {
  // Business time moves by days, and with it the end of a session.
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  return (await person.request(path)).text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
}

const shown = (day: string) => day.split('-').toReversed().join('.')
const short = (day: string) => shown(day).slice(0, 5)
const ofAccount = async () => (await text('/accounts')).split('Banka bakiyesi')[1] ?? ''
const rowOf = async (day: string) => (await text('/books')).split(shown(day))[1] ?? ''

const first = service.today()
await service.deposit(shop.merchantId, 840_000n, { accountIban: account?.iban ?? '' })
await service.giveBalances(first, 70_000n)
const second = await service.later(1)

test('an account shows the difference of its last balance, also when newer days have none', async () => {
  await checkBooks(service.app)
  assert.match(await ofAccount(), new RegExp(`9\\.100,00 TL \\(${short(first)}\\).* 700,00 TL fark açıklanamadı`))
  assert.match(await text(''), /Açıklanamayan fark 1 700,00 TL/)
  assert.match(await text(`/books/${first}`), /Açıklanamayan: 700,00 TL/)
  await service.take(await service.lineOf({ amount: 1_000n }))
  await service.later(1)
  await checkBooks(service.app)
  assert.match(
    await ofAccount(),
    new RegExp(
      `9\\.110,00 TL \\(${short(second)}, ${short(first)} bakiyesinden hesaplandı\\).* 700,00 TL fark açıklanamadı`,
    ),
  )
  assert.match(await text(''), /Açıklanamayan fark 1 700,00 TL en eskisi (?:2[4-9]|3\d|4[0-8]) sa/, 'of its day')
})

test('a difference that two people accepted is still shown, as that', async () => {
  await service.close(first, 'bankaya soruldu')
  await service.later(1)
  await checkBooks(service.app)
  assert.match(
    await ofAccount(),
    new RegExp(`${short(first)} bakiyesinden hesaplandı\\).* 700,00 TL fark kabul edildi`),
  )
})

test('the list of days has the figures of the close, and who proposed and closed it', async () => {
  assert.match(await rowOf(first), /öneren ayse\.yilmaz · kapatan mehmet\.kaya .*700,00 TL kabul edildi/)
  assert.match(await rowOf(second), /kontrol edilmedi/)
  await service.close(second, 'bakiye yarın gelecek')
  assert.match(await rowOf(second), /1 hesabın 1 tanesinde bakiye yok/)
})

test('who closes a day is told of statement files that were uploaded and not imported', async () => {
  const day = await service.later(1)
  await service.later(1)
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const form = new FormData()
  form.append('csrf', await person.csrf('/statements'))
  form.append('file', new Blob(['bu bir ekstre değil']), 'ing-bozuk.sta')
  assert.equal((await person.request('/statements/upload', form)).status, 303)
  assert.match(await text(`/books/${day}`), /aktarılmayan ekstre dosyası var: ing-bozuk\.sta \(ayse\.yilmaz\)/)
  assert.doesNotMatch(await text(`/books/${first}`), /ing-bozuk/, 'of a closed day')
})

/** The day before the check, and what the check says of this account. */
async function toCheck() {
  const account = await openFileAccount(service.app)
  const day = service.today()
  await service.later(1)
  await checkBooks(service.app)
  const bookings = [{ number: 'b1', amount: 1_500, sender: 'Veli Can', text: 'havale', time: '10:00:00' }]
  const file = camt('053', { iban: account.iban, day, opening: 0, bookings })
  const balanceDay = async () =>
    (await selectChecks(service.app.db)).find((one) => one.collectingAccountId === account.id)?.balanceDay
  return { account, day, file, balanceDay }
}

test('an import is compared at the next check, also one that ends after a newer one, and its undo', async () => {
  const { app } = service
  const { account, day, file, balanceDay } = await toCheck()
  const slow = await beginImport(app, UNATTRIBUTED, contentOf('slow', file), PLAIN)
  const other = await openFileAccount(app)
  await other.take(camt('053', { iban: other.iban, day, opening: 0, bookings: [] }))
  await checkBooks(app)
  assert.equal(await balanceDay(), null)
  await slow.book()
  await checkBooks(app)
  assert.equal(await balanceDay(), day)
  await undoFile(app, UNATTRIBUTED, slow.file.id, 'of another account')
  await checkBooks(app)
  assert.equal(await balanceDay(), null, account.iban)
})

const checkedAt = async () => (await selectChecks(service.app.db))[0]?.checkedAt.getTime() ?? 0

test('an import is compared once at first, by any process, and not while another one compares', async () => {
  const { app } = service
  const { account, file } = await toCheck()
  const before = await checkedAt()
  await account.take(file)
  await app.db.transaction(async (tx) => {
    assert.equal(await lockChecks(tx), true)
    await checkBooks(app)
  })
  assert.equal(await checkedAt(), before, 'another process compares')
  await checkBooks(app)
  const first = await checkedAt()
  assert.ok(first > before)
  await checkBooks(app)
  assert.equal(await checkedAt(), first)
})

test('without collecting accounts nothing is compared', async () => {
  const { app } = await startService()
  await app.db.transaction(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`)
    await tx.query(sql`delete from collecting_accounts`)
  })
  await app.db.transaction(async (tx) => {
    // A proof reads it, and would fail here.
    await tx.query(sql`lock table book_decisions in access exclusive mode`)
    await checkBooks(app)
  })
})

test('a difference is as old as its first day, also when each day has a balance, until it is explained', async () => {
  const { app } = service
  const account = await openFileAccount(app)
  const since = async () =>
    (await selectChecks(app.db)).find((one) => one.collectingAccountId === account.id)?.since ?? null
  const bookings = [{ number: 'd1', amount: 1_500, sender: 'Veli Can', text: 'havale', time: '10:00:00' }]
  const day = service.today()
  const acceptProblems = 'as the bank sent it'
  await account.take(camt('053', { iban: account.iban, day, opening: 0, closing: 2_000, bookings }), { acceptProblems })
  const next = await service.later(1)
  await checkBooks(app)
  assert.equal(await since(), day)
  const again = { iban: account.iban, day: next, opening: 2_000, bookings: [], id: 'S2' }
  await account.take(camt('053', again), { acceptProblems })
  const third = await service.later(1)
  await checkBooks(app)
  assert.equal(await since(), day)
  const right = { iban: account.iban, day: third, opening: 1_500, bookings: [], id: 'S3' }
  await account.take(camt('053', right), { acceptProblems })
  await service.later(1)
  await checkBooks(app)
  assert.equal(await since(), null)
})

test('workers compare an import within seconds, whoever imported it', async () => {
  const { account, day, file, balanceDay } = await toCheck()
  const workers = startWorkers(service.app)
  after(() => Promise.all(workers.map((worker) => worker.stop())))
  await account.take(file)
  assert.equal(await until(balanceDay, (found) => found === day), day)
})
