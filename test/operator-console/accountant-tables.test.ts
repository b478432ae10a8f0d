import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_MERCHANT } from '../../packages/server/src/domain/ledger/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const shop = await service.merchant({ name: 'Mürekkep Kitabevi' })
const journal = await openJournal(app)
await giveLogin(service, 'ayse.yilmaz')

test('tables for accountants: words instead of codes, names instead of ids of owners, in the language of the page', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 84_000n)
  if (!deposit) return assert.fail('no deposit')
  for (const one of [deposit, deposit]) await payDeposit(app, one)
  const [second] = await listLines(app.db, 'suspense', 1)
  await journal.post('refund_unexplained', { lineIds: [second?.id ?? ''], iban: 'TR620006200029500006291296' })
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const table = async (kind: string, language: string) => {
    const query = `kind=${kind}&from=2026-01-01&to=2027-12-31&format=csv&lang=${language}`
    const { text } = await person.request(`/books/exports?${query}`)
    assert.doesNotMatch(text, /[a-z]+_[a-z]+/, `a code in ${kind}`)
    assert.deepEqual(
      text.split('\r\n').filter((row) => row.includes(NO_MERCHANT)),
      [],
    )
    return text.replaceAll('"', '')
  }
  for (const kind of ['transactions', 'balances', 'fees']) await table(kind, 'tr')
  const transactions = await table('transactions', 'tr')
  assert.match(transactions, /;;Kurum;/)
  assert.match(
    transactions,
    new RegExp(`;${shop.merchantId};Mürekkep Kitabevi;Yatırımın hesaba geçmesi;${deposit.id};`),
  )
  const entries = await table('journal', 'tr')
  assert.match(entries, /;otomatik;Bankadaki para;[^;]+ …\d{4};Satıcının bakiyesi;Mürekkep Kitabevi;TRY;840,00/)
  assert.match(entries, /;Gönderene iade;;[0-9a-f]+;mehmet\.kaya;/)
  assert.match(entries, /;Kurum;İade edilecek para \(bizde\);Kurum;İade için ayrılan para \(bizde\);Kurum;TRY;840,00/)
  assert.match(entries, /;TOPLAM;/)
  const english = await table('journal', 'en')
  assert.match(english, /^\uFEFF?Accounting day;About day;Entry id;Movement;/)
  assert.match(english, /;Institution;TRY;840,00/)
})
