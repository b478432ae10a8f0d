import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { dispatchWithdrawals, stopOf } from '../../packages/server/src/domain/withdrawals/index.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { cheap, merchantUser, PASSWORD as MERCHANT_PASSWORD } from '../harness/logins.ts'
import { addPerson, formWith, PASSWORD, visitor } from '../harness/operator-console.ts'
import { hiddenIn, refusalIn } from '../harness/page-text.ts'
import { startWithBank } from '../harness/payouts.ts'
import { travelTo } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service
await addPerson(service, 'ayse.yilmaz')
const shop = await service.merchantWithMoney(9_000_000n)
await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 100n })

const PROOF = { 'proof-password': PASSWORD }

/** Logged in eleven minutes ago. */
async function enterEarlier() {
  await travelTo(app, 0)
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  await travelTo(app, 11 * 60)
  return { person, csrf: await person.csrf() }
}

async function waiting(): Promise<string> {
  const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody()), 201)
  await dispatchWithdrawals(app)
  return transactionId as string
}

test('what was typed goes through the proof, and the decision is taken with it', async () => {
  const { person, csrf } = await enterEarlier()
  const id = await waiting()
  const path = `/withdrawals/${id}/reject`
  const note = 'müşteri "vazgeçti" <b>&amp;\r\nikinci satır'
  const asked = await person.request(path, { csrf, note })
  assert.equal(asked.status, 200)
  assert.match(asked.text, /Parolanızı yeniden girin/)
  const kept = hiddenIn(asked.text, `/operator${path}`)
  assert.deepEqual(Object.fromEntries(kept), { csrf, note })
  assert.equal((await mustFind(app, id)).state, 'awaiting_approval', 'nothing is decided yet')
  const wrong = await person.request(path, { ...Object.fromEntries(kept), 'proof-password': 'not my password' })
  assert.deepEqual([wrong.status, refusalIn(wrong.text)], [409, 'Parola yanlış.'])
  assert.deepEqual(hiddenIn(wrong.text, `/operator${path}`), kept, 'still there')
  assert.doesNotMatch(wrong.text, /not my password/)
  const done = await person.request(path, { ...Object.fromEntries(kept), ...PROOF })
  assert.match(done.location ?? '', /approvals\?said=rejected/)
  assert.equal((await mustFind(app, id)).state, 'failed')
  assert.equal((await stopOf(app.db, await mustFind(app, id)))?.reason, note)
  const again = await person.request('/own/app', { csrf })
  assert.match(again.text, /İkinci adımı kurun/, 'the proof counts for ten minutes')
})

test('fields of one name, their order and the query of the address stay as they were', async () => {
  const { person, csrf } = await enterEarlier()
  const path = `/matching/${'f'.repeat(24)}/preview?kind=credits&amount=840%2C00`
  const given: [string, string][] = [
    ['csrf', csrf],
    ['part', 'a'],
    ['partAmount', '1,00'],
    ['part', 'b'],
    ['partAmount', ''],
  ]
  const { text } = await person.request(path, new URLSearchParams(given))
  assert.deepEqual(hiddenIn(text, `/operator${path}`), given)
})

test('with a proof, too, a form needs the token of its session; with a right proof the role still counts', async () => {
  const { person, csrf } = await enterEarlier()
  const id = await waiting()
  const path = `/withdrawals/${id}/reject`
  assert.equal((await person.request(path, { ...PROOF, csrf: 'x' })).status, 403)
  const elsewhere = { 'sec-fetch-site': 'cross-site' }
  assert.equal((await person.request(path, { ...PROOF, csrf }, elsewhere)).status, 403)
  await travelTo(app, 0)
  await addPerson(service, 'bora.boz', ['viewer'], 'ayse.yilmaz')
  const viewer = visitor(service)
  await viewer.logIn('bora.boz')
  await travelTo(app, 11 * 60)
  assert.equal((await viewer.request(path, { ...PROOF, csrf: await viewer.csrf() })).status, 403)
  assert.equal((await mustFind(app, id)).state, 'awaiting_approval')
})

test('secrets and files are not carried: they are given again', async () => {
  const { person, csrf } = await enterEarlier()
  const code = await person.request('/own/app/confirm', { csrf, code: '123456' })
  assert.equal(code.location, '/operator/prove?back=/own')
  const { text } = await person.request('/prove?back=/own')
  assert.deepEqual(Object.fromEntries(hiddenIn(text, '/operator/prove')), { csrf, back: '/own' })
  const outside = await person.request('/prove?back=https://evil.example')
  assert.deepEqual(Object.fromEntries(hiddenIn(outside.text, '/operator/prove')), { csrf, back: '' })
  assert.equal((await person.request('/prove', { csrf, back: '/own', ...PROOF })).location, '/operator/own')
  await travelTo(app, 0)
  await merchantUser(cheap(app), shop.merchantId, 'ece@shop.example')
  const owner = visitor(service, 'merchant')
  await owner.logIn('ece@shop.example', MERCHANT_PASSWORD)
  await travelTo(app, 11 * 60)
  const logo = await owner.request('/brand/logo', formWith({ csrf: await owner.csrf() }, 'logo.png', 'x'))
  assert.equal(logo.location, '/merchant/prove?back=/brand')
})
