import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ERROR_STATUS } from '../../packages/contract/src/index.ts'
import { ERROR_HELP } from '../../packages/contract/src/openapi/error-help.ts'
import { GOLDEN } from '../../packages/server/src/edges/docs/playground.ts'
import { DOCS, DOCUMENTS, GUIDES, LANGUAGES } from '../../packages/server/src/edges/docs/site-map.ts'
import { startService } from '../harness/service.ts'

// The documentation at /docs, without a browser.
const { baseUrl } = await startService({ checkoutRequestsPerSecond: 10_000 })
const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(baseUrl + path, { redirect: 'manual', headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const guides = LANGUAGES.flatMap((language) => GUIDES.map((guide) => `/docs/${language}/${guide}`))
const addresses = [...guides, ...DOCUMENTS.map((one) => `/docs/${one}`), '/docs/reference', '/docs/changelog']

test('every page is there, and every link of every page leads somewhere', async () => {
  const pages = new Map<string, string>()
  for (const address of addresses) {
    const { status, text } = await get(address)
    assert.equal(status, 200, address)
    pages.set(address, text)
  }
  const ids = new Map(
    [...pages].map(([address, text]) => [address, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  )
  for (const [address, text] of pages)
    for (const [, link = ''] of text.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(link.replaceAll('&#38;', '&'), baseUrl + address)
      if (origin !== baseUrl || pathname === '/openapi.json' || pathname === '/docs/postman.json') continue
      if (pathname.startsWith('/docs/examples/'))
        assert.equal((await get(pathname)).status, 200, `${address} → ${link}`)
      else assert.ok(pages.has(pathname), `${address} → ${link}`)
      if (hash && hash !== '#main' && hash !== '#menu')
        assert.ok(ids.get(pathname)?.has(decodeURIComponent(hash.slice(1))), `${address} → ${link}`)
    }
})

test('a guide is in both languages, and each links to the other', async () => {
  for (const guide of GUIDES) {
    assert.match((await get(`/docs/en/${guide}`)).text, new RegExp(`lang="tr" hreflang="tr" href="/docs/tr/${guide}"`))
    assert.match((await get(`/docs/tr/${guide}`)).text, new RegExp(`lang="en" hreflang="en" href="/docs/en/${guide}"`))
  }
  assert.equal((await get('/docs', { 'accept-language': 'tr-TR,tr' })).headers.get('location'), '/docs/tr/quickstart')
  assert.equal((await get('/docs')).headers.get('location'), '/docs/en/quickstart')
})

test('every error code has an entry in both languages; the English one is that of the contract', () => {
  for (const language of LANGUAGES) {
    const text = readFileSync(join(DOCS, `guides/${language}/errors.md`), 'utf8')
    const entries = [...text.matchAll(/^## (\w+)\n\n`(\d+)` (.+)\n\n\*\*.+:\*\* (.+)$/gm)]
    assert.deepEqual(Object.fromEntries(entries.map(([, code, status]) => [code, Number(status)])), ERROR_STATUS)
    if (language === 'en')
      assert.deepEqual(Object.fromEntries(entries.map(([, code, , why, fix]) => [code, { why, fix }])), ERROR_HELP)
  }
})

test('the playground begins with the worked example of docs/api.md', () => {
  const text = readFileSync(join(DOCS, 'api.md'), 'utf8')
  for (const value of Object.values(GOLDEN)) assert.ok(text.includes(`| \`${value}\` |`), value)
})

test('the search finds sections in the language of the page, with any spelling; nothing of a text is markup', async () => {
  const found = async (q: string, lang: string) =>
    (await get(`/docs/search?lang=${lang}&q=${encodeURIComponent(q)}`)).text
  assert.match(await found('idempotency', 'en'), /href="\/docs\/api#idempotency"/)
  assert.match(await found('IMZA', 'tr'), /href="\/docs\/tr\/signing#/)
  assert.match(await found('imza', 'tr'), /href="\/docs\/tr\/signing#/)
  assert.match(await found('INVALID_SIGNATURE', 'en'), /href="\/docs\/en\/errors#invalid_signature"/)
  const first = async (q: string) => /class="found">\s*<li>\s*<a href="([^"]+)"/.exec(await found(q, 'tr'))?.[1] ?? ''
  assert.match(await first('para çekme'), /^\/docs\/tr\/withdrawals#/)
  assert.match(await first('hata kodları'), /^\/docs\/tr\/errors#/)
  assert.match(await first('mükerrer'), /^\/docs\/tr\//)
  assert.match(await found('mükerrer', 'tr'), /href="\/docs\/tr\/deposits#işaretler-ve-nedenler"/)
  assert.match(await first('geç ödeme'), /^\/docs\/tr\/deposits#neler-olabilir$/)
  assert.doesNotMatch(await found('npm start', 'en'), /`{3}|\. console /)
  assert.match(await found('qqqqq', 'tr'), /Bir şey bulunamadı/)
  assert.doesNotMatch(await found('<script>alert(1)</script>', 'en'), /<script>alert/)
  assert.equal((await get('/docs/search?q=%00&lang=en')).status, 200)
})

test('a sandbox on another port shows its own address; HEAD has the status of GET', async () => {
  const { text } = await get('/docs/en/quickstart')
  assert.ok(text.includes(`${baseUrl}/docs`) && !text.includes('127.0.0.1:8080'))
  for (const [path, status] of [
    ['/docs/en/quickstart', 200],
    ['/docs/examples/sign.py', 200],
    ['/docs/search?q=iban', 200],
    ['/docs/en/nothing', 404],
  ] as const)
    // prettier-ignore
    assert.equal((await fetch(baseUrl + path, { method: 'HEAD' })).status, status, path)
})

test('nothing outside the documents can be read', async () => {
  for (const path of [
    '/docs/examples/..%2f..%2fpackage.json',
    '/docs/examples/nothing.js',
    '/docs/en/nothing',
    '/docs/de/quickstart',
    '/docs/README',
    '/docs/decisions',
  ])
    assert.equal((await get(path)).status, 404, path)
  const { headers } = await get('/docs/en/quickstart')
  assert.equal(headers.get('cache-control'), 'private, max-age=300')
  assert.equal((await get('/docs/en/nothing')).headers.get('cache-control'), 'no-store')
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
})
