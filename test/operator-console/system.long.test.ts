import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { examineInTime, openRunRecorder, selectRuns } from '../../packages/server/src/domain/doctor/index.ts'
import { startWorkers } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import { isSound, takePictures } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { addEvents, setCallbackUrl } from '../harness/callbacks.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// The disk is that of the folder.
const service = await startService({ dataFolder: tmpdir() })
const { app, baseUrl } = service
const browser = await openBrowser()
await addPerson(service, 'ayse.yilmaz')

async function enter(options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  await opened.page.goto('/operator')
  await opened.page.getByLabel('Ad', { exact: true }).fill('ayse.yilmaz')
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  return opened
}

test('workers of any process record when they last succeeded; one that stands still is red', async () => {
  const workers = startWorkers(app)
  const found = await until(
    () => {
      workers.forEach((worker) => worker.poke())
      return selectRuns(app.db)
    },
    (runs) => runs.some(({ worker }) => worker === 'match-lines'),
  )
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.ok(found.every(({ succeededAt }) => succeededAt <= app.realClock.now()))
  const long = new Date(app.realClock.now().getTime() - 20 * 60_000)
  const recorder = openRunRecorder({ ...app, realClock: { now: () => long }, host: 'worker-2' })
  recorder.succeeded('match-lines', 1000)
  recorder.succeeded('gone-quiet', 1000)
  recorder.succeeded('once-an-hour', 3_600_000)
  await recorder.record()
  const runs = new Map((await selectRuns(app.db)).map((run) => [run.worker, run]))
  assert.notEqual(runs.get('match-lines')?.host, 'worker-2', 'an older success does not replace a newer one')
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const { text } = await person.request('/system')
  const row = (name: string) => new RegExp(`<code>${name}</code>.*?</tr>`, 's').exec(text)?.[0] ?? ''
  assert.match(row('gone-quiet'), /duruyor/)
  assert.match(row('once-an-hour'), /zamanında/)
  assert.match(row('match-lines'), /zamanında/)
})

test('the page shows version, mode, checks, queues, workers and migrations, in both languages', async () => {
  const { merchantId } = await service.merchant({ name: 'Mürekkep Kitabevi' })
  await setCallbackUrl(app, merchantId, 'http://127.0.0.1:9/hooks')
  await addEvents(app, merchantId, { count: 3 })
  const { page, problems } = await enter()
  await page.getByRole('link', { name: 'Sistem' }).click()
  await page.getByRole('heading', { name: 'Sistem', level: 1 }).waitFor()
  for (const text of ['Sürüm', 'sandbox: gerçek para yok', 'Teslim edilecek callback’ler', 'Eksik yok'])
    await page.getByText(text).first().waitFor()
  const callbacks = page.getByRole('row', { name: /Teslim edilecek/ })
  assert.match((await callbacks.textContent()) ?? '', /3\s*şimdi/)
  // The database of a test is not durable.
  await page.locator('.findings .state.bad').first().waitFor()
  await page.getByText('kalıcılık').first().waitFor()
  await page.getByText(/^Sorunsuz \d+ kontrol$/).click()
  await isSound(page, 'operator-system')
  await page.goto('/operator/system?lang=en')
  await page.getByText('durability').first().waitFor()
  await takePictures(page, 'operator-system-en')
  assert.deepEqual(problems, [])
})

test('checks end at their deadline: what is not done is a warning that says so', async () => {
  const config = { ...app.config, baseUrl: null, isWorker: false }
  const stuck = { ...app, connections: [never('slow-bank')] }
  const checks = await examineInTime(stuck, config, 3000)
  const late = checks.find(({ check }) => check === 'service') ?? assert.fail('no such check')
  assert.equal(late.ok, true)
  assert.deepEqual(late.found, { why: 'check_not_done', facts: { seconds: 3 } })
  assert.ok(checks.some(({ check }) => check === 'durability'))
  const failing = { ...app, clock: { ...app.clock, now: () => assert.fail('a broken clock') } }
  const found = await examineInTime(failing, config, 5000)
  assert.ok(found.some(({ found: { facts }, todo }) => facts['error'] === 'a broken clock' && todo !== undefined))
})

/** A bank that never answers. */
function never(name: string) {
  const silent = () => new Promise<never>(() => undefined)
  return { kind: 'http_api' as const, name, statement: silent, submit: silent, find: silent }
}

test('without JavaScript, and for every role', async () => {
  await addPerson(service, 'gul.gezer', ['viewer'], 'ayse.yilmaz')
  const person = visitor(service)
  await person.logIn('gul.gezer')
  assert.equal((await person.request('/system')).status, 200)
  const { page } = await enter({ javaScriptEnabled: false })
  await page.goto('/operator/system')
  await page.getByRole('heading', { name: 'Arka plan işleri' }).waitFor()
})
