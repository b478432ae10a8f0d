import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { test } from 'node:test'
import { keepUnread, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { freezeMerchant, setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { disableEndpoint, listEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { SECTIONS } from '../../packages/server/src/edges/operator-console/routes.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { runCallbacksOnce, setCallbackUrl } from '../harness/callbacks.ts'
import { consoleSubjects, merchantPaths } from '../harness/console-subjects.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'
import { OWN_ACCOUNT, registerAccount } from '../harness/settlements.ts'
import { storeNames } from '../harness/stored-names.ts'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { lineFor } from '../harness/payments.ts'
import { fitsNarrow } from '../e2e/is-sound.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import type { Said } from '../../packages/server/src/platform/refusal.ts'

const VIEWS = SECTIONS.flatMap(({ views }) => views)

// Texts of merchants, customers and banks that would run, break out of their place, or break the page.
const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()
const receiver = await startReceiver()
await addPerson(service, 'ayse.yilmaz')
await addPerson(service, 'mehmet.kaya', undefined, 'ayse.yilmaz')

const TEXTS = [
  '<script>document.title="ran"</script>',
  '"><img src=x onerror=document.title="ran">',
  "'-document.title='ran'-'",
  '</title><svg/onload=document.title="ran">',
  '&lt;script&gt;&#60;b&#62;',
  'javascript:document.title="ran"',
  '\u202Eters yazı\u202C \u0007 \u2028',
  'ﷺ𝕬𝖞𝖘̷̢ẹ 👩‍👩‍👧‍👦 Ünüvar-Şıkğ',
  `Çok${'uzun'.repeat(120)}`,
]

/** Longest name that the API takes. */
const cut = (text: string) => text.slice(0, 90).toWellFormed()

async function fill(text: string): Promise<string[]> {
  const shop = await service.merchant({ funds: 9_000_000n })
  await storeNames(app, shop.merchantId, cut(text))
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 1n })
  const customer = { ...depositBody().customer, name: cut(text) }
  const deposit = await shop.post('/v1/deposit', depositBody({ customer, processId: cut(text) }))
  const withdrawal = await shop.post('/v1/withdraw', withdrawBody({ accountName: cut(text), processId: cut(text) }))
  const ids = [deposit, withdrawal].flatMap(({ body }) => (body.data?.transactionId as string | undefined) ?? [])
  await dispatchWithdrawals(app)
  const stored = ids[0] === undefined ? undefined : await findDepositById(app.db, ids[0])
  if (stored)
    await ingest(app, [await lineFor(app, stored, { senderName: text, narrative: `${stored.referenceCode} ${text}` })])
  // Without the code: it waits on the matching desk, beside its deposit.
  if (stored) await ingest(app, [await lineFor(app, stored, { senderName: text, narrative: text })])
  await app.db.transaction((tx) => keepUnread(app, tx, text, unreadWith(text)))
  await matchAll(app)
  await proposeWith(shop.merchantId, text)
  return [...ids.map((id) => `/transactions/${id}`), ...(await eventsWith(shop.merchantId, text))]
}

/** As a bank may write each part of a line, and a line that is no JSON. */
function unreadWith(text: string): { raw: string; why: Said }[] {
  const parts = ['account', 'senderName', 'senderIban', 'narrative', 'bookedAt', 'reference', 'currency']
  const line = { ...Object.fromEntries(parts.map((part) => [part, text])), amount: 1 }
  const why = note('unread_not_storable', { error: text })
  return [line, { ...line, amount: text }]
    .map((one) => ({ raw: JSON.stringify(one), why }))
    .concat([{ raw: text, why }])
}

/** A callback that a server answered with the text, to an endpoint that was disabled with it. */
async function eventsWith(merchantId: string, text: string): Promise<string[]> {
  receiver.behave((_, response) => void response.writeHead(500).end(text))
  const { id } = await setCallbackUrl(app, merchantId, receiver.url)
  await runCallbacksOnce(app)
  await disableEndpoint(app, operatorActor('ayse.yilmaz'), merchantId, id, text.replaceAll(/\p{Cc}/gu, ' '))
  const [event] = await listEvents(app.db, merchantId, { limit: 1 })
  const events = event ? [`/callbacks/${merchantId}/events/${event.id}`] : []
  return [`/merchants/${merchantId}`, `/callbacks/${merchantId}`, ...events]
}

/** Changes of settings with this text in every place where people write one. */
async function proposeWith(merchantId: string, text: string): Promise<void> {
  const actor = operatorActor('ayse.yilmaz')
  const url = `https://shop.example/${encodeURIComponent(text.toWellFormed())}`
  await registerAccount(app, ['mehmet.kaya', 'ayse.yilmaz'], merchantId, { ...OWN_ACCOUNT, title: cut(text) })
  const account = { iban: makeIban('0062', '778'), title: cut(text) }
  await makeProposal(app, actor, 'merchant.settlement_account', { merchantId, ...account }, { reason: text })
  await makeProposal(app, actor, 'endpoint.add', { merchantId, url }, { reason: text })
  await freezeMerchant(app, actor, merchantId, `${text} again`)
}

/** Views of the list with such names. */
async function saveViews(): Promise<void> {
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const csrf = await person.csrf()
  for (const text of TEXTS) {
    const { status } = await person.request('/transactions/views', { csrf, name: text.slice(0, 60).toWellFormed() })
    assert.equal(status, 303, text)
  }
}

const WITH_SUBJECT = VIEWS.map(({ path }) => path).filter(
  (path) => /:|\/books/.test(path) && !/^\/(matching|merchants|callbacks|people)/.test(path),
)

/** Pages about one thing, with the text wherever one can be. */
async function about(text: string, id: string): Promise<string[]> {
  const at = await consoleSubjects(app, id, cut(text))
  return WITH_SUBJECT.map((path) => at(path))
}

test('no text runs, leaves its place, or makes a page scroll sideways', async () => {
  const found: string[] = []
  // One by one: on a busy machine nine at once wait too long for each other's locks.
  for (const text of TEXTS) found.push(...(await fill(text)))
  assert.ok(found.length >= TEXTS.length, 'most of them are accepted')
  const first =
    found
      .find((path) => path.startsWith('/transactions/'))
      ?.split('/')
      .at(-1) ?? ''
  for (const text of TEXTS) found.push(...(await about(text, first)))
  await saveViews()
  const lines = await listLines(app.db, 'suspense', TEXTS.length)
  assert.ok(lines.length >= TEXTS.length / 2, 'and wait on the desk')
  const { page, problems } = await openPage(browser, baseUrl)
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/operator')
  await page.getByLabel('Ad', { exact: true }).fill('ayse.yilmaz')
  await page.getByLabel('Parola').fill(PASSWORD)
  await page.getByRole('button', { name: 'Giriş yap' }).click()
  await page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  const paths = [
    ...VIEWS.map(({ path }) => path).filter((path) => !path.includes(':')),
    '/transactions?kind=withdrawal',
    ...new Set(found),
    ...lines.flatMap(({ id }) => [`/matching/${id}`, `/matching/${id}?entry=refund_unexplained`]),
    ...TEXTS.map((text) => `/search?q=${encodeURIComponent(text)}`),
  ]
  for (const path of paths) {
    await page.goto(`/operator${path}`)
    assert.match(await page.title(), /Vezne/, path)
    assert.equal(await page.locator('img[src="x"], main svg, main script').count(), 0, path)
    assert.deepEqual(await fitsNarrow(page), [], path)
  }
  assert.deepEqual(problems, [])
})

/** The budget of a console page: HTML, style and script, compressed. Charts bring their library. */
const maxBytes = (path: string) => (path.startsWith('/charts') ? 100_000 : 60_000)

test('every page with its style and script is within its budget', async () => {
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const shop = await service.merchant()
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  const subject = await consoleSubjects(app, transactionId as string)
  const ofMerchant = await merchantPaths(app, shop.merchantId)
  const [line] = await listLines(app.db, 'suspense', 1)
  const at = (path: string) => {
    if (path.startsWith('/matching')) return path.replace(':id', line?.id as string)
    return subject(ofMerchant(path))
  }
  for (const path of [...VIEWS.map((view) => view.path), '/charts?last=7', '/charts?last=90']) {
    const { text } = await person.request(at(path))
    const files = [...text.matchAll(/(?:src|href)="(\/operator\/assets\/[^"]+\.(?:js|css))"/g)].map(
      ([, file = '']) => file,
    )
    const bodies = await Promise.all(files.map(async (file) => (await fetch(baseUrl + file)).text()))
    const bytes = [text, ...bodies].reduce((total, body) => total + gzipSync(body).length, 0)
    assert.ok(files.length >= 2 && bytes <= maxBytes(path), `${path}: ${bytes} bytes`)
  }
})
