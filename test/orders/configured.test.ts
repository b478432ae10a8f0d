import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import {
  addConnection,
  changeConnection,
  disableConnection,
  setSourceOfRecord,
} from '../../packages/server/src/domain/connections/index.ts'
import {
  findPayout,
  listBatches,
  queryPayoutStatus,
  sendOrderFiles,
  submitPayouts,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { startInboxes } from '../../packages/server/src/edges/workers/inboxes.ts'
import { laterBy } from '../harness/crash.ts'
import { waitingPayouts } from '../harness/order-files.ts'
import { reportOf } from '../harness/order-reports.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const shop = await service.merchant({ funds: 50_000_000n })
const folder = mkdtempSync(join(tmpdir(), 'vezne-orders-'))
after(() => rmSync(folder, { recursive: true, force: true }))
await addConnection(app, UNATTRIBUTED, 'ziraat', {
  kind: 'file_exchange',
  folder,
  orders: { format: 'pain.001.001.03' },
})
const accounts = await app.banks.accounts()
await setSourceOfRecord(
  app,
  UNATTRIBUTED,
  accounts.map(({ id }) => id),
  'ziraat',
)
await app.loadConnections()
const outbox = () => readdirSync(join(folder, 'outbox'))

async function send(mayCut = true): Promise<void> {
  while ((await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
  while ((await sendOrderFiles(laterBy(app, 300), mayCut)) > 0);
}

test('payouts of a configured connection that exchanges files leave in a file, and in no other way', async () => {
  const [id = ''] = await waitingPayouts(app, shop, 1)
  await send(false)
  assert.deepEqual([outbox(), (await findPayout(app.db, id))?.state], [[], 'ready'])
  await send()
  const [name = ''] = outbox()
  assert.match(readFileSync(join(folder, 'outbox', name), 'utf8'), new RegExp(`<EndToEndId>${id}</EndToEndId>`))
  await send()
  assert.deepEqual([outbox(), (await findPayout(app.db, id))?.submits], [[name], 1])
  rmSync(join(folder, 'outbox', name))
})

test('the report beside a status report says what to look at next', async () => {
  const [batch = { id: '' }] = await listBatches(app.db, undefined, 1)
  const works: (() => Promise<number>)[] = []
  startInboxes(app, ({ work }) => {
    works.push(work)
    return { poke: () => undefined, stop: () => Promise.resolve() }
  })
  const put = (name: string, bytes: string | Uint8Array) => writeFileSync(join(folder, 'inbox', name), bytes)
  const wrong = Buffer.from(reportOf(batch, { group: 'ACTC' }))
    .toString()
    .replace('</', '<')
  put('good.xml', reportOf(batch, { group: 'ACTC' }))
  put('other.xml', reportOf({ id: 'none' }, { group: 'ACTC' }))
  put('wrong.xml', wrong)
  for (const work of [...works, ...works]) await work()
  const report = (where: string, name: string) => readFileSync(join(folder, where, `${name}.report.txt`), 'utf8')
  assert.match(report('done', 'good.xml'), new RegExp(`See: npx vezne batch show ${batch.id}`))
  assert.match(report('done', 'other.xml'), new RegExp(`Look at ${folder}/done/other.xml .*npx vezne batch list`))
  const refused = report('refused', 'wrong.xml')
  assert.match(refused, new RegExp(`line \\d+[^]*npx vezne batch list[^]*${folder}/refused/wrong.xml`))
  assert.doesNotMatch(refused, /statement import/)
})

test('with a profile that cannot be used, or while it is disabled, its payouts wait', async () => {
  const [id = ''] = await waitingPayouts(app, shop, 1)
  await changeConnection(app, UNATTRIBUTED, 'ziraat', { orders: { format: 'unknown' } })
  await send()
  assert.equal((await findPayout(app.db, id))?.state, 'ready')
  await changeConnection(app, UNATTRIBUTED, 'ziraat', { orders: { format: 'pain.001.001.09' } })
  await disableConnection(app, UNATTRIBUTED, 'ziraat', 'a test')
  await send()
  assert.deepEqual([outbox(), (await findPayout(app.db, id))?.state], [[], 'ready'])
})
