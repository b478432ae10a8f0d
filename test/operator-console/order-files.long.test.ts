import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import type { Batch } from '../../packages/server/src/domain/withdrawals/index.ts'
import {
  decideDoubt,
  findBatch,
  findPayout,
  importOrderReport,
  releaseBatches,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { aWeekLater } from '../harness/crash.ts'
import { startOrders, waitingPayouts } from '../harness/order-files.ts'
import { reportOf } from '../harness/order-reports.ts'
import { giveLogin, PASSWORD, visitor } from '../harness/operator-console.ts'
import { refusalIn, visibleText } from '../harness/page-text.ts'
import { until } from '../harness/until.ts'

// Order files in the operator console: what the commands of `vezne batch` do, without a terminal.
const { service, app, files, shop, ada, bora } = await startOrders()
for (const name of ['ada.aksoy', 'bora.boz']) await giveLogin(service, name)
const FILES = '/payouts/files'
const person = visitor(service)
await person.logIn('ada.aksoy')
const csrf = await person.csrf('/payouts')

/** Payouts in a file that waits in outbox/. */
async function released(count = 2): Promise<{ batch: Batch; ids: string[] }> {
  const ids = await waitingPayouts(app, shop, count)
  await files.send()
  return { batch: await files.newest(), ids }
}

const work = async () => {
  while ((await releaseBatches(app, [files.connection])) > 0);
}
const textOf = async (path: string) => visibleText((await person.request(path)).text)
const report = (batch: Batch, said: Parameters<typeof reportOf>[1], name = 'r.xml') =>
  importOrderReport(app, { connection: 'files', name, bytes: reportOf(batch, said) })
const rowsOf = (text: string) => text.split('<tr data-href').slice(1)

afterEach(async () => {
  files.fetch()
  await work()
})

test('without a file: the list and the reports say that there is none', async () => {
  assert.match(await textOf(FILES), /Bu seçimde talimat dosyası yok/)
  assert.match(await textOf(`${FILES}/reports`), /Uymayan rapor yok/)
  assert.equal((await person.request(`${FILES}/${'f'.repeat(24)}`)).status, 404)
  assert.equal((await person.request(`${FILES}/${'f'.repeat(24)}/cancel`, { csrf, why: 'a reason' })).status, 404)
})

test('the list has newest first, by state in the address, and pages', async () => {
  const { batch } = await released()
  const { text } = await person.request(FILES)
  const [first = ''] = rowsOf(text)
  const shown = visibleText(`<body>${first}`)
  for (const part of [batch.fileName, '200,01 TL', 'alınmayı bekliyor', 'files']) assert.ok(shown.includes(part), part)
  assert.match(text, /data-live|data-part="orders"/)
  assert.ok((await textOf(`${FILES}?state=released`)).includes(batch.fileName))
  assert.ok(!(await textOf(`${FILES}?state=cancelled`)).includes(batch.fileName))
  assert.equal((await person.request(`${FILES}?state=nothing&before=x`)).status, 200)
  await person.request(`${FILES}/${batch.id}/cancel`, { csrf, why: 'yanlış hesap', hold: '0' })
  // Copies of the row: the page has fifty.
  for (let made = 0; made < 51; made++)
    await app.db.query(sql`
      insert into payout_batches (id, connection, source_account_id, state, folder, file_name, format, sha256, content, orders, amount, currency, created_at, cancelled_by)
      select ${app.ids.next()}, connection, source_account_id, 'cancelled', folder, ${`copy-${made}.xml`}, format, sha256, content, orders, amount,
        currency, created_at - ${made + 1} * interval '1 minute', cancelled_by
      from payout_batches where id = ${batch.id}`)
  const page = await person.request(`${FILES}?state=cancelled`)
  assert.equal(rowsOf(page.text).length, 50)
  const next = /href="(\?state=cancelled&#38;before=[0-9a-f]{24})"/.exec(page.text)?.[1]?.replace('&#38;', '&') ?? ''
  const older = await person.request(FILES + next)
  assert.deepEqual(
    rowsOf(older.text).map((row) => /copy-\d+\.xml/.exec(row)?.[0]),
    ['copy-49.xml', 'copy-50.xml'],
  )
})

test('a file is cancelled with a reason; its payouts are to be sent again after the hold', async () => {
  const { batch, ids } = await released()
  const path = `${FILES}/${batch.id}`
  const { text } = await person.request(path)
  for (const id of ids) assert.ok(text.includes(`href="/operator/transactions/${id}"`))
  for (const hold of ['', '-1', '1.5', '99999', '10081'])
    assert.match(
      refusalIn((await person.request(`${path}/cancel`, { csrf, why: 'yanlış hesap', hold })).text),
      /0 ile 10\.080 dakika/,
    )
  assert.match(refusalIn((await person.request(`${path}/cancel`, { csrf, why: 'abc', hold: '5' })).text), /Neden: /)
  assert.equal((await findBatch(app.db, batch.id))?.state, 'released')
  const [asked, done, answered] = [
    app.clock.now().getTime(),
    await person.request(`${path}/cancel`, { csrf, why: 'yanlış hesap', hold: '90' }),
    app.clock.now().getTime(),
  ]
  assert.equal(done.location, `/operator${path}?said=batchCancelled`)
  const after = await findBatch(app.db, batch.id)
  assert.deepEqual([after?.state, after?.cancelledBy, files.outbox()], ['cancelled', 'ada.aksoy', []])
  // Of the moment at which it was asked for, which lies before the one at which the file was taken back.
  const cancelledAt = (after?.holdUntil?.getTime() ?? 0) - 90 * 60_000
  assert.ok(asked <= cancelledAt && cancelledAt <= (after?.cancelledAt?.getTime() ?? 0), `${cancelledAt - asked} ms`)
  assert.ok((after?.cancelledAt?.getTime() ?? Infinity) <= answered)
  assert.equal((await findPayout(app.db, ids[0] ?? ''))?.state, 'ready')
  const shown = await textOf(path)
  assert.match(shown, /iptal edildi.*ada\.aksoy: yanlış hesap.*bu dosyadan çıktı/)
  assert.doesNotMatch(shown, /Dosyayı iptal et/)
  const again = await person.request(`${path}/cancel`, { csrf, why: 'yanlış hesap', hold: '5' })
  assert.match(refusalIn(again.text), /Talimat dosyası zaten iptal edilmiş \(ada\.aksoy, \d\d\.\d\d\.\d{4} \d\d:\d\d\)/)
  assert.match(await textOf(`/transactions/${ids[0]}`), /banka almadan iptal edildi/)
})

test('one that was fetched is not cancelled, with the reason in the words of the page', async () => {
  const { batch } = await released(1)
  files.fetch()
  await work()
  const cancel = () => person.request(`${FILES}/${batch.id}/cancel`, { csrf, why: 'yanlış hesap', hold: '5' })
  assert.match(refusalIn((await cancel()).text), /artık outbox\/ klasöründe değil .*; bankada olabilir/)
  await person.request(`${FILES}?lang=en`)
  assert.match(refusalIn((await cancel()).text), /is no longer in outbox\/ .*: the bank may have it\. The payouts stay/)
  await report(batch, { group: 'ACTC' })
  assert.match(
    refusalIn((await cancel()).text),
    /The bank has sent a report on .*\. To stop payments, call the bank\.$/,
  )
  await person.request(`${FILES}?lang=tr`)
  assert.match(refusalIn((await cancel()).text), /rapor verdi; dosya bankada/)
})

test('a folder that cannot be used holds the file up: in red, tried again, without a command', async () => {
  const [gone, here] = [join(files.folder, 'gone'), join(files.folder, 'outbox')]
  await waitingPayouts(app, shop, 1)
  renameSync(here, gone)
  await files.send()
  const batch = await files.newest()
  const path = `${FILES}/${batch.id}`
  for (const page of [FILES, path]) {
    assert.match(await textOf(page), /Talimat klasörü bu sunucudan kullanılamıyor/)
    assert.doesNotMatch(await textOf(page), /vezne batch|cannot be used/)
  }
  assert.match(await textOf(FILES), /Bakılması gerekenler \(1\)/)
  assert.match(refusalIn((await person.request(`${path}/retry`, { csrf })).text), /kullanılamıyor/)
  renameSync(gone, here)
  assert.equal((await person.request(`${path}/retry`, { csrf })).location, `/operator${path}?said=batchMoved`)
  assert.equal((await findBatch(app.db, batch.id))?.state, 'released')
  assert.doesNotMatch(await textOf(path), /kullanılamıyor/)
})

test('a payout whose file can still be fetched links it; the refusal of "not found" says to cancel it', async () => {
  const { batch, ids } = await released(1)
  const [id = ''] = ids
  assert.ok((await person.request('/payouts')).text.includes(`href="/operator${FILES}/${batch.id}"`))
  assert.ok((await person.request(`/transactions/${id}`)).text.includes(`href="/operator${FILES}/${batch.id}"`))
  const refused = await person.request(`/payouts/${id}/not-found`, {
    csrf,
    evidence: 'not on the list',
    unproven: 'yes',
  })
  assert.equal(refused.status, 409)
  assert.match(refusalIn(refused.text), new RegExp(`${batch.fileName} talimat dosyasında.*Önce dosyayı iptal edin`))
})

/** About which the bank has reported. */
let reported = ''

test('what the bank reported is on the page, and what does not fit on its own', async () => {
  const { batch, ids } = await released(2)
  reported = batch.id
  const [paid = '', refused = ''] = ids
  files.fetch()
  await work()
  const transactions = [
    { id: paid, status: 'ACSC' },
    { id: refused, status: 'RJCT', code: 'DU01' },
    { id: 'elsewhere', status: 'ACSC' },
  ]
  await report(batch, { transactions }, 'first.xml')
  await report({ ...batch, id: 'none' }, { group: 'ACTC' }, 'strange.xml')
  const text = await textOf(`${FILES}/${batch.id}`)
  assert.match(text, /first\.xml/)
  assert.match(text, new RegExp(`${paid} ACSC ödendi`))
  assert.match(text, new RegExp(`${refused} RJCT belirsiz mükerrer diye reddedildi: önceki ödemiş olabilir`))
  assert.match(text, /elsewhere ACSC bizde böyle bir çekim yok dosyada böyle bir çekim yok/)
  const unfitting = await textOf(`${FILES}/reports`)
  assert.match(unfitting, /strange\.xml.*Bankanın andığı dosya: none.*Rapor, bu bağlantının bir dosyasını anmıyor/)
  assert.match(unfitting, /first\.xml.*elsewhere/)
  for (const who of [ada, bora])
    await decideDoubt(aWeekLater(app), who, refused, { verdict: 'found', evidence: 'FT-77' })
})

test('a file that came back after its report is stopped: the page says so until a person has looked', async () => {
  const { batch } = await released(1)
  const [content = ''] = files.fetch()
  await work()
  await report(batch, { group: 'ACTC' })
  writeFileSync(join(files.folder, 'outbox', batch.fileName), content)
  await work()
  const path = `${FILES}/${batch.id}`
  for (const page of [FILES, path])
    assert.match(await textOf(page), /banka onun için rapor vermişti.*Gönderilmesin diye klasörden alındı/)
  assert.equal(files.outbox().length, 0)
  await person.request(`${path}/retry`, { csrf })
  assert.doesNotMatch(await textOf(path), /klasörden alındı|uyarıyı kaldır/)
})

test('pages are sound in both languages, and follow what workers do', async () => {
  const { batch } = await released(2)
  const { page, problems } = await openPage(await openBrowser(), service.baseUrl)
  await page.goto('/operator')
  await page.getByLabel('Ad', { exact: true }).fill('ada.aksoy')
  await page.getByLabel('Parola').fill(PASSWORD)
  await page.getByRole('button', { name: 'Giriş yap' }).click()
  await page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  const doubt = { why: 'order_payout_in_doubt', facts: { withdrawal: batch.id, reason: 'report_contradicts' } }
  const problem = JSON.stringify({ why: 'order_file_held_up', facts: { problem: doubt, batch: batch.id } })
  await app.db.query(sql`update payout_batches set problem = ${problem}::jsonb where id = ${batch.id}`)
  for (const [name, path, language] of [
    ['list', `${FILES}?before=`, 'tr'],
    ['held', `${FILES}/${batch.id}?`, 'tr'],
    ['reported', `${FILES}/${reported}?`, 'en'],
    ['reports', `${FILES}/reports?`, 'tr'],
  ]) {
    await page.goto(`/operator${path}&lang=${language}`)
    await isSound(page, `operator-order-files-${name}`)
  }
  await page.goto(`/operator${FILES}/${batch.id}`)
  await page.getByLabel('Neden (en az 5 harf)').fill('yarım kalan')
  files.fetch()
  await work()
  await until(
    () => page.locator('main .state').first().textContent(),
    (state) => state === 'alındı',
  )
  assert.deepEqual(problems, [])
})
