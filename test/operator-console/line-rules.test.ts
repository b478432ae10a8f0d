import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyRules, listRules } from '../../packages/server/src/domain/books/index.ts'
import { listProposals } from '../../packages/server/src/domain/proposals/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { openJournal } from '../harness/journal.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { hiddenIn, visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app, baseUrl } = service
const journal = await openJournal(app)
const browser = await openBrowser()
await addPerson(service, 'ada.aksoy', ['cashier'], 'ayse.yilmaz')
await addPerson(service, 'bora.boz', ['approver'], 'ayse.yilmaz')
const [ada, bora] = [visitor(service), visitor(service)]
await ada.logIn('ada.aksoy')
await bora.logIn('bora.boz')

const RULE = { kind: 'bank_charge', direction: 'debit', account: '', words: 'fast masrafı', max: '10,00', books: 'yes' }
const WHY = { why: 'price list of the bank' }
const fee = (narrative: string) => journal.arrives('debit', 640n, { narrative, senderName: '' })

test('from a line to a rule in the browser: tried, proposed, approved by another, and the line is booked', async () => {
  const lineId = await fee('FAST MASRAFI 00421')
  const { page, problems } = await openPage(browser, baseUrl)
  await page.goto('/operator/login')
  await page.fill('[name=name]', 'ada.aksoy')
  await page.fill('[name=password]', PASSWORD)
  await Promise.all([page.waitForURL(/\/operator$/), page.click('form button')])
  await page.goto(`/operator/matching/${lineId}`)
  await Promise.all([page.waitForURL(/\/rules\?/), page.click('a[href*="/rules?"]')])
  assert.equal(await page.inputValue('[name=words]'), 'FAST MASRAFI')
  assert.equal(await page.inputValue('[name=max]'), '6,40')
  await Promise.all([page.waitForURL(/\/rules\/try/), page.click('form[action$="/rules/try"] button')])
  await isSound(page, 'the tried rule')
  await page.fill('form[action$="/rules/try"] [name=why]', WHY.why)
  await Promise.all([page.waitForURL(/\/rules/), page.click('button[formaction$="/rules"]')])
  const [proposal] = await listProposals(app, 1)
  assert.equal(proposal?.kind, 'rule.set')
  const path = `/proposals/${proposal?.id}/approve`
  const card = (await bora.request('/approvals')).text
  assert.match(card, /\/operator\/rules\?kind=bank_charge&#38;direction=debit&#38;account=&#38;words=FAST\+MASRAFI/)
  const hidden = Object.fromEntries(hiddenIn(card, `/operator${path}`))
  assert.equal((await bora.request(path, hidden)).status, 303)
  assert.equal(await applyRules(app), 1)
  assert.equal((await findLine(app.db, lineId))?.reason, 'bank_charge')
  await page.goto('/operator/rules')
  await isSound(page, 'the list of rules')
  assert.deepEqual(problems, [])
})

test('a rule that is too wide says so; one person pauses it; two take back what it booked', async () => {
  const other = await fee('FAST MASRAFI iade')
  await journal.post('bank_tax', { lineIds: [other] }).catch(() => assert.fail('the rule had booked it'))
  const csrf = await ada.csrf('/rules')
  const tried = visibleText((await ada.request('/rules/try', { ...RULE, csrf })).text)
  assert.match(tried, /1 satır, 6,40 TL zaten böyle açıklanmış/)
  assert.match(tried, /1 satır, 6,40 TL başka türlü açıklanmış/)
  const [rule] = await listRules(app)
  const id = rule?.id ?? assert.fail('no rule')
  assert.equal((await ada.request(`/rules/${id}/pause`, { ...WHY, csrf })).status, 303)
  assert.deepEqual(
    (await listRules(app)).map(({ state }) => state),
    ['paused'],
  )
  assert.equal((await ada.request(`/rules/${id}/undo`, { ...WHY, csrf })).status, 303)
  assert.equal((await listProposals(app, 1))[0]?.kind, 'rule.undo')
  const wrong = await ada.request('/rules/try', { ...RULE, words: 'x', csrf })
  assert.match(visibleText(wrong.text), /4–100 karakter/)
})
