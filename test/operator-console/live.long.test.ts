import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { rejectProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { listSessions, revokeSession } from '../../packages/server/src/domain/identity/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { dispatchWithdrawals, rejectWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { RIGHTS } from '../../packages/server/src/domain/people/index.ts'
import { buildApi } from '../../packages/server/src/edges/api/app.ts'
import type { OperatorKind } from '../../packages/server/src/edges/operator-console/kind.ts'
import { framed, WORDS } from '../../packages/server/src/edges/operator-console/page.ts'
import { html } from '../../packages/server/src/edges/web/html.ts'
import { livePart } from '../../packages/server/src/edges/web/console/live-part.ts'
import { mountConsole } from '../../packages/server/src/edges/web/console/mount.ts'
import { liveView } from '../../packages/server/src/edges/web/console/routes.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { cheap } from '../harness/cheap-passwords.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { openOutage } from '../harness/entered-lines.ts'
import { MEHMET, openJournal } from '../harness/journal.ts'
import { giveLogin, PASSWORD, visitor } from '../harness/operator-console.ts'
import { startWithBank } from '../harness/payouts.ts'
import { travelTo, until } from '../harness/until.ts'

// Pages of the operator console that change while a person looks at them.
const service = await startWithBank()
const { app, baseUrl } = service
const browser = await openBrowser()
const shop = await service.merchantWithMoney(9_000_000n, { name: 'Mürekkep Kitabevi' })
const journal = await openJournal(app)
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await giveLogin(service, name)
await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 500_000n })

async function enter(name: string, options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  await opened.page.goto('/operator')
  await opened.page.getByLabel('Ad', { exact: true }).fill(name)
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  return opened
}

async function toApprove(amount = 750_000): Promise<string> {
  const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody({ amount })), 201)
  await dispatchWithdrawals(app)
  return transactionId as string
}
const cardOf = (page: Page, id: string) => page.locator(`[data-item="${id}"]`)

test('approvals: a new card appears and a decided one stays with a note, while a person types', async () => {
  const [first, second] = [await toApprove(), await toApprove()]
  const { page, problems } = await enter('ayse.yilmaz')
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.goto('/operator/approvals')
  const note = cardOf(page, second).getByLabel('Neden (en az 5 harf)')
  await note.fill('yarım kalmış bir')
  await note.evaluate((element) => Object.assign(globalThis, { typedIn: element }))
  const place = () => page.evaluate<number>('window.scrollY')
  const before = await place()
  assert.ok(before > 0, 'the page is scrolled')
  const third = await toApprove(800_000)
  await rejectWithdrawal(app, MEHMET, first, 'not wanted')
  await cardOf(page, third).waitFor()
  await cardOf(page, first).getByText('Artık listede değil').waitFor()
  assert.equal(await note.inputValue(), 'yarım kalmış bir')
  assert.ok(await page.evaluate('document.activeElement === typedIn && typedIn.isConnected'), 'the focus stays')
  await page.keyboard.type(' cümle')
  assert.equal(await note.inputValue(), 'yarım kalmış bir cümle')
  assert.ok(Math.abs((await place()) - before) < 100, 'what is on the screen stays there')
  await isSound(page, 'operator-live-approvals')
  for (const id of [second, third]) await rejectWithdrawal(app, MEHMET, id, 'not wanted')
  await cardOf(page, third).getByText('Artık listede değil').waitFor()
  assert.equal(await note.inputValue(), 'yarım kalmış bir cümle', 'also when the list is empty')
  await page.reload()
  assert.equal(await cardOf(page, second).count(), 0)
  assert.deepEqual(problems, [])
})

test('approvals: the card of a proposal says who rejected it, and why', async () => {
  const { propose } = await openOutage(app)
  const { id } = await propose()
  const { page, problems } = await enter('ayse.yilmaz')
  await page.goto('/operator/approvals')
  await cardOf(page, id).waitFor()
  await rejectProposal(app, MEHMET, id, 'dekontta başka tutar var')
  await cardOf(page, id).getByText('mehmet.kaya reddetti: dekontta başka tutar var').waitFor()
  assert.deepEqual(problems, [])
})

test('home and the list of the desk follow what arrives; what a person works on stays', async () => {
  const line = await journal.arrives('debit', 4_401n)
  const { page, problems, context } = await enter('ayse.yilmaz')
  const tile = page.getByRole('link', { name: /Açıklanacak çıkış/ })
  const desk = await context.newPage()
  await desk.goto(`/operator/matching/${line}`)
  await desk.locator('input[name=why]:visible, textarea[name=why]:visible').first().fill('bir şey')
  const text = await tile.textContent()
  const other = await journal.arrives('debit', 4_402n)
  await until(
    () => tile.textContent(),
    (now) => now !== text,
  )
  await cardOf(desk, other).waitFor()
  assert.equal(await desk.locator('[aria-current=true]').count(), 1)
  await journal.post('bank_charge', { lineIds: [other] })
  await cardOf(desk, other).getByText('Artık listede değil').waitFor()
  assert.equal(
    await desk.locator('input[name=why]:visible, textarea[name=why]:visible').first().inputValue(),
    'bir şey',
  )
  await isSound(desk, 'operator-live-desk')
  await journal.post('bank_charge', { lineIds: [line] })
  assert.deepEqual(problems, [])
})

test('a card whose facts changed is not replaced: the decision is refused, or made after looking again', async () => {
  const id = await toApprove()
  const { page } = await enter('ayse.yilmaz')
  await page.goto('/operator/approvals')
  await cardOf(page, id)
    .locator('input[name=seen]')
    .first()
    .evaluate((input) => Object.assign(input, { value: 'older' }))
  await rejectWithdrawal(app, MEHMET, await toApprove(), 'another one')
  await toApprove()
  await cardOf(page, id).getByText('Karar vermeden önce sayfayı yenileyin').waitFor()
  await cardOf(page, id).getByRole('button', { name: 'Onayla' }).click()
  await page.locator('.say.bad').waitFor()
})

test('payouts: one whose outcome becomes unknown appears by itself', async () => {
  const { page } = await enter('ayse.yilmaz')
  await page.goto('/operator/payouts')
  await service.call('PUT', 'faults', { kinds: ['error_before'], delayMs: 5 })
  const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: 33_000 })), 201)
  await service.work()
  await cardOf(page, transactionId as string).waitFor()
  await service.call('DELETE', 'faults')
})

test('a hidden page has no stream, and asks again when it is looked at; without JavaScript there is none', async () => {
  const { page } = await enter('ayse.yilmaz')
  const streams: string[] = []
  page.on('request', (request) => void (request.url().includes('/live/') && streams.push(request.url())))
  const show = (state: string) =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`)
  const closed = page.waitForEvent('requestfailed', (request) => request.url().includes('/live/'))
  await show('hidden')
  await closed
  assert.equal(streams.length, 0)
  await show('visible')
  await until(
    async () => streams.length,
    (count) => count === 1,
  )
  const plain = await openPage(browser, baseUrl, { javaScriptEnabled: false })
  plain.page.on('request', (request) => assert.ok(!request.url().includes('/live/')))
  await plain.page.goto('/operator/login')
  await plain.page.getByLabel('Ad', { exact: true }).fill('ayse.yilmaz')
  await plain.page.getByLabel('Parola').fill(PASSWORD)
  await plain.page.getByRole('button', { name: 'Giriş yap' }).click()
  await plain.page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
})

test('a revoked session ends its stream, and the page says so', async () => {
  const { page } = await enter('mehmet.kaya')
  const sessions = await listSessions(app, { audience: 'operator', name: 'mehmet.kaya' })
  for (const { id } of sessions) await revokeSession(app, MEHMET, id)
  await page.getByText('Güncelleme durdu').waitFor()
})

test('that a stream has ended is said after some seconds: a page that is left does not flash', async () => {
  const { page } = await enter('mehmet.kaya')
  await page.clock.install()
  const opened = page.waitForResponse((response) => response.url().includes('/live/'))
  await page.reload()
  // A stream that is refused does not fail, so it must be open before the session ends.
  await opened
  await page.clock.pauseAt(Date.now() + 60_000)
  const sessions = await listSessions(app, { audience: 'operator', name: 'mehmet.kaya' })
  for (const { id } of sessions) await revokeSession(app, MEHMET, id)
  let passedMs = 0
  const later = async () => {
    await page.clock.runFor(500)
    passedMs += 500
    return page.locator('#live').textContent()
  }
  await until(later, (text) => text !== '')
  assert.match((await page.locator('#live').textContent()) ?? '', /Güncelleme durdu/)
  assert.ok(passedMs >= 4000, `after ${passedMs} ms`)
})

/** A stream as text, until it ends. */
async function openStream(person: ReturnType<typeof visitor>, url = `${baseUrl}/operator/live/home`) {
  const cookie = [...person.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(url, { headers: { cookie } })
  const state = { text: '', ended: false, headers: response.headers, status: response.status }
  void (async () => {
    for await (const chunk of response.body ?? []) state.text += Buffer.from(chunk).toString()
    state.ended = true
  })()
  return state
}
const wait = <State>(state: State, holds: (state: State) => boolean) => until(async () => state, holds)

test('streams: no buffering, bounded per person, none without a session; they do not prolong it', async () => {
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const first = await openStream(person)
  assert.deepEqual(
    ['content-type', 'x-accel-buffering', 'cache-control'].map((name) => first.headers.get(name)),
    ['text/event-stream; charset=utf-8', 'no', 'no-store, no-transform'],
  )
  // Heartbeats come between, on a slow machine also before.
  await wait(first, ({ text }) => /^data: [\w-]{22}\n\n$/.test(text.replaceAll(':\n\n', '')))
  const others = []
  const elsewhere = visitor(service)
  await elsewhere.logIn('ayse.yilmaz')
  for (let i = 0; i < 8; i++) others.push(await openStream(i % 2 === 0 ? person : elsewhere))
  await wait(first, ({ ended, text }) => ended && text.endsWith('event: end\ndata:\n\n'))
  await wait(others[7], (last) => last?.text.includes('data: ') ?? false)
  assert.ok(others.every(({ ended }) => !ended))
  const stranger = await openStream(visitor(service))
  await wait(stranger, ({ ended, text }) => ended && text === 'event: end\ndata:\n\n')
  assert.equal((await visitor(service).request('/live/nothing')).status, 404)
  await travelTo(app, 20 * 60)
  assert.equal((await person.request('/', undefined, { 'x-vezne-live': '1' })).status, 200)
  await openStream(person)
  await travelTo(app, 31 * 60)
  assert.equal((await person.request('/')).location, '/operator/login', 'after 30 minutes without the person')
  await wait(others, (all) => all.every(({ ended }) => ended))
  await travelTo(app, 0)
})

test('many viewers, one load in an interval; a closing server ends all streams', async () => {
  let [loads, value] = [0, 1]
  const load = () => {
    loads += 1
    return Promise.resolve({ value })
  }
  const show = () => {
    const main = livePart('one', html`<p>${value}</p>`)
    return Promise.resolve({ page: { title: 'one', section: null, main } })
  }
  const server = buildApi(app)
  const said = { tr: {}, en: {} }
  const sections = [{ views: [liveView<OperatorKind, unknown>('/', 'one', load, show)], forms: [], said }]
  const site = { audience: 'operator' as const, words: WORDS, sections, framed, rolesFor: () => Object.keys(RIGHTS) }
  // A new minute is a new version: here the clock stands still.
  const now = app.clock.now()
  mountConsole<OperatorKind>(server, { ...cheap(app), clock: { ...app.clock, now: () => now } }, site)
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const people = []
  for (let i = 0; i < 10; i++) {
    const person = visitor({ baseUrl: address })
    // A person has at most eight streams.
    await person.logIn(i % 2 === 0 ? 'ayse.yilmaz' : 'mehmet.kaya')
    people.push(await openStream(person, `${address}/operator/live/one`))
  }
  await wait(people, (all) => all.every(({ text }) => text.startsWith('data: ')))
  const [before, since] = [loads, performance.now()]
  value = 2
  await wait(people, (all) => all.every(({ text }) => text.split('data: ').length === 3))
  const intervals = Math.ceil((performance.now() - since) / 3000) + 1
  assert.ok(loads - before <= intervals, `${loads - before} loads in ${intervals} intervals`)
  await server.close()
  await wait(people, (all) => all.every(({ ended }) => ended))
})
