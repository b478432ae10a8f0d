import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Running } from './simulator.ts'
import { balances, CLIENT, customerIban, start, statement, temporaryFolder } from './simulator.ts'

const order = {
  iban: 'tr33 0006 1005 1978 6457 8413 26',
  name: 'Vezne A.Ş.',
  amount: '1.250,00',
  description: 'K7XM2Q9R',
}

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

async function send(bank: Running, fields: Record<string, string> = {}): Promise<string> {
  const answer = await bank.form('/send', { ...order, ...fields })
  assert.equal(answer.status, 303)
  return answer.headers.get('location') ?? ''
}

test('the form is filled from the address, chooses the first account and runs nothing', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const { text, headers } = await bank.page(`/?iban=${CLIENT}&name=Vezne&amount=1250,00&description=K7`)
  assert.equal(headers.get('content-security-policy'), POLICY)
  assert.match(text, /<html lang="tr">/)
  assert.match(text, /Sandbox: gerçek para yok/)
  for (const value of [CLIENT, 'Vezne', '1250,00', 'K7']) assert.ok(text.includes(`value="${value}"`), value)
  assert.equal(text.match(/type="radio"/g)?.length, 5)
  assert.match(text, new RegExp(`value="${await customerIban(bank, 0)}" required checked`))
  assert.doesNotMatch(text, /<script|style=|<style/)
  assert.match((await bank.page('/style.css')).headers.get('content-type') ?? '', /text\/css/)
})

test('sent right: the money moves once, and the receipt can be reloaded', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const receipt = await send(bank, { how: 'right', from: await customerIban(bank, 1) })
  for (let time = 0; time < 2; time++) {
    const { status, text } = await bank.page(receipt)
    assert.equal(status, 200)
    for (const part of ['1.250,00 TL', 'Vezne A.Ş.', 'Mehmet Demir', '15.11.2026 01:30']) {
      assert.ok(text.includes(part), part)
    }
  }
  const [line, ...more] = await statement(bank)
  assert.deepEqual(more, [])
  assert.equal(line?.amount, 125_000)
  assert.ok((await bank.page(receipt)).text.includes(line?.reference ?? '?'))
  assert.ok((await bank.page('/')).text.includes(line?.reference ?? '?'), 'among the last movements')
})

test('the receipt leads back to the page that led here, if that is a web address', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const back = 'http://127.0.0.1:8080/checkout/6af95a29428d9b71948dc42f?lang=en'
  const opened = await bank.page(`/?lang=en&back=${encodeURIComponent(back)}`)
  assert.ok(opened.text.includes(`name="back" value="${back}"`))
  const from = await customerIban(bank, 1)
  const { text } = await bank.page(await send(bank, { how: 'right', from, back }))
  assert.ok(text.includes(`href="${back}"`), text)
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', '/shop'])
    assert.doesNotMatch((await bank.page(await send(bank, { how: 'right', from, back: bad }))).text, /Ödeme sayfasına/)
})

for (const [how, expected] of Object.entries({
  less: [[124_000, 'K7XM2Q9R', 'Ayşe Yılmaz']],
  more: [[126_000, 'K7XM2Q9R', 'Ayşe Yılmaz']],
  nocode: [[125_000, 'Ödeme', 'Ayşe Yılmaz']],
  othername: [[125_000, 'K7XM2Q9R', 'Hasan Çelik']],
  twice: [
    [125_000, 'K7XM2Q9R', 'Ayşe Yılmaz'],
    [125_000, 'K7XM2Q9R', 'Ayşe Yılmaz'],
  ],
  hold: [],
})) {
  test(`sent wrong: ${how}`, async (t) => {
    const bank = await start(t, temporaryFolder(t))
    const { text } = await bank.page(await send(bank, { how }))
    const lines = await statement(bank)
    assert.deepEqual(
      lines.map(({ amount, narrative, senderName }) => [amount, narrative, senderName]),
      expected,
    )
    for (const { reference } of lines) assert.ok(text.includes(reference), 'each has its receipt')
  })
}

test('kept back, then sent now', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  assert.match((await bank.page(await send(bank, { how: 'hold' }))).text, /bankada bekliyor/)
  const [, reference = ''] = /name="reference" value="(\w+)"/.exec((await bank.page('/')).text) ?? []
  const answer = await bank.form('/release', { reference })
  assert.equal(answer.status, 303)
  assert.match((await bank.page(answer.headers.get('location') ?? '')).text, /Transfer gönderildi/)
  assert.equal((await statement(bank)).length, 1)
  assert.match((await bank.page('/')).text, /Bekleyen transfer yok/)
})

test('what cannot be sent is shown again with the fault beside its field, and nothing moves', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  for (const [field, value] of [
    ['iban', 'TR330006100519786457841327'],
    ['iban', await customerIban(bank, 0)],
    ['amount', '12,345'],
    ['amount', '1250.00'],
    ['amount', '0'],
    ['amount', '-5'],
  ] as const) {
    const answer = await bank.form('/send', { ...order, [field]: value })
    assert.equal(answer.status, 422)
    const text = await answer.text()
    assert.match(text, new RegExp(`id="${field}-wrong"`), value)
    assert.ok(text.includes(`value="${order.description}"`), 'what was typed is kept')
  }
  assert.equal((await bank.form('/send', { ...order, amount: '10', how: 'less' })).status, 422)
  assert.equal((await bank.form('/send', { ...order, from: CLIENT })).status, 422)
  assert.match((await bank.page(await send(bank, { amount: '1.000.000,01' }))).text, /Bakiye yetersiz/)
  assert.deepEqual(await statement(bank), [])
  assert.equal((await balances(bank))[CLIENT], undefined)
})

test('hostile text is text on every page', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const hostile = `"><script>alert('1')</script>`
  const receipt = await send(bank, { description: hostile, name: hostile })
  await send(bank, { description: hostile, name: hostile, how: 'hold' })
  const again = await (await bank.form('/send', { ...order, iban: hostile, description: hostile })).text()
  const pages = [receipt, '/', `/?description=${encodeURIComponent(hostile)}&lang=en`].map(
    async (path) => (await bank.page(path)).text,
  )
  for (const text of [again, ...(await Promise.all(pages))]) {
    assert.ok(text.includes('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;'))
    assert.ok(!text.includes('<script'))
  }
  assert.equal((await statement(bank))[0]?.narrative, hostile, 'the bank itself changes nothing')
})

test('English is kept from page to page', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  assert.match((await bank.page('/?lang=en')).text, /<html lang="en">[\s\S]*action="\/send\?lang=en"/)
  const answer = await bank.form('/send?lang=en', order)
  const { text } = await bank.page(answer.headers.get('location') ?? '')
  assert.match(text, /Transfer sent[\s\S]*href="\/\?from=TR\d+&amp;lang=en"/)
})

test('amounts and times are written in the language of the page, and change with it', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const english = await bank.page('/?lang=en&amount=1250.00')
  assert.match(english.text, /1,000,000\.00 TL/)
  assert.match(english.text, /href="\/\?from=TR\d+&amp;amount=1\.250%2C00"/)
  const turkish = await bank.page('/?amount=1250,00')
  assert.match(turkish.text, /href="\/\?from=TR\d+&amp;amount=1%2C250\.00&amp;lang=en"/)
  const answer = await bank.form('/send?lang=en', { ...order, amount: '1,250.00' })
  const { text } = await bank.page(answer.headers.get('location') ?? '')
  assert.match(text, /1,250\.00 TL[\s\S]*15 Nov 2026, 01:30/)
  assert.equal((await statement(bank))[0]?.amount, 125_000)
})

test('pages that are not there, and forms from other sites', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  for (const path of ['/no-such-page', '/receipts', '/receipts?ref=P1']) {
    const { status, text, headers } = await bank.page(path)
    assert.equal(status, 404, path)
    assert.match(text, /Bu adreste bir şey yok/)
    assert.equal(headers.get('content-security-policy'), POLICY)
  }
  assert.equal((await bank.form('/release', { reference: 'P1' })).status, 404)
  const body = new URLSearchParams(order)
  const crossSite = await fetch(`${bank.url}/send`, {
    method: 'POST',
    body,
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  assert.equal(crossSite.status, 403)
  assert.deepEqual(await statement(bank), [])
})
