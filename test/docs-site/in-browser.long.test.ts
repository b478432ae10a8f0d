import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSound } from '../e2e/is-sound.ts'
import { GUIDES } from '../../packages/server/src/edges/docs/site-map.ts'
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
    'tr/glossary',
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
  await page.getByText('İmzanız bu değerlerle uyuşuyor.').waitFor()
  await page.getByLabel('X-Timestamp').fill('1794726001')
  await page.getByText('sık yapılan hatalardan biri değil').waitFor()
  assert.deepEqual(problems, [])
})

test('the playground shows no signature of parts that a server refuses', async () => {
  const { page } = await openPage(browser, baseUrl)
  await page.goto('/docs/en/signing')
  await page.getByText(SIGNATURE).first().waitFor()
  const mistakes: [label: string, value: string, said: string][] = [
    ['X-Timestamp', '1794726000000', 'The timestamp must be ten digits'],
    ['Method', 'post', 'The method must be in upper case'],
    ['Path with query', 'http://127.0.0.1/v1/deposit', 'The path must begin with /'],
    ['API secret', 'vk_1', 'The secret must be vs_ and 64 hex characters'],
    ['API secret', '', 'The secret must be vs_ and 64 hex characters'],
    ['Method', 'GET', 'A GET has no body'],
  ]
  for (const [label, value, said] of mistakes) {
    const field = page.getByLabel(label, { exact: true })
    const before = await field.inputValue()
    await field.fill(value)
    await page.getByText(said).waitFor()
    assert.equal(await page.locator('output[name=signature]').textContent(), '', said)
    await field.fill(before)
    await page.locator('output[name=signature]').getByText(SIGNATURE).waitFor()
  }
})

test('a block of code is copied by its button, commands without their prompt', async () => {
  const { page, problems } = await openPage(browser, baseUrl, { permissions: ['clipboard-read', 'clipboard-write'] })
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  await page.goto('/docs/tr/quickstart')
  await page.getByRole('button', { name: 'Kopyala' }).first().click()
  await page.getByRole('button', { name: 'Kopyalandı' }).waitFor()
  assert.equal(await copied(), 'npm start')
  await page.goto('/docs/en/testing')
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await copied(), 'npx vezne trigger short')
  assert.deepEqual(problems, [])
})

test('without a clipboard the button selects the code', async () => {
  const { page } = await openPage(browser, baseUrl)
  await page.addInitScript('Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined })')
  await page.goto('/docs/en/quickstart')
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Press Ctrl+C' }).waitFor()
  assert.equal(await page.evaluate('String(getSelection())'), 'npm start')
})

test('at 1280 no code of a guide is cut: the column is wide enough, or it wraps', async () => {
  const { page } = await openPage(browser, baseUrl, { viewport: { width: 1280, height: 800 } })
  for (const guide of GUIDES) {
    await page.goto(`/docs/en/${guide}`)
    const cut = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main pre')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)`,
    )
    assert.deepEqual(cut, [], guide)
  }
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
