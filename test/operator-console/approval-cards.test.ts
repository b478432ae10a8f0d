import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { JournalKind, Terms } from '../../packages/server/src/domain/books/index.ts'
import { approveProposal, makeProposal, showProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { suspendByHand } from '../../packages/server/src/domain/matching/index.ts'
import { setRoles } from '../../packages/server/src/domain/people/index.ts'
import { linesOfDeposit, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const live = { ...app, sandbox: false }
const shop = await service.merchant()
const journal = await openJournal(app)
await giveLogin(service, 'mehmet.kaya')
const person = visitor(service)
await person.logIn('mehmet.kaya')

/** The card of the newest proposal, as another person sees it. */
async function cardOf(kind: JournalKind, terms: Partial<Terms>) {
  return shownCard((await journal.propose(kind, terms)).id)
}

async function shownCard(id: string) {
  const { text } = await person.request('/approvals')
  const [, from = ''] = text.split(`data-item="${id}"`)
  const card = from.split('</article>')[0] ?? ''
  return { id, card, words: visibleText(`<body>${card}`) }
}

async function paid() {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 84_000n)
  if (!deposit) return assert.fail('no deposit')
  await payDeposit(app, deposit)
  const [line] = await linesOfDeposit(app.db, deposit.merchantId, deposit.id)
  return { deposit, line: line ?? assert.fail('no line') }
}

async function storno() {
  const { deposit, line } = await paid()
  const accountIban = (await app.banks.account(line.collectingAccountId))?.iban ?? ''
  const debit = await journal.arrives('debit', 84_000n, { accountIban, narrative: `STORNO ${line.bankReference}` })
  return { deposit, line, debit }
}

const linkTo = (page: string, id: string) => new RegExp(`href="/operator/${page}/${id}"`)

test('a storno: the card names the deposit and says that it fails', async () => {
  const { deposit, line, debit } = await storno()
  const { card, words } = await cardOf('storno', { lineIds: [line.id, debit] })
  assert.match(card, linkTo('transactions', deposit.id))
  assert.match(words, new RegExp(`Yatırım .+ · ${deposit.processId} · ${deposit.id} ?: tamamlandı → başarısız`))
  assert.match(words, new RegExp(`Satır ${line.id} ?: eşleşti → defter kaydına bağlı`))
  assert.match(words, new RegExp(`Satır ${debit} ?: incelenecek →`))
})

test('a refund of a second payment: the card names the deposit that was paid twice', async () => {
  const { deposit } = await paid()
  await payDeposit(app, deposit)
  const second = (await listLines(app.db, 'suspense', 20)).find(({ narrative }) =>
    narrative.includes(deposit.referenceCode),
  )
  assert.ok(second)
  const { card, words } = await cardOf('refund_unexplained', {
    lineIds: [second.id],
    iban: 'TR620006200029500006291296',
  })
  assert.match(card, linkTo('transactions', deposit.id))
  assert.match(words, new RegExp(`İkinci ödemesi olduğu yatırım: .+ · ${deposit.processId} · ${deposit.id}`))
})

test('a match is taken back only with a choice what the deposit becomes, which is on the card', async () => {
  const { deposit } = await paid()
  const form = `/matching/entry?entry=unmatch&deposit=${deposit.id}`
  const asked = (await person.request(form)).text
  assert.match(asked, /<select name="to" required/)
  assert.doesNotMatch(asked, /name="seen"/, 'no preview of what was not chosen')
  assert.match((await person.request(`${form}&to=failed`)).text, /name="seen"/)
  const { words } = await cardOf('unmatch', { depositId: deposit.id, to: 'processing' })
  assert.match(words, new RegExp(`Yatırım .+ · ${deposit.processId} · ${deposit.id} ?: tamamlandı → işleniyor`))
})

test('a proposal that another version wrote, in terms, rows or kind: a card that can only be rejected', async () => {
  const propose = async () => {
    const terms = { merchantId: shop.merchantId, add: ['203.0.113.7'] }
    const asked = await makeProposal(live, operatorActor('ayse.yilmaz'), 'merchant.networks', terms)
    return asked.state === 'open' ? asked.proposal.id : assert.fail(asked.state)
  }
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const payload = (text: string) => sql`payload = ${text}, payload_sha256 = ${hash(text)}`
  const written: [string, Sql][] = [
    ['other terms', payload('{"file":"a.xml"}')],
    ['no object', payload('null')],
    ['no JSON', payload('{')],
    ['other rows', sql`description = '[{"label":"file","value":"a.xml"}]'`],
    ['rows of an unknown form', sql`description = '[{"field":"x","as":"money","before":null,"after":"much"}]'`],
    ['no list', sql`description = '{"rows":3}'`],
    ['a kind that is not known', sql`kind = 'merchant.moon'`],
    ['a kind with other terms', sql`kind = 'statement.import'`],
  ]
  for (const [what, change] of written) {
    const id = await propose()
    await app.db.query(sql`alter table proposals disable trigger user`)
    await app.db.query(sql`update proposals set ${change} where id = ${id}`)
    await app.db.query(sql`alter table proposals enable trigger user`)
    const { status, text } = await person.request('/approvals')
    assert.equal(status, 200, what)
    const card = text.split(`data-item="${id}"`)[1]?.split('</article>')[0] ?? ''
    assert.match(visibleText(`<body>${card}`), /öneriyi başka bir Vezne sürümü yazdı/, what)
    assert.doesNotMatch(card, /\/approve"/, what)
    const csrf = await person.csrf()
    const { seenSha256 } = await showProposal(live, id)
    await assert.rejects(approveProposal(live, operatorActor('mehmet.kaya'), id, seenSha256), Refusal, what)
    assert.equal((await person.request(`/statements/proposed/${id}`)).status < 500, true, what)
    assert.equal((await person.request(`/merchants/${shop.merchantId}`)).status, 200, what)
    const rejected = await person.request(`/proposals/${id}/reject`, { csrf, why: 'başka sürüm' })
    assert.match(rejected.location ?? '', /said=proposalRejected/, `${what}: ${visibleText(rejected.text)}`)
    assert.equal((await showProposal(live, id)).state, 'rejected')
  }
})

test('a line that was decided meanwhile: the card of another proposal about it says so, and can only be rejected', async () => {
  const line = await journal.arrives('credit', 799n)
  const { id, card: before } = await cardOf('interest', { lineIds: [line] })
  assert.match(before, new RegExp(`/proposals/${id}/approve"`))
  await suspendByHand(app, AYSE, line)
  const { text } = await person.request('/approvals')
  const after = text.split(`data-item="${id}"`)[1]?.split('</article>')[0] ?? ''
  assert.match(visibleText(`<body>${after}`), /Bu öneriden sonra bilgiler değişti/)
  assert.doesNotMatch(after, /\/approve"/)
  assert.match(after, new RegExp(`/proposals/${id}/reject"`))
})

test('a change of settings names the bank or the account that it is about, in words', async () => {
  const ayse = operatorActor('ayse.yilmaz')
  const limits = { bank: '0046', currency: 'TRY', minAmount: 1n, maxAmount: 2000n }
  const asked = await makeProposal(live, ayse, 'bank.limits', limits, { reason: 'the bank lowered it' })
  const { words } = await shownCard(asked.state === 'open' ? asked.proposal.id : assert.fail(asked.state))
  assert.match(words, /Akbank \(TRY\)/)
  assert.doesNotMatch(words, /bank:|0046/)
  live.connections.push(manualConnection)
  const account = { iban: makeIban('0062', '5150'), title: 'Örnek Ödeme A.Ş.', currency: 'TRY' }
  const opened = await makeProposal(live, ayse, 'account.open', account, { reason: 'a second account' })
  const card = await shownCard(opened.state === 'open' ? opened.proposal.id : assert.fail(opened.state))
  assert.match(card.words, /· TR\d\d 0006 2000 0000 0000 0051 50/)
  // An address is shown as it is approved.
  const url = 'https://shop.example/cb/2026-01-31'
  const added = await makeProposal(
    live,
    ayse,
    'endpoint.add',
    { merchantId: shop.merchantId, url },
    { reason: 'new address' },
  )
  const { words: address } = await shownCard(added.state === 'open' ? added.proposal.id : assert.fail(added.state))
  assert.ok(address.includes(url))
})

test('a proposal of a person who lost the right can only be rejected', async () => {
  const { id } = await cardOf('bank_charge', { lineIds: [await journal.arrives('debit', 899n)] })
  await setRoles(app, operatorActor('mehmet.kaya'), 'ayse.yilmaz', ['viewer'])
  const { text } = await person.request('/approvals')
  const card = text.split(`data-item="${id}"`)[1]?.split('</article>')[0] ?? ''
  assert.match(visibleText(`<body>${card}`), /ayse\.yilmaz artık yetkili değil/)
  assert.doesNotMatch(card, /\/approve"/)
  assert.match(card, new RegExp(`/proposals/${id}/reject"`))
})
