import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { visitor } from '../harness/operator-console.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service

async function shopWith(email: string, name: string) {
  const shop = await service.merchant({ funds: 5_000_000n })
  await merchantUser(cheap(app), shop.merchantId, email)
  const customer = { ...depositBody().customer, name }
  const deposit = accepted(await shop.post('/v1/deposit', depositBody({ customer })), 201).transactionId as string
  const withdrawal = accepted(await shop.post('/v1/withdraw', withdrawBody({ accountName: name })), 201)
  const person = visitor(service, 'merchant')
  await person.logIn(email, PASSWORD)
  return { ...person, ids: { deposits: deposit, withdrawals: withdrawal.transactionId as string } }
}

const mine = await shopWith('ece@mine.example', '=Ayşe Çetin')
const theirs = await shopWith('can@theirs.example', 'Veli Aslan')

test('deposits and withdrawals as a file: only of the own merchant, with names as the list shows them', async () => {
  for (const section of ['deposits', 'withdrawals'] as const) {
    const { text, headers, status } = await mine.request(`/${section}?format=csv`)
    assert.equal(status, 200)
    const file = section === 'deposits' ? 'yatirimlar' : 'cekimler'
    assert.match(headers.get('content-disposition') ?? '', new RegExp(`filename="${file}-.*\\.csv"`))
    const [head = '', ...rows] = text.replaceAll('"', '').trimEnd().split('\r\n')
    const first = section === 'deposits' ? 'Müşteri' : 'Alıcı'
    assert.equal(head, `${first};Tutar;Komisyon;Para birimi;Durum;Oluşturma;İşlem no’nuz (processId);İşlem no`)
    const row = rows.find((one) => one.endsWith(mine.ids[section])) ?? assert.fail('not in the file')
    assert.match(row, /^'=Ayşe Çetin;\d+,\d\d;\d+,\d\d;TRY;bekliyor;\d{4}-\d\d-\d\d \d\d:\d\d:\d\d;/)
    assert.ok(!text.includes(theirs.ids[section]) && !text.includes('Veli Aslan'))
    assert.match((await mine.request(`/${section}?format=xlsx`)).text, /^PK/)
  }
})

test('the file has the rows of the filter; the list links to it', async () => {
  const { text } = await mine.request('/deposits?status=expired&format=csv')
  assert.equal(text.trimEnd().split('\r\n').length, 1)
  const page = await mine.request('/deposits?status=pending&from=2026-01-01&to=2026-01-31')
  assert.match(page.text, /href="\?status=pending&#38;from=2026-01-01&#38;to=2026-01-31&#38;format=csv"/)
})
