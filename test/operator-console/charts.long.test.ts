import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fillSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import { matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import { chartsOf } from '../../packages/server/src/domain/overview/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { addDays, istanbul, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { withdrawBody } from '../harness/examples.ts'
import { giveLogin, PASSWORD, visitor } from '../harness/operator-console.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import { until } from '../harness/until.ts'

const service = await startWithBank()
const { app, baseUrl } = service
const shop = await service.merchantWithMoney(9_000_000n, { name: 'Mürekkep Kitabevi' })
const browser = await openBrowser()
await addOperator(app, UNATTRIBUTED, 'ayse.yilmaz', DECIDING)
await giveLogin(service, 'ayse.yilmaz')
const today = istanbul(app.clock.now()).day
const yesterday = addDays(today, -1)
const range = (day: string, from = '00', to = '23') => ({ from: `${day}T${from}`, to: `${day}T${to}` })
const at = (day: string, minutes: number) => new Date(startOfDay(day).getTime() + minutes * 60_000)

/** Yesterday: 09:10 matched by itself, 09:40 by hand, 17:05 unknown, and one line without a time. */
async function fillYesterday(): Promise<void> {
  const [first, second, third, fourth] = await someDeposits(app, shop.merchantId, 4, 100_000n)
  if (!first || !second || !third || !fourth) return assert.fail('no deposits')
  const line = (deposit: typeof first, minutes: number, changes = {}) =>
    lineFor(app, deposit, { bookedAt: at(yesterday, minutes), valueDate: yesterday, ...changes })
  await ingest(app, [
    await line(first, 550),
    await line(second, 580, { narrative: 'kodsuz', senderName: 'Başka Biri' }),
    await line(third, 1025, { narrative: 'kira', amount: 7_700n }),
    await line(fourth, 0, { wholeDay: true }),
  ])
  await matchAll(app)
  const held = (await listLines(app.db, 'suspense', 10)).find(({ narrative }) => narrative === 'kodsuz')
  await matchByHand(app, UNATTRIBUTED, held?.id ?? '', second.id, 'the customer confirmed it')
}

await fillYesterday()
await service.fundAccounts(50_000)
await shop.post('/v1/withdraw', withdrawBody({ amount: 50_000 }))
await service.work()

test('in and out, outcomes and time to match, by hour of Istanbul', async () => {
  const { points } = await chartsOf(app, range(yesterday))
  assert.equal(points.length, 24)
  const of = (hour: string) => points.find((point) => point.at === `${yesterday}T${hour}`) ?? assert.fail(hour)
  const nine = of('09')
  assert.deepEqual([nine.credits, nine.debits, nine.automatic, nine.byHand], [200_000n, 0n, 1, 1])
  assert.deepEqual([of('17').suspense, of('17').secondsToMatch], [1, null])
  assert.deepEqual([of('00').automatic, of('00').secondsToMatch], [1, null], 'no time, no time to match')
  assert.deepEqual([of('10').credits, of('10').automatic], [0n, 0])
  const [p50, p90, p99] = nine.secondsToMatch ?? []
  const sinceNine = (app.clock.now().getTime() - at(yesterday, 550).getTime()) / 1000
  assert.ok(p50 !== undefined && p90 !== undefined && p99 !== undefined)
  assert.ok(p50 <= p90 && p90 <= p99 && p99 <= sinceNine && p50 > sinceNine - 3600)
})

test('only the hours that were asked for; more than a week by day, with the same sums', async () => {
  const some = await chartsOf(app, range(yesterday, '09', '10'))
  assert.deepEqual(
    some.points.map((point) => point.at),
    [`${yesterday}T09`, `${yesterday}T10`],
  )
  const { points } = await chartsOf(app, { from: `${addDays(today, -29)}T00`, to: `${today}T23` })
  assert.equal(points.length, 30)
  const day = points.find((point) => point.at === yesterday)
  assert.deepEqual([day?.credits, day?.automatic, day?.byHand, day?.suspense], [307_700n, 2, 1, 1])
})

test('payouts by the bank that sends them, of the time that was asked for', async () => {
  const { payouts } = await chartsOf(app, range(today))
  assert.equal(payouts.length, 1)
  assert.equal(payouts[0]?.completed, 1)
  assert.deepEqual((await chartsOf(app, range(yesterday))).payouts, [])
})

test('the page has every figure in a table; a range that is too long is cut, and says so', async () => {
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const { text } = await person.request(`/charts?from=${yesterday}&to=${yesterday}`)
  assert.match(text, /2\.000,00 TL/)
  assert.equal(text.match(/<tr data-tick/g)?.length, 3 * 24)
  const long = await person.request('/charts?from=2020-01-01')
  assert.match(long.text, /En çok 92 gün gösterilir/)
  for (const query of ['from=x', 'last=-1', 'from=2026-13-45&to=%00', 'last=1&last=2'])
    assert.equal((await person.request(`/charts?${query}`)).status, 200, query)
})

test('home: automatic matches of today, and the lag of each bank’s statements', async () => {
  await fillSourceOfRecord(app)
  const [account] = await until(
    () => app.banks.accounts(),
    (accounts) => accounts.every(({ connection }) => connection !== null),
  )
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const { text } = await person.request('')
  assert.match(text, /Otomatik eşleşme<\/dt>\s*<dd>(%\d+|–)<\/dd>/)
  assert.match(text, /<th scope="col" class="">Gecikme<\/th>/)
  assert.match(text, new RegExp(`<td class="name"[^>]*>${account?.bankName}</td>`), 'a row of the bank')
})

async function enter(options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  await opened.page.goto('/operator')
  await opened.page.getByLabel('Ad', { exact: true }).fill('ayse.yilmaz')
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  return opened
}

async function drag(page: Page, from: number, to: number): Promise<void> {
  const plot = page.locator('[data-chart=columns] .u-over')
  await plot.scrollIntoViewIfNeeded()
  const box = (await plot.boundingBox()) ?? assert.fail('not drawn')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * from, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * to, y, { steps: 5 })
  await page.mouse.up()
}

test('with the script: drawn under the strict policy, sound in both themes, and a dragged range filters', async () => {
  const { page, problems } = await enter()
  await page.getByRole('link', { name: 'Grafikler' }).click()
  await page.goto(`/operator/charts?from=${yesterday}&to=${today}`)
  await page.locator('[data-chart=columns] canvas').waitFor()
  assert.equal(await page.locator('canvas').count(), 4)
  assert.equal(await page.locator('main table').first().isVisible(), false)
  await isSound(page, 'operator-charts')
  await page.goto(`/operator/charts?from=${yesterday}&to=${yesterday}&lang=en`)
  await page.locator('[data-chart=columns] canvas').waitFor()
  await isSound(page, 'operator-charts-en')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.locator('[data-chart=columns] .u-over').hover()
  assert.match((await page.locator('[data-chart=columns] .readout').textContent()) ?? '', /In: .* TL · Out: /)
  const moved = page.waitForURL(/from=.*T\d\d&to=.*T\d\d/)
  await drag(page, 0.3, 0.5)
  await moved
  const { searchParams } = new URL(page.url())
  const hour = (name: string) => Number(searchParams.get(name)?.slice(-2))
  assert.ok(hour('from') >= 6 && hour('from') <= 8 && hour('to') >= 10 && hour('to') <= 13, page.url())
  await page.locator('[data-chart=columns] canvas').waitFor()
  await page.goto('/operator/charts?last=30')
  await page.locator('[data-chart=columns] canvas').waitFor()
  await isSound(page, 'operator-charts-month')
  assert.deepEqual(problems, [])
})

test('without the script only the tables, open', async () => {
  const { page } = await enter({ javaScriptEnabled: false })
  await page.goto(`/operator/charts?from=${yesterday}&to=${yesterday}`)
  assert.equal(await page.locator('main table:visible').count(), 3)
  assert.equal(await page.locator('.plot:visible, .legend:visible').count(), 0)
  await page.getByRole('link', { name: 'Son 7 gün' }).click()
  await page.getByRole('link', { name: 'Son 7 gün' }).and(page.locator('[aria-current]')).waitFor()
})
