import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liveConsole } from '../harness/live-console.ts'
import { formWith } from '../harness/operator-console.ts'
import { hiddenIn, visibleText } from '../harness/page-text.ts'
import { camt } from '../harness/statement-files.ts'

test('live: who approves sees the problem that the first person accepted, and the lines', async () => {
  const { iban, lines, one, two } = await liveConsole()
  const payment = { number: 'FT-77', amount: 12_300, sender: 'AYŞE YILMAZ', text: 'kira Ayşe Yılmaz' }
  const bookings = [payment, { number: 'FT-78', amount: 500, debit: true as const, text: 'EFT UCRETI' }]
  const text = camt('053', { iban, day: '2026-03-10', opening: 0, closing: 700, bookings })
  const sent = await one.request('/statements/upload', formWith({ csrf: one.csrf }, 'mart.xml', text))
  const at = sent.location?.replace(/^.*\/operator/, '') ?? ''
  const preview = (await one.request(at)).text
  assert.match(visibleText(preview), /Yeni satırlar[^]*10\.03\.2026\s+123,00 TL\s+A••• Y•••\s+kira A••• Y•••\s+FT-77/)
  const fields = Object.fromEntries(hiddenIn(preview, `/operator${at}/import`))
  await one.request(`${at}/import`, { ...fields, csrf: one.csrf, why: 'banka düzeltecek' })
  const card = visibleText((await two.request('/approvals')).text)
  assert.match(card, /Sorunlar[^]*kapanış bakiyesi 7,00 TL; satırlara göre 118,00 TL olmalı[^]*Biçim[^]*camt\.053/)
  const [, path = ''] =
    /href="\/operator(\/statements\/proposed\/\w+)"/.exec((await two.request('/approvals')).text) ?? []
  const page = await two.request(path)
  const seen = visibleText(page.text)
  assert.match(seen, /mart\.xml[^]*satırlara göre 118,00 TL[^]*FT-78[^]*kasa\.bir[^]*banka düzeltecek/)
  assert.match(seen, /10\.03\.2026\s+123,00 TL\s+A••• Y•••\s+kira A••• Y•••\s+FT-77/)
  assert.match(seen, /10\.03\.2026\s+-5,00 TL\s+–\s+EFT UCRETI\s+FT-78/)
  const own = await one.request(path)
  assert.match(visibleText(own.text), /Geri al/)
  assert.doesNotMatch(own.text, /\/approve"/)
  const [, approve = ''] = /action="[^"]*(\/proposals\/\w+\/approve)"/.exec(page.text) ?? []
  const hidden = Object.fromEntries(hiddenIn(page.text, `/operator${approve}`))
  const done = await two.request(approve, { ...hidden, csrf: two.csrf })
  assert.match(done.location ?? '', /said=proposalApplied/, visibleText(done.text))
  assert.equal((await lines()).length, 2)
  const after = await two.request(path)
  assert.match(visibleText(after.text), /Öneri onaylandı; dosya aktarıldı\.[^]*kasa\.iki/)
  assert.match(after.text, /href="\/operator\/statements\/[0-9a-f]{24}"/)
})

test('live: unread lines are on the proposal and cannot be retried; a later page is not said to continue our closing', async () => {
  const { iban, lines, one, two } = await liveConsole()
  const upload = async (text: string) => {
    const sent = await one.request('/statements/upload', formWith({ csrf: one.csrf }, 'dosya.xml', text))
    const at = sent.location?.replace(/^.*\/operator/, '') ?? ''
    return { at, text: (await one.request(at)).text }
  }
  const known = { number: '1', amount: 100, text: 'masraf iadesi' }
  const bookings = [known, { number: '2', amount: 920_000, text: 'ödeme', currency: 'EUR' }]
  const { at, text: preview } = await upload(camt('054', { iban, day: '2026-03-10', bookings }))
  const UNREAD = /Okunamayan satırlar[^]*10\.03\.2026\s+9\.200,00 EUR\s+satır EUR, hesap TRY para biriminde\s+2/
  assert.match(visibleText(preview), UNREAD)
  await one.request(`${at}/import`, {
    ...Object.fromEntries(hiddenIn(preview, `/operator${at}/import`)),
    ...{ csrf: one.csrf, why: 'banka düzeltecek' },
  })
  const approvals = (await two.request('/approvals')).text
  assert.match(visibleText(approvals), /10\.03\.2026 9\.200,00 EUR: satır EUR, hesap TRY para biriminde/)
  const [, path = ''] = /href="\/operator(\/statements\/proposed\/\w+)"/.exec(approvals) ?? []
  const page = (await two.request(path)).text
  assert.match(visibleText(page), UNREAD)
  const [, approve = ''] = /action="[^"]*(\/proposals\/\w+\/approve)"/.exec(page) ?? []
  await two.request(approve, { ...Object.fromEntries(hiddenIn(page, `/operator${approve}`)), csrf: two.csrf })
  assert.equal((await lines()).length, 1)
  const unread = (await one.request('/unread')).text
  assert.match(visibleText(unread), /Ne yapmalı\s+Bir kişinin yüklediği dosyadan geldi[^]*yüklenen dosyayı aç/)
  assert.match(unread, /action="[^"]*\/unread\/close"/)
  assert.doesNotMatch(unread, /\/unread\/retry"/)
  const first = camt('053', { iban, day: '2026-03-10', opening: 0, bookings: [known] })
  const paged = first.replace('<Acct>', '<StmtPgntn><PgNb>2</PgNb><LastPgInd>true</LastPgInd></StmtPgntn><Acct>')
  assert.doesNotMatch(visibleText((await upload(paged)).text), /son kapanış/)
})
