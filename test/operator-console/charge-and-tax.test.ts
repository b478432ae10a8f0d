import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { hiddenIn, refusalIn, visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'

// A charge and the tax on it, in two lines: one entry.
const service = await startService()
const { app } = service
const journal = await openJournal(app)
await giveLogin(service, 'ayse.yilmaz')
const person = visitor(service)
await person.logIn('ayse.yilmaz')

const linked = /href="([^"]*entry=bank_charge\.with_tax[^"]*)" data-key="m"/

test('each of the two lines offers one entry about both, which one person books', async () => {
  const charge = await journal.arrives('debit', 1279n, { narrative: 'FAST MASRAFI', senderName: '' })
  const tax = await journal.arrives('debit', 64n, { narrative: 'BSMV FAST MASRAFI', senderName: '' })
  for (const id of [charge, tax]) {
    const { text } = await person.request(`/matching/${id}`)
    assert.match(visibleText(text), /Masraf ve vergisi/)
    const [, href = ''] = linked.exec(text.replaceAll('&#38;', '&')) ?? []
    assert.match(text, /<a [^>]*entry=bank_charge">Banka masrafı<\/a>/, 'alone, too')
    assert.equal(href, `/operator/matching/${charge}?entry=bank_charge.with_tax&lines=${tax}`)
  }
  const { text: form } = await person.request(`/matching/${charge}?entry=bank_charge.with_tax&lines=${tax}`)
  const action = `/operator/matching/${charge}/propose`
  const fields = Object.fromEntries(hiddenIn(form, action))
  const why = { csrf: await person.csrf(), entry: 'bank_charge.with_tax', lines: tax, why: 'as the bank says' }
  const sent = await person.request(`/matching/${charge}/propose`, { ...fields, ...why })
  assert.equal(refusalIn(sent.text), '')
  const booked = await Promise.all([charge, tax].map(async (id) => (await findLine(app.db, id))?.reason))
  assert.deepEqual(booked, ['bank_charge', 'bank_tax'])
})

test('not without a word of tax, or another day', async () => {
  const charge = await journal.arrives('debit', 2000n, { narrative: 'EFT MASRAFI', senderName: '' })
  await journal.arrives('debit', 100n, { narrative: 'KIRTASIYE', senderName: '' })
  const bookedAt = new Date(app.clock.now().getTime() - 3 * 86_400_000)
  await journal.arrives('debit', 100n, { narrative: 'BSMV', bookedAt, valueDate: '2026-01-05', senderName: '' })
  assert.doesNotMatch(visibleText((await person.request(`/matching/${charge}`)).text), /Masraf ve vergisi/)
})

test('how likely a candidate is stands in words; what the text says is first among the entries, and filled', async () => {
  const first = async (narrative: string, direction: 'debit' | 'credit' = 'debit') => {
    const id = await journal.arrives(direction, 3_000n + BigInt(narrative.length), { narrative, senderName: '' })
    const { text } = await person.request(`/matching/${id}`)
    return /<ul class="kinds">\s*<li>\s*<a class="likely"[^>]*entry=(\w+)/.exec(text)?.[1]
  }
  assert.equal(await first('EFT MASRAFI'), 'bank_charge')
  assert.equal(await first('HESAP İŞLETİM ÜCRETİ'), 'bank_charge')
  assert.equal(await first('GİDER VERGİSİ'), 'bank_tax')
  assert.equal(await first('FAİZ TAHAKKUKU', 'credit'), 'interest')
  assert.equal(await first('KİRA'), undefined)
  const charge = await journal.arrives('debit', 5_000n, { narrative: 'EFT MASRAFI', senderName: '' })
  await journal.arrives('debit', 250n, { narrative: 'BSMV EFT MASRAFI', senderName: '' })
  const words = visibleText((await person.request(`/matching/${charge}`)).text)
  assert.match(words, /Masraf ve vergisi incelenecek güçlü/)
  assert.doesNotMatch(words, /puan/)
})

test('charges and taxes are a group of their own on the page of the day, not a part of what we owe', async () => {
  const [charge, tax] = [await journal.arrives('debit', 10_000n), await journal.arrives('debit', 500n)]
  await journal.arrives('credit', 90_000n)
  await journal.post('bank_charge', { lineIds: [charge, tax] })
  await journal.bookAll()
  const words = visibleText((await person.request(`/books/${istanbul(app.clock.now()).day}`)).text)
  const [, owed, charges, taxes, costs, cash] =
    /Toplam borcumuz (\S+) TL .*Banka masrafları (\S+) TL Banka vergileri (\S+) TL Masraf, vergi ve faiz (\S+) TL Nakit (\S+) TL/.exec(
      words,
    ) ?? []
  assert.deepEqual([charges, taxes, costs], ['-112,79', '-5,64', '-118,43'])
  const kurus = (text = '') => Number(text.replaceAll('.', '').replace(',', ''))
  assert.equal(kurus(owed) + kurus(costs), kurus(cash))
})
