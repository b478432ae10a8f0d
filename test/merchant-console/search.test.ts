import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import { MERCHANT_ROLES } from '../../packages/server/src/domain/people/index.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { payDeposit } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service

type Facts = { domain: string; name: string; processId: string; amount: number; iban: string }

/** A paid deposit, one that is not paid, a withdrawal that waits and one that has ended. */
async function addShop({ domain, name, processId, amount, iban }: Facts) {
  const shop = await service.merchant({ name: domain, funds: 9_000_000n })
  for (const role of MERCHANT_ROLES) await merchantUser(cheap(app), shop.merchantId, `${role}@${domain}`, role)
  const make = async (path: string, body: Record<string, unknown>) =>
    String(accepted(await shop.post(path, body), 201).transactionId)
  const customer = { id: `id-of-${domain}`, name, username: `user-${domain}` }
  const paid = await make('/v1/deposit', depositBody({ processId, amount, customer }))
  const deposit = (await findDeposit(app.db, shop.merchantId, paid)) ?? assert.fail('no deposit')
  await payDeposit(app, deposit, { bankReference: `FT-${domain}` })
  const pending = await make('/v1/deposit', depositBody({ processId: `${processId}-2`, amount: 84_000, customer }))
  const payee = { accountName: name, name, iban, userId: `id-of-${domain}` }
  const waits = await make('/v1/withdraw', withdrawBody({ ...payee, processId: `${processId}-3`, amount: 84_000 }))
  const ended = await make('/v1/withdraw', withdrawBody({ ...payee, processId: `${processId}-4`, amount: amount + 1 }))
  accepted(await shop.post(`/v1/transactions/${ended}/cancel`, {}), 200)
  const person = visitor(service, 'merchant')
  await person.logIn(`support@${domain}`, PASSWORD)
  return {
    ...shop,
    domain,
    name,
    processId,
    amount,
    iban,
    paid,
    pending,
    waits,
    ended,
    person,
    code: deposit.referenceCode,
  }
}

const mine = await addShop({
  ...{ domain: 'mine.example', name: 'Mehmet Öztürk', processId: 'SIP-20417', amount: 125_000 },
  iban: makeIban('0062', '29500006291296'),
})
const theirs = await addShop({
  ...{ domain: 'theirs.example', name: 'Gülşah Çınar', processId: 'ORD-77', amount: 333_300 },
  iban: makeIban('0010', '777731415926'),
})
// Of both, so that a merchant finds the own one only.
const twin = await addShop({ ...mine, domain: 'twin.example', processId: 'SIP-20417', iban: mine.iban })

const ask = ({ person }: typeof mine, text: string) => person.request(`/search?q=${encodeURIComponent(text)}`)
async function idsFor(shop: typeof mine, text: string): Promise<string[]> {
  const { status, text: page } = await ask(shop, text)
  assert.equal(status, 200, text)
  return [...page.matchAll(/data-href="\/merchant\/transactions\/(\w+)"/g)].map(([, id = '']) => id).toSorted()
}

test('id, code and processId, in any letter case, open the transaction', async () => {
  const opens = async (text: string) => (await ask(mine, text)).location
  for (const id of [mine.paid, mine.pending, mine.waits, mine.ended])
    for (const text of [id, id.toUpperCase(), ` ${id} `])
      assert.equal(await opens(text), `/merchant/transactions/${id}`)
  for (const text of [mine.code, mine.code.toLowerCase(), `${mine.code.slice(0, 4)}-${mine.code.slice(4)}`])
    assert.equal(await opens(text), `/merchant/transactions/${mine.paid}`, text)
  for (const text of ['SIP-20417', 'sip-20417']) assert.equal(await opens(text), `/merchant/transactions/${mine.paid}`)
  for (const text of ['SIP-20417-4', 'sip-20417-4']) assert.equal(await opens(text), `/merchant/transactions/${mine.ended}`) // prettier-ignore
})

const all = () => [mine.paid, mine.pending, mine.waits, mine.ended].toSorted()
const QUERIES: [what: string, texts: string[], found: () => string[]][] = [
  ['a name with Turkish folding', ['Mehmet Öztürk', 'mehmet ozturk', 'MEHMET ÖZT', 'Öztürk'], all],
  ['an amount', ['840', '840,00', '₺840', '840,00 TL'], () => [mine.pending, mine.waits].toSorted()],
  ['an amount with thousands', ['1.250,00', '1250', '1.250'], () => [mine.paid]],
  ['a name and an amount', ['mehmet 840', '840,00 TL Öztürk'], () => [mine.pending, mine.waits].toSorted()],
  ['an amount of one that has ended', ['1.250,01', 'öztürk 1250,01'], () => [mine.ended]],
  [
    'an IBAN or its end',
    [mine.iban, mine.iban.slice(-4), mine.iban.slice(-6)],
    () => [mine.waits, mine.ended].toSorted(),
  ],
  ["the merchant's id of a customer", ['id-of-mine.example'], all],
]
for (const [what, texts, found] of QUERIES)
  test(`${what} finds the own transactions only`, async () => {
    for (const text of texts) assert.deepEqual(await idsFor(mine, text), found(), text)
  })

test('names are shown in full and IBANs are masked, as in the lists', async () => {
  const byName = visibleText((await ask(mine, 'ozturk 1250,01')).text)
  assert.match(byName, /1 sonuç .*Mehmet Öztürk 1\.250,01 TL Çekim başarısız .*SIP-20417-4/)
  const byIban = (await ask(mine, mine.iban.slice(-6))).text
  assert.match(visibleText(byIban), /Mehmet Öztürk IBAN TR\d\d •••• 1296/)
  assert.ok(!byIban.includes(mine.iban))
})

/** Without what was typed, and the moment that would be printed. */
const shown = (text: string) =>
  text
    .replace(/(id="find"\s+value=")[^"]*/, '$1')
    .replace(/(href="\?q=)[^&]*/, '$1')
    .replace(/“.*”/, '')
    .replace(/(class="print-only printed">.* · )<time.*?<\/time>/, '$1')

test('what another merchant has is not found, and the page is the same as for what nobody has', async () => {
  const { paid, pending, waits, ended, processId, code, name, iban, merchantId, amount } = theirs
  const named = [processId, processId.toLowerCase(), `${processId}-3`, code, merchantId, `FT-${theirs.domain}`]
  const described = [
    name,
    'gulsah',
    `${amount / 100}`,
    '3.333,00',
    '3333,01',
    `${name} 840`,
    iban,
    iban.slice(-4),
    iban.slice(-6),
  ]
  const marks = [`/${merchantId}`, `=${amount}`, `gulsah /${merchantId}`, `' | '/${merchantId}`, '---', '*']
  for (const role of MERCHANT_ROLES) {
    const person = visitor(service, 'merchant')
    await person.logIn(`${role}@mine.example`, PASSWORD)
    const none = await person.request('/search?q=qqqqqqqqqq')
    assert.match(visibleText(none.text), /“qqqqqqqqqq” için sonuç bulunamadı\. Neler aranabilir\?/)
    for (const text of [paid, pending, waits, ended, ...named, ...described, ...marks]) {
      const other = await person.request(`/search?q=${encodeURIComponent(text)}`)
      assert.deepEqual([other.status, shown(other.text)], [none.status, shown(none.text)], text)
    }
  }
  assert.deepEqual(await idsFor(theirs, name), [paid, pending, waits, ended].toSorted(), 'they find it')
})

test('what several merchants have is found for each among its own', async () => {
  assert.deepEqual(await idsFor(twin, 'mehmet ozturk'), [twin.paid, twin.pending, twin.waits, twin.ended].toSorted())
  assert.deepEqual(await idsFor(twin, twin.iban), [twin.waits, twin.ended].toSorted())
  assert.deepEqual(await idsFor(theirs, '840'), [theirs.pending, theirs.waits].toSorted())
  assert.equal((await ask(twin, 'sip-20417')).location, `/merchant/transactions/${twin.paid}`)
})

test('bank lines are not searched, nor shown', async () => {
  assert.deepEqual(await idsFor(mine, `FT-${mine.domain}`), [])
  assert.doesNotMatch((await ask(mine, 'mehmet')).text, /matching|Banka satırı|satır no/)
})

test('every page has the box; without a text the page says what can be searched', async () => {
  for (const path of ['', '/deposits', '/balance', '/own', `/transactions/${'f'.repeat(24)}`])
    assert.match(
      (await mine.person.request(path)).text,
      /<form class="find" role="search" action="\/merchant\/search">/,
    )
  for (const path of ['/search', '/search?q=', '/search?q=%20', '/search?q=a&q=b'])
    assert.match(visibleText((await mine.person.request(path)).text), /Neler aranabilir\?\s+Ad\s+mehmet ozturk/)
  const english = (await mine.person.request('/search?q=ozturk&lang=en')).text
  assert.match(visibleText(english), /4 results Search Customer \/ recipient Amount/)
  assert.match(english, /href="\?q=ozturk&#38;lang=tr"/, 'the other language keeps the search')
})
