import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { linesOfDeposit, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { hiddenIn, refusalIn, visibleText } from '../harness/page-text.ts'
import { ingest, matchAll, payDeposit, someDeposits, unknownPayment } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

// A debit by which the bank takes a credit back: what it names is found, and shown.
const service = await startService()
const { app } = service
const shop = await service.merchant({ name: 'Mürekkep Kitabevi' })
const journal = await openJournal(app)
await giveLogin(service, 'mehmet.kaya')
const person = visitor(service)
await person.logIn('mehmet.kaya')

/** A number as banks write it, which could be a person's. */
let last = 20_240_009_642
const nextNumber = () => `${(last += 1)}`

async function paidAndTakenBack(amount: bigint, changes: Partial<BankLine> = {}) {
  const bankReference = nextNumber()
  const [deposit] = await someDeposits(app, shop.merchantId, 1, amount)
  if (!deposit) return assert.fail('no deposit')
  await payDeposit(app, deposit, { bankReference })
  const [line] = await linesOfDeposit(app.db, deposit.merchantId, deposit.id)
  if (!line) return assert.fail('no line')
  const accountIban = (await app.banks.account(line.collectingAccountId))?.iban ?? ''
  // Some banks write the time of the original on it, or that of the start of the day.
  const bookedAt = new Date(line.bookedAt.getTime() - 11 * 3_600_000)
  const narrative = `STORNO ${bankReference}`
  const debit = await journal.arrives('debit', amount, { accountIban, bookedAt, narrative, ...changes })
  return { deposit, line, debit, bankReference }
}

const pageOf = async (path: string) => (await person.request(path)).text

test('a storno finds the credit whose number it has, though it is booked before; the number is not masked', async () => {
  const { deposit, line, debit, bankReference } = await paidAndTakenBack(84_000n)
  const text = await pageOf(`/matching/${debit}`)
  const words = visibleText(text)
  assert.match(text, new RegExp(`/operator/matching/${line.id}"`), 'a candidate')
  assert.match(words, /borç satırında alacağın IBAN’ı veya numarası var/)
  assert.match(words, new RegExp(`Mürekkep Kitabevi · ${deposit.processId} · ${line.id}`))
  assert.match(words, new RegExp(`STORNO ${bankReference}`))
  assert.doesNotMatch(words, /= satırdan/, 'what differs is not marked as equal')
})

test('a number that is of no line of ours stays masked', async () => {
  const debit = await journal.arrives('debit', 1_201n, { narrative: 'IADE 05321112233' })
  const words = visibleText(await pageOf(`/matching/${debit}`))
  assert.match(words, /IADE •••2233/)
  assert.doesNotMatch(words, /05321112233/)
})

test('the form of a storno offers lines to tick, and takes the number of the bank', async () => {
  const { deposit, line, debit, bankReference } = await paidAndTakenBack(91_000n, { narrative: 'IPTAL' })
  const text = await pageOf(`/matching/${debit}?entry=storno`)
  assert.match(text, new RegExp(`type="checkbox"\\s+name="lines"\\s+value="${line.id}"`))
  assert.match(visibleText(text), new RegExp(`91\\.?0*.*Mürekkep Kitabevi · ${deposit.processId} · ${bankReference}`))
  const csrf = await person.csrf()
  for (const given of [line.id, bankReference]) {
    const fields = { csrf, entry: 'storno', lines: given }
    const preview = (await person.request(`/matching/${debit}/preview`, fields)).text
    assert.equal(refusalIn(preview), '', given)
    assert.match(
      visibleText(preview),
      new RegExp(`Yatırım Mürekkep Kitabevi · ${deposit.processId} · ${deposit.id} ?: tamamlandı → başarısız`),
    )
  }
  const unknown = await person.request(`/matching/${debit}/preview`, { csrf, entry: 'storno', lines: '99999999' })
  assert.match(visibleText(unknown.text), /Bankanın no’su 99999999 olan bir satır bulunamadı/)
  const seen = (await person.request(`/matching/${debit}/preview`, { csrf, entry: 'storno', lines: bankReference }))
    .text
  const hidden = Object.fromEntries(hiddenIn(seen, `/operator/matching/${debit}/preview`))
  const sent = { ...hidden, lines: bankReference, why: 'banka geri aldı' }
  assert.equal((await person.request(`/matching/${debit}/propose`, sent)).status, 303)
  const [, card = ''] = (await pageOf('/approvals')).split('Banka düzeltmesi')
  assert.match(visibleText(`<body>${card}`), new RegExp(`Mürekkep Kitabevi · ${deposit.processId} · ${deposit.id}`))
})

test('of two lines with one number the id of the line is asked for', async () => {
  const number = nextNumber()
  const common = { bankReference: number, narrative: 'x' }
  await journal.arrives('credit', 5_501n, common)
  await journal.arrives('credit', 5_502n, { ...common, senderName: 'Kerem Aslan', narrative: 'y' })
  const debit = await journal.arrives('debit', 5_501n, {})
  const fields = { csrf: await person.csrf(), entry: 'storno', lines: number }
  const { text } = await person.request(`/matching/${debit}/preview`, fields)
  assert.match(visibleText(text), /birden çok satır var; satır no’sunu yazın/)
})

test('a candidate for a line to review is named as its merchant calls it', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 45_001n)
  assert.ok(deposit)
  const bankReference = nextNumber()
  await journal.arrives('credit', 45_001n, { bankReference, narrative: 'kira' })
  const again = { bankReference, narrative: 'kira', bookedAt: new Date(app.clock.now().getTime() + 86_400_000) }
  await ingest(app, [await unknownPayment(app, { accountIban: journal.here.iban, amount: 45_001n, ...again })])
  await matchAll(app)
  const [review] = await listLines(app.db, 'needs_review', 1)
  assert.equal(review?.bankReference, bankReference)
  const words = visibleText(await pageOf(`/matching/${review?.id}`))
  assert.match(words, new RegExp(`Mürekkep Kitabevi · ${deposit.processId} · ${deposit.id}`))
})
