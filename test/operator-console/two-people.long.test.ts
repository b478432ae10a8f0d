import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { balanceOf } from '../../packages/server/src/domain/ledger/index.ts'
import {
  decideDoubt,
  dispatchWithdrawals,
  findPayout,
  rejectWithdrawal,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import {
  countWaiting,
  openAsProposed,
  rejectProposal,
  makeProposal,
} from '../../packages/server/src/domain/proposals/index.ts'
import { setRoles } from '../../packages/server/src/domain/people/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { approve, openApproval } from '../harness/approvals.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { hiddenIn, refusalIn, visibleText } from '../harness/page-text.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { travelTo } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service
const [AYSE, MEHMET] = ['ayse.yilmaz', 'mehmet.kaya'] as const
for (const name of [AYSE, MEHMET]) await addPerson(service, name)
const AUDITOR = 'deniz.su'
await addPerson(service, AUDITOR, ['auditor'])
const shop = await service.merchantWithMoney(9_000_000n)
await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 500_000n })
const { lineAbout } = openPayoutLines(service, shop)
afterEach(() => travelTo(app, 0))

const DAY = 86_400

async function enter(name: string) {
  const person = visitor(service)
  await person.logIn(name)
  const csrf = await person.csrf()
  const send = (path: string, fields: Record<string, string> = {}) =>
    person.request(path, { csrf, 'proof-password': PASSWORD, ...fields })
  return { ...person, send }
}

const cardOf = (text: string, id: string) =>
  text.split('<article').find((one) => one.includes(`data-item="${id}"`)) ?? ''

const withdraw = async (amount: number) =>
  accepted(await shop.post('/v1/withdraw', withdrawBody({ amount })), 201).transactionId as string

test('an approval is taken back on its card with a reason, and given again', async () => {
  const id = await withdraw(600_000)
  await dispatchWithdrawals(app)
  const [ayse, mehmet] = [await enter(AYSE), await enter(MEHMET)]
  const seen = async () => {
    const { text } = await mehmet.request('/approvals')
    return Object.fromEntries(hiddenIn(text, `/operator/withdrawals/${id}/approve`))['seen'] ?? ''
  }
  const first = await seen()
  const older = await ayse.send(`/withdrawals/${id}/approve`, { seen: first.replace(/^.{12}/, 'f'.repeat(12)) })
  assert.match(refusalIn(older.text), /gördüğünüzden farklı/)
  const approved = await ayse.send(`/withdrawals/${id}/approve`, { seen: first })
  assert.match(approved.location ?? '', /said=approved$/)
  const path = `/proposals/${(await openApproval(app, id)).id}/reject`
  const others = cardOf((await mehmet.request('/approvals')).text, id)
  assert.doesNotMatch(others, /\/proposals\//, 'only its giver has the button')
  assert.match(visibleText(`<body ${others}`), /Onaylayan ayse\.yilmaz \d\d\.\d\d\.\d{4} \d\d:\d\d/, 'since when')
  const own = cardOf((await ayse.request('/approvals')).text, id)
  assert.match(own, new RegExp(`${path}"`))
  assert.match(visibleText(`<body ${own}`), /Siz onayladınız/)
  assert.doesNotMatch(own, new RegExp(`withdrawals/${id}/approve"`))
  const short = await ayse.send(path, { why: 'n\0o' })
  assert.match(refusalIn(short.text), /Neden: en az beş karakter yazın/)
  const taken = await ayse.send(path, { why: 'yanlış müşteri' })
  assert.match(taken.location ?? '', /said=proposalRejected/)
  assert.match(visibleText((await mehmet.request(`/transactions/${id}`)).text), /Onayını geri aldı ayse.yilmaz yanlış/)
  assert.match(visibleText(`<body ${cardOf((await mehmet.request('/approvals')).text, id)}`), /Onaylayan henüz kimse/)
  const again = await mehmet.send(`/withdrawals/${id}/approve`, { seen: await seen() })
  assert.match(again.location ?? '', /said=approved$/)
  assert.equal((await mustFind(app, id)).state, 'awaiting_approval')
  const second = await ayse.send(`/withdrawals/${id}/approve`, { seen: first })
  assert.match(second.location ?? '', /said=approvedFully/)
  const late = await mehmet.send(`/withdrawals/${id}/approve`, { seen: first })
  assert.match(refusalIn(late.text), /ayse\.yilmaz sizden önce karar verdi: onaylandı/)
  const tooLate = await ayse.send(path, { why: 'yanlış müşteri' })
  assert.match(refusalIn(tooLate.text), /Buna zaten karar verdiniz: öneri geri alındı/)
})

test('approvals of withdrawals are no proposals of the list below, nor of its count', async () => {
  const id = await withdraw(600_000)
  await dispatchWithdrawals(app)
  await approve(app, operatorActor(AYSE), id)
  const { id: change } = await openApproval(app, id)
  const mehmet = await enter(MEHMET)
  assert.equal(cardOf((await mehmet.request('/approvals')).text, change), '')
  assert.deepEqual([await countWaiting(app), await openAsProposed(app, 10)], [0, []])
  await rejectWithdrawal(app, operatorActor(AYSE), id, 'only to see')
})

test('a rejection on a card takes a reason', async () => {
  const id = await withdraw(600_000)
  await dispatchWithdrawals(app)
  const ayse = await enter(AYSE)
  assert.match(cardOf((await ayse.request('/approvals')).text, id), /<input name="note" required minlength="5"/)
  const path = `/withdrawals/${id}/reject`
  assert.match(refusalIn((await ayse.send(path, { note: 'yok' })).text), /Açıklama: en az beş karakter yazın/)
  assert.equal((await mustFind(app, id)).state, 'awaiting_approval')
  assert.match((await ayse.send(path, { note: 'başka müşteri' })).location ?? '', /said=rejected/)
})

test('a card says whose word no longer counts', async () => {
  await addPerson(service, 'can.ay')
  const can = operatorActor('can.ay')
  const id = await withdraw(600_000)
  await dispatchWithdrawals(app)
  await approve(app, can, id)
  const asked = await makeProposal({ ...app, sandbox: false }, can, 'merchant.open_deposits', {
    merchantId: shop.merchantId,
    max: 1001,
  })
  const request = asked.state === 'open' ? asked.proposal : assert.fail(asked.state)
  const mehmet = await enter(MEHMET)
  const cards = async () => {
    const { text } = await mehmet.request('/approvals')
    return [id, request.id].map((one) => visibleText(`<body ${cardOf(text, one)}`))
  }
  for (const card of await cards()) assert.doesNotMatch(card, /artık yetkili değil/)
  await setRoles(app, operatorActor(MEHMET), 'can.ay', ['viewer'])
  const [withdrawal = '', change = ''] = await cards()
  assert.match(withdrawal, /Onaylayan can\.ay artık yetkili değil/)
  assert.match(withdrawal, /Bu onay artık geçerli değil[^]*Bu onayı reddet[^]*Reddet/)
  assert.match(change, /Öneren can\.ay artık yetkili değil/)
  const { text } = await mehmet.request('/approvals')
  assert.doesNotMatch(cardOf(text, id), new RegExp(`withdrawals/${id}/approve"`), 'it would be refused')
  await setRoles(app, operatorActor(MEHMET), 'can.ay', ['approver'])
  const [again = ''] = await cards()
  assert.doesNotMatch(again, /artık/)
  await setRoles(app, operatorActor(MEHMET), 'can.ay', ['viewer'])
  const { id: first } = await openApproval(app, id)
  const closed = await mehmet.send(`/proposals/${first}/reject`, { why: 'artık yetkili değil' })
  assert.match(closed.location ?? '', /said=proposalRejected/)
  assert.match(cardOf((await mehmet.request('/approvals')).text, id), new RegExp(`withdrawals/${id}/approve"`))
  await rejectWithdrawal(app, operatorActor(AYSE), id, 'only to see')
  await rejectProposal(app, operatorActor(AYSE), request.id, 'only to see')
})

/** Two people said that they found it; its debit never comes. */
async function foundByTwo(amount: number): Promise<string> {
  await service.call('PUT', 'faults', { kinds: ['error_before'], delayMs: 5 })
  const id = await withdraw(amount)
  await service.work()
  await service.call('DELETE', 'faults')
  for (const name of [AYSE, MEHMET])
    await decideDoubt(app, operatorActor(name), id, { verdict: 'found', evidence: '1042007731' })
  return id
}

test('found by two, and no debit comes: the tile leads to a page where two people end it', async () => {
  const before = (await balanceOf(app.db, shop.merchantId, 'TRY')).available
  const id = await foundByTwo(33_000)
  await travelTo(app, 7 * DAY)
  const [ayse, mehmet] = [await enter(AYSE), await enter(MEHMET)]
  assert.match((await ayse.request('')).text, /class="tile alarm" href="\/operator\/payouts\/unseen"/)
  const card = visibleText(`<body ${cardOf((await mehmet.request('/payouts/unseen')).text, id)}`)
  for (const told of [
    /330,00 TL/,
    /Satıcının işlem no’su [^ ]+ Banka/,
    /7 gün/,
    /ayse\.yilmaz : bulundu, 1042007731/,
    /Henüz görüş yok/,
  ])
    assert.match(card, told)
  const short = await ayse.send(`/payouts/unseen/${id}/never-paid`, { evidence: 'no' })
  assert.match(refusalIn(short.text), /en az beş karakter/)
  const first = await ayse.send(`/payouts/unseen/${id}/never-paid`, { evidence: 'banka yazdı: işlem yok' })
  assert.match(first.location ?? '', /payouts\/unseen\?said=yourOpinion/)
  const blind = cardOf((await mehmet.request('/payouts/unseen')).text, id)
  assert.doesNotMatch(blind, /banka yazdı/, 'the second does not see what the first found')
  assert.match(blind, /1 kişi/)
  const [page, own] = await Promise.all([mehmet, ayse].map((one) => one.request(`/transactions/${id}`)))
  assert.doesNotMatch(page?.text ?? '', /banka yazdı/)
  assert.match(visibleText(page?.text ?? ''), /siz bildirmeden gösterilmez/)
  assert.match(own?.text ?? '', /banka yazdı/)
  const audit = async (one: typeof ayse) => visibleText((await one.request(`/audit?subject=withdrawal:${id}`)).text)
  assert.doesNotMatch(await audit(mehmet), /banka yazdı|hiç ödenmedi/, 'nor in the audit')
  assert.match(await audit(mehmet), /siz bildirmeden gösterilmez/)
  const csv = async (one: typeof ayse) => (await one.send('/audit/export', { subject: `withdrawal:${id}` })).text
  assert.doesNotMatch(await csv(mehmet), /never_paid|banka yazdı/, 'nor in its export')
  assert.match(await csv(mehmet), /siz bildirmeden gösterilmez/)
  for (const one of [ayse, await enter(AUDITOR)]) assert.match(await csv(one), /never_paid/)
  for (const one of [ayse, await enter(AUDITOR)]) assert.match(await audit(one), /hiç ödenmedi[^]*banka yazdı/)
  assert.match((await (await enter(AUDITOR)).request(`/transactions/${id}`)).text, /banka yazdı/)
  const differs = await mehmet.send(`/payouts/unseen/${id}/paid`, { evidence: 'alıcı aldığını söyledi' })
  assert.match(differs.location ?? '', /said=unseenDiffer/)
  for (const path of ['/payouts/unseen', '/payouts/unseen?said=unseenDiffer']) {
    const told = visibleText((await mehmet.request(path)).text)
    assert.match(told, /çekim ödenmiş sayılır ve bu listede kalır/)
    assert.doesNotMatch(told, /bankaya sorulmaya devam edilir/, 'it is not asked about what it has accepted')
  }
  assert.match(cardOf((await mehmet.request('/payouts/unseen')).text, id), /banka yazdı/)
  assert.match(await audit(mehmet), /banka yazdı/)
  const back = await mehmet.send(`/payouts/unseen/${id}/take-back`, { why: 'başka alıcıydı' })
  assert.match(back.location ?? '', /said=opinionTakenBack/)
  assert.equal((await findPayout(app.db, id))?.state, 'sent')
  const second = await mehmet.send(`/payouts/unseen/${id}/never-paid`, { evidence: 'şube de teyit etti' })
  assert.match(second.location ?? '', /said=thirdNeeded/, 'he has seen what she found')
  assert.equal((await findPayout(app.db, id))?.state, 'sent')
  assert.match(cardOf((await ayse.request('/payouts/unseen')).text, id), /Üçüncü bir kişi bakıp bildirmeli/)
  const confirmed = await ayse.send(`/payouts/unseen/${id}/never-paid`, { evidence: 'banka yazdı: işlem yok' })
  assert.match(confirmed.location ?? '', /said=wasReturned/)
  const payout = await findPayout(app.db, id)
  assert.deepEqual([payout?.state, payout?.reason], ['returned', 'never_paid'])
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, before)
  assert.doesNotMatch((await ayse.request('/payouts/unseen')).text, new RegExp(id))
  const ended = visibleText((await ayse.request(`/transactions/${id}`)).text)
  assert.match(ended, /mehmet\.kaya: hiç ödenmedi/)
  assert.match(ended, /Çekim 330,00 TL hiç ödenmedi, para geri alındı/)
  assert.match(ended, /Hiç ödenmeyen çekimin geri alınması: Bankadaki para →/)
  assert.doesNotMatch(ended, /geri (döndü|geldi|dönen)|Geri dönen|tamamlandı → tamamlandı/)
})

test('a line that may be its debit, and a debit that came, are said in words', async () => {
  const id = await foundByTwo(44_000)
  const ayse = await enter(AYSE)
  const early = await ayse.send(`/payouts/unseen/${id}/paid`, { evidence: 'banka yazdı' })
  assert.match(refusalIn(early.text), /borç satırı hâlâ gelebilir/)
  await ingest(app, [await lineAbout(id, { amount: 44_000n, narrative: 'GIDEN', bankReference: 'cut' })])
  await matchAll(app)
  await travelTo(app, 7 * DAY)
  const later = await enter(AYSE)
  const refused = await later.send(`/payouts/unseen/${id}/paid`, { evidence: 'banka yazdı' })
  assert.match(
    refusalIn(refused.text),
    new RegExp(`: Banka satırı [0-9a-f]{24}, ${id} çekiminin borcu ya da iadesi olabilir`),
  )
  assert.match(cardOf((await later.request('/payouts/unseen')).text, id), /Ekstrede/)
})
