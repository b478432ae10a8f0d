import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  auditState,
  checkChain,
  listAudit,
  openAudit,
  openHeadWriter,
} from '../../packages/server/src/domain/audit/index.ts'
import { freezeMerchant, setPayoutRules, unfreezeMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { revealData, setRoles } from '../../packages/server/src/domain/people/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { isSound, takePictures } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { runSql } from '../harness/roles.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app, baseUrl, databaseUrl } = service
const browser = await openBrowser()
await addPerson(service, 'ayse.yilmaz')
await addPerson(service, 'mehmet.kaya', undefined, 'ayse.yilmaz')
await addPerson(service, 'gul.gezer', ['auditor'], 'ayse.yilmaz')
const { merchantId } = await service.merchant({ name: 'Mürekkep Kitabevi' })

async function enter(options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  await opened.page.goto('/operator')
  await opened.page.getByLabel('Ad', { exact: true }).fill('gul.gezer')
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  return opened
}

test('settings that are stored as one value: only what changed, in words and in TL', async () => {
  const { merchantId: other } = await service.merchant({ name: 'Ege Spor' })
  await setPayoutRules(app, operatorActor('mehmet.kaya'), other, { approvalThreshold: 100_000n })
  const person = visitor(service)
  await person.logIn('gul.gezer')
  const { text } = await person.request(`/audit?subject=merchant:${other}`)
  assert.match(visibleText(text), /İki onay bu tutardan itibaren: – → 1\.000,00 TL/)
  assert.doesNotMatch(visibleText(text), /[{}]|payout_rules|Günlük toplam/)
})

/** Numbers of the entries on a page. */
const numbersOn = (text: string) => [...text.matchAll(/#(\d+)<\/span>/g)].map(([, number]) => Number(number))

test('an auditor sees who decided what, why and from where, by person, decision, subject and day', async () => {
  const actor = { ...operatorActor('mehmet.kaya'), origin: { edge: 'console' as const, address: '192.0.2.7' } }
  await freezeMerchant(app, actor, merchantId, '=şüpheli işlemler')
  await unfreezeMerchant(app, actor, merchantId, 'belgeler tamam')
  const { page, problems } = await enter()
  await page.getByRole('link', { name: 'Denetim', exact: true }).click()
  await page.getByText('belgeler tamam').waitFor()
  await isSound(page, 'operator-audit')
  await page.getByLabel('Kim', { exact: true }).fill('mehmet.kaya')
  await page.getByLabel('Karar').selectOption('merchant.freeze')
  await page.getByLabel('Konu').fill(`merchant:${merchantId}`)
  await page.getByRole('button', { name: 'Göster' }).click()
  assert.equal(await page.locator('tbody tr').count(), 2)
  await page.getByText('192.0.2.7').first().waitFor()
  await page
    .getByRole('link', { name: `Satıcı ${merchantId}` })
    .first()
    .waitFor()
  assert.match(page.url(), /actor=mehmet\.kaya.*action=merchant\.freeze/)
  const { day } = istanbul(app.clock.now())
  await page.goto(`/operator/audit?from=${day}&to=${day}&lang=en`)
  await page.getByText('şüpheli').waitFor()
  await takePictures(page, 'operator-audit-en')
  await page.goto('/operator/audit?to=2020-01-01&lang=tr')
  await page.getByText('Bu seçimde kayıt yok').waitFor()
  assert.deepEqual(problems, [])
})

test('pages follow each other without a gap, also where many entries have one time', async () => {
  await app.db.transaction(async (tx) => {
    const audit = openAudit(app, tx, operatorActor('ada.aksoy'), 'merchant.freeze')
    for (let i = 1; i <= 120; i++) await audit(`merchant:${i}`, { after: { i } })
  })
  const person = visitor(service)
  await person.logIn('gul.gezer')
  const seen: number[] = []
  for (let path: string | undefined = '/audit?actor=ada.aksoy'; path !== undefined;) {
    const { text } = await person.request(path)
    seen.push(...numbersOn(text))
    const next = /class="more"><a href="(\?[^"]*before=[^"]*)"/.exec(text)?.[1]?.replaceAll('&#38;', '&')
    path = next && `/audit${next}`
  }
  const all = await listAudit(app.db, { actor: 'ada.aksoy' }, 1000)
  assert.equal(all.length, 120)
  assert.deepEqual(
    seen,
    all.map(({ number }) => number),
  )
})

test('the export has all of the selection, neutralises formulas, and is itself recorded', async () => {
  const person = visitor(service)
  await person.logIn('gul.gezer')
  const csrf = await person.csrf('/audit')
  const { status, text, headers } = await person.request('/audit/export', { csrf, actor: 'mehmet.kaya' })
  assert.equal(status, 200)
  assert.match(headers.get('content-disposition') ?? '', /audit-\d{4}-\d\d-\d\d\.csv/)
  const lines = text.trim().split('\r\n')
  assert.equal(lines.length, 1 + (await listAudit(app.db, { actor: 'mehmet.kaya' }, 1000)).length)
  assert.match(
    lines[0] ?? '',
    /"number";"at";"actor";"action";"subject";"before";"after";"reason";"origin";"previousHash";"hash"$/,
  )
  assert.match(text, /;"'=şüpheli işlemler";/)
  const [entry] = await listAudit(app.db, { action: 'audit.read' }, 1)
  assert.deepEqual([entry?.actor, entry?.after], ['gul.gezer', { actor: 'mehmet.kaya' }])
  const many = await person.request('/audit/export', { csrf, actor: 'ada.aksoy' })
  assert.equal(many.text.trim().split('\r\n').length, 121)
})

test('a bare id, or the number of a merchant, finds what is about it, also over pages and as an export', async () => {
  const shop = await service.merchant({ funds: 5_000_000n })
  const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody({ processId: 'CEK-100' })), 201)
  await revealData(app, operatorActor('mehmet.kaya'), `withdrawal:${transactionId}`, {
    reason: 'customer_asks',
    note: 'müşteri aradı',
  })
  const person = visitor(service)
  await person.logIn('gul.gezer')
  const csrf = await person.csrf('/audit')
  for (const subject of [transactionId, 'CEK-100', `withdrawal:${transactionId}`]) {
    const { text } = await person.request(`/audit?subject=${subject}`)
    assert.equal(numbersOn(text).length, 1, `${subject}`)
    const { text: file } = await person.request('/audit/export', { csrf, subject: String(subject) })
    assert.equal(file.trim().split('\r\n').length, 2)
  }
  assert.ok(numbersOn((await person.request(`/audit?subject=${merchantId}`)).text).length >= 2)
  assert.match((await person.request('/audit?subject=CEK-999')).text, /Bu seçimde kayıt yok/)
})

test('without the role a person sees their own decisions: no others, no chain, no export', async () => {
  await addPerson(service, 'cem.can', ['admin'], 'ayse.yilmaz')
  await freezeMerchant(app, operatorActor('cem.can'), merchantId, 'kendi kararım')
  await setRoles(app, operatorActor('ayse.yilmaz'), 'cem.can', ['cashier', 'approver'])
  const person = visitor(service)
  await person.logIn('cem.can')
  assert.match((await person.request('')).text, /href="\/operator\/audit"[^>]*>\s*Kararlarım/)
  const own = (await listAudit(app.db, { actor: 'cem.can' }, 100)).map(({ number }) => number)
  assert.ok(own.length > 0)
  for (const query of [
    '',
    '?actor=mehmet.kaya',
    `?subject=merchant:${merchantId}`,
    `?subject=${merchantId}&actor=ayse.yilmaz`,
  ]) {
    const { status, text } = await person.request(`/audit${query}`)
    assert.equal(status, 200)
    assert.deepEqual(
      numbersOn(text).filter((number) => !own.includes(number)),
      [],
      query,
    )
    assert.match(text, /kendi kararım/)
    assert.doesNotMatch(text, /Son doğrulama|CSV indir|belgeler tamam/)
  }
  assert.equal((await person.request('/audit/export', { csrf: await person.csrf() })).status, 403)
})

test('the state of the chain: verified once an hour by a worker, the head written outside, red when it is broken', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'vezne-heads-')), 'heads')
  await openHeadWriter({ ...app, auditHeads: file })()
  await checkChain(app)
  const state = await auditState(app.db)
  assert.deepEqual(
    [state.verifiedNumber, state.problem, state.writtenNumber, state.writtenTo],
    [state.head.number, null, state.head.number, 'file'],
  )
  const { page } = await enter({ javaScriptEnabled: false })
  await page.goto('/operator/audit')
  await page.getByText(`sağlam, 1–${state.head.number}`).waitFor()
  await runSql(
    databaseUrl,
    `alter table audit_entries disable trigger user; update audit_entries set reason = 'other' where number = 3`,
  )
  await checkChain(app)
  assert.equal((await auditState(app.db)).problem, null, 'not again within the hour')
  const later = { now: () => new Date(app.realClock.now().getTime() + 3_600_001) }
  await checkChain({ ...app, realClock: later })
  assert.match((await auditState(app.db)).problem ?? '', /entry 3 was altered/)
  await page.reload()
  await page.getByText('ZİNCİR BOZUK').first().waitFor()
  const script = await enter()
  await script.page.goto('/operator/audit')
  await isSound(script.page, 'operator-audit-broken')
})
