import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAccounts } from '../../packages/server/src/domain/banks/index.ts'
import { checkBooks, selectChecks } from '../../packages/server/src/domain/books/index.ts'
import { startBooks } from '../harness/books.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'

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

test('an import is compared at the next check, not only after ten minutes', async () => {
  const { app } = service
  const account = await openFileAccount(app)
  const day = service.today()
  await service.later(1)
  await checkBooks(app)
  const bookings = [{ number: 'b1', amount: 1_500, sender: 'Veli Can', text: 'havale', time: '10:00:00' }]
  await account.take(camt('053', { iban: account.iban, day, opening: 0, bookings }))
  await checkBooks(app)
  const checks = await selectChecks(app.db)
  const { id } = (await listAccounts(app.db)).find(({ iban }) => iban === account.iban) ?? { id: '' }
  assert.equal(checks.find(({ collectingAccountId }) => collectingAccountId === id)?.balanceDay, day)
})
