import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { withdrawBody } from '../harness/examples.ts'
import { openJournal } from '../harness/journal.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'

// What a person sees who may look and not decide.
const service = await startService()
const { app } = service
app.connections.push(bankApiConnection((await startPlainBank()).connection))
const shop = await service.merchant({ funds: 1_000_000n })
const journal = await openJournal(app)
await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 1n })
await addPerson(service, 'ali.izler', ['viewer'])
const person = visitor(service)
await person.logIn('ali.izler')

/** The form that is sent to this path. */
async function formOf(page: string, path: string): Promise<string> {
  const { text } = await person.request(page)
  const [, from] = text.split(`action="/operator${path}"`)
  return `<body>${(from ?? assert.fail(`no form ${path}`)).split('</form>')[0]}`
}

test('a button that a person may not press says which role it takes; there is nothing to type', async () => {
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await dispatchWithdrawals(app)
  for (const act of ['approve', 'reject']) {
    const form = await formOf('/approvals', `/withdrawals/${id}/${act}`)
    assert.match(form, /<button[^>]* disabled/)
    assert.match(visibleText(form), /onaylayan rolü gerekir/)
  }
  assert.match(
    await formOf('/approvals', `/withdrawals/${id}/reject`),
    /<fieldset class="closed[^"]*" disabled>[^]*name="note"/,
  )
  const line = await journal.arrives('debit', 799n)
  const dismiss = visibleText(await formOf(`/matching/${line}`, `/matching/${line}/dismiss`))
  assert.match(dismiss, /vezne görevlisi veya onaylayan rolü gerekir/)
  const preview = await formOf(`/matching/${line}?entry=storno`, `/matching/${line}/preview`)
  assert.match(visibleText(preview), /rolü gerekir/)
  assert.match(preview, /<fieldset class="closed/)
})

test('a setting is shown to who may not change it, and says who may', async () => {
  const { text } = await person.request(`/merchants/${shop.merchantId}`)
  assert.match(text, /<fieldset class="closed shown" disabled>/)
  assert.match(visibleText(text), /yönetici rolü gerekir/)
})

test('who is refused for a role finds the way back to the page of the form', async () => {
  const line = await journal.arrives('debit', 801n)
  const csrf = await person.csrf()
  const { status, text } = await person.request(`/matching/${line}/dismiss`, { csrf, why: 'banka saymıyor' })
  assert.equal(status, 403)
  assert.match(visibleText(text), /Bu karar için vezne görevlisi veya onaylayan rolü gerekir\./)
  assert.match(text, new RegExp(`<a href="/operator/matching/${line}">Önceki sayfaya dön</a>`))
})
