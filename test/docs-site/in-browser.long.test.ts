import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { startService } from '../harness/service.ts'

// The documentation in a browser.
const { baseUrl } = await startService({ checkoutRequestsPerSecond: 10_000 })
const browser = await openBrowser()
const SIGNATURE = '1c38c612bdf1bd45ffe1759c22c549053dbc3e0f02314610b0544a9b64896379'

test('pages are sound in both themes and on a small phone; no error, no foreign request', async () => {
  const { page, problems } = await openPage(browser, baseUrl)
  page.on('request', (request) => assert.ok(request.url().startsWith(baseUrl), request.url()))
  for (const path of [
    'en/quickstart',
    'tr/quickstart',
    'tr/signing',
    'en/errors',
    'reference',
    'search?lang=tr&q=iade',
  ]) {
    await page.goto(`/docs/${path}`)
    await isSound(page, `docs-${path.replace(/\W/g, '-')}`)
  }
  assert.deepEqual(problems, [])
})

test('the playground computes the worked example, and names the mistake behind another signature', async () => {
  const { page, problems } = await openPage(browser, baseUrl)
  await page.goto('/docs/tr/signing')
  const output = page.locator('output[name=signature]')
  await page.getByText(SIGNATURE).first().waitFor()
  assert.equal(await output.textContent(), SIGNATURE)
  const yours = page.getByLabel('Karşılaştırmak için sizin imzanız')
  await yours.fill(SIGNATURE.toUpperCase())
  await page.getByText('Doğru, ama büyük harfle yazılmış.').waitFor()
  await yours.fill(SIGNATURE)
  await page.getByText('İmzanız doğru.').waitFor()
  await page.getByLabel('X-Timestamp').fill('1794726001')
  await page.getByText('sık yapılan hatalardan biri değil').waitFor()
  assert.deepEqual(problems, [])
})

test('without JavaScript pages can be read and searched', async () => {
  const { page } = await openPage(browser, baseUrl, { javaScriptEnabled: false })
  await page.goto('/docs/en/quickstart')
  await page.getByLabel('Search').fill('refund')
  await page.getByLabel('Search').press('Enter')
  await page.getByRole('heading', { name: 'Search' }).waitFor()
  await page.locator('.found a').first().click()
  await page.locator('main h1').first().waitFor()
})
