import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { setMatching, setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import {
  decideDoubt,
  dispatchWithdrawals,
  listInDoubt,
  submitPayouts,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { approveTwice } from '../harness/approvals.ts'
import { withdrawBody } from '../harness/examples.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { hiddenIn, visibleText } from '../harness/page-text.ts'
import { someDeposits } from '../harness/payments.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

// What cards say to people before they decide.
const service = await startService()
const { app } = service
const bank = await startPlainBank()
app.connections.push(bankApiConnection(bank.connection))
const shop = await service.merchant({ name: 'Mürekkep Kitabevi', funds: 10_000_000n })
const journal = await openJournal(app)
await giveLogin(service, 'mehmet.kaya')
const person = visitor(service)
await person.logIn('mehmet.kaya')

/** What a page says of one card. */
async function cardOf(path: string, id: string): Promise<string> {
  const [, from = ''] = (await person.request(path)).text.split(`data-item="${id}"`)
  return visibleText(`<body>${from.split('</article>')[0] ?? ''}`)
}

const places = async (path: string, ids: string[]) => {
  const { text } = await person.request(path)
  return ids.map((id) => text.indexOf(`data-item="${id}"`))
}

async function withdraw(changes: Record<string, unknown>): Promise<string> {
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody(changes))).body.data
  await dispatchWithdrawals(app)
  return transactionId as string
}

test('several withdrawals to one IBAN, under different names: each card says so', async () => {
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 1n })
  const first = await withdraw({ processId: 'CEK-100', accountName: 'Ayşe Yılmaz' })
  assert.match(await cardOf('/approvals', first), /Satıcının işlem no’su CEK-100/)
  assert.match(await cardOf('/approvals', first), /bu IBAN’a ilk ödeme/)
  assert.match(await cardOf('/approvals', first), /\([\d.]+,\d\d TL ≥ 0,01 TL\)/, 'the figures of the rule')
  assert.doesNotMatch(await cardOf('/approvals', first), /bekleyen/)
  const second = await withdraw({ accountName: 'AYSE YILMAZ' })
  assert.match(await cardOf('/approvals', first), /bu IBAN’a bekleyen 2 çekim var/)
  await withdraw({ accountName: 'Kerem Aslan' })
  assert.match(await cardOf('/approvals', second), /bu IBAN’a bekleyen 3 çekim var: 2 farklı ad/)
})

test('first payment to an IBAN is true now, not when it was asked for', async () => {
  const iban = 'TR330006100519786457841326'
  const [paid, waits] = [await withdraw({ iban }), await withdraw({ iban })]
  assert.match(await cardOf('/approvals', waits), /ilk ödeme/)
  await approveTwice(app, [AYSE, MEHMET], paid)
  await dispatchWithdrawals(app)
  await submitPayouts(app)
  assert.match(await cardOf('/approvals', waits), /bu IBAN’a 1 ödeme, toplam/)
})

test('unknown payouts and journal proposals are listed oldest first, with the number of the merchant', async () => {
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: null })
  bank.behave({ submit: () => 'reset', find: () => 'reset' })
  const ids: string[] = []
  for (const processId of ['CEK-301', 'CEK-302']) {
    ids.push(await withdraw({ processId, amount: 12_345, iban: 'TR330006100519786457841326' }))
    await submitPayouts(app)
    await travelTo(app, ids.length * 60)
  }
  const [older = 0, newer = 0] = await places('/payouts', ids)
  assert.ok(older > 0 && older < newer, `${older} ${newer}`)
  assert.match(await cardOf('/payouts', ids[0] ?? ''), /Satıcının işlem no’su CEK-301/)
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 1n })
  const waits = await withdraw({ iban: 'TR330006100519786457841326' })
  assert.match(await cardOf('/approvals', waits), /bu IBAN’a bekleyen 4 çekim var/, 'unknown ones may still be paid')
  const charges = [await journal.arrives('debit', 501n), await journal.arrives('debit', 502n)]
  const proposed = []
  for (const line of charges) proposed.push((await journal.propose('bank_charge', { lineIds: [line] })).id)
  const [one = 0, two = 0] = await places('/approvals', proposed)
  assert.ok(one > 0 && one < two, `${one} ${two}`)
  const debit = await journal.arrives('debit', 12_345n)
  assert.match(visibleText((await person.request(`/matching/${debit}`)).text), /Mürekkep Kitabevi · CEK-301 · /)
})

test('our own transfer: the IBAN of our other account, and the other account, speak for it', async () => {
  const { here, there } = journal
  const debit = await journal.arrives('debit', 77_700n, { senderIban: there.iban })
  const credit = { accountIban: there.iban, senderIban: here.iban }
  await journal.arrives('credit', 77_700n, credit)
  const { text } = await person.request(`/matching/${debit}`)
  const [, table = ''] = /Hesaplarımız arası aktarım[^]*?<tbody>([^]*?)<\/tbody>/.exec(text) ?? []
  const rows = visibleText(`<body>${table}`)
  assert.match(rows, /IBAN .* = uyuyor/)
  assert.match(rows, /Hesap .* = diğer hesabımız/)
  assert.doesNotMatch(rows, /≠/)
})

test('money of a sender that is proposed as interest or a charge: both people are warned', async () => {
  const warned = /gönderenin parası .* bizim sonucumuz/
  const credit = await journal.arrives('credit', 99_950n, { senderName: 'Veli Can' })
  const preview = async (line: string) => visibleText((await person.request(`/matching/${line}?entry=interest`)).text)
  assert.match(await preview(credit), warned)
  const { id } = await journal.propose('interest', { lineIds: [credit] })
  assert.match(await cardOf('/approvals', id), warned)
  const ofBank = await journal.arrives('credit', 1_100n, { senderName: '', narrative: 'FAIZ TAHAKKUKU' })
  assert.doesNotMatch(await preview(ofBank), warned)
})

test('no journal entry is proposed while a match of the line waits', async () => {
  await setMatching(app, UNATTRIBUTED, shop.merchantId, { approveFrom: 1n })
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 45_600n)
  const line = await journal.arrives('credit', 45_600n, { senderName: 'Kerem Aslan' })
  const { text } = await person.request(`/matching/${line}?entry=interest`)
  const form = hiddenIn(text, `/operator/matching/${line}/preview?entry=interest`)
  const fields = Object.fromEntries(form.length > 0 ? form : hiddenIn(text, `/operator/matching/${line}/preview`))
  assert.ok(fields['seen'], 'a preview')
  await makeProposal(
    app,
    AYSE,
    'line.match',
    { lineId: line, depositId: deposit?.id ?? '' },
    { reason: 'the customer says so' },
  )
  const refused = await person.request(`/matching/${line}/propose`, { ...fields, why: 'faiz geldi' })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /ayse\.yilmaz bunun için zaten öneri yaptı/)
})

test('the audit of a first opinion says that nothing has changed', async () => {
  const [payout] = await listInDoubt(app.db, 1)
  await decideDoubt(app, AYSE, payout?.withdrawalId ?? '', {
    verdict: 'found',
    evidence: 'FT-11223344',
    unproven: false,
  })
  // Who has not reported yet does not see it.
  await giveLogin(service, 'ayse.yilmaz')
  const ayse = visitor(service)
  await ayse.logIn('ayse.yilmaz')
  const told = visibleText((await ayse.request('/audit')).text)
  assert.match(told, /görüş: .*tek görüş; henüz bir şey değişmedi/)
  assert.doesNotMatch(told, /sonucu bilinmiyor →/)
})

test('the search finds a payout by the reference that people entered, not before two have', async () => {
  const [payout] = await listInDoubt(app.db, 1)
  const search = async () => visibleText((await person.request('/search?q=FT-11223344')).text)
  const row = new RegExp(`bankanın no’su F.* ${payout?.withdrawalId}`)
  assert.doesNotMatch(await search(), row, 'the second person must not copy the first')
  const said = { verdict: 'found' as const, evidence: 'FT-11223344', unproven: false }
  await decideDoubt(app, MEHMET, payout?.withdrawalId ?? '', said)
  assert.match(await search(), row)
})
