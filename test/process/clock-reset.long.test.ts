import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { dispatchWithdrawals, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { deliveriesOf, setCallbackUrl, addEvents, runCallbacksOnce } from '../harness/callbacks.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'
import { answer, ok, startReceiver } from '../harness/receiver.ts'
import { mustFind } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service
const data = mkdtempSync(join(tmpdir(), 'vezne-reset-'))
after(() => rmSync(data, { recursive: true, force: true }))
writeFileSync(
  join(data, 'sandbox.json'),
  JSON.stringify({ baseUrl: service.baseUrl, databaseUrl: service.databaseUrl }),
)
const { run, stop } = openCommandLine({ VEZNE_DATA: data, VEZNE_MASTER_KEY: app.config.masterKey.toString('hex') })
after(stop)
after(() => app.outbound.close())

const DAY_SECONDS = 86_400

/** As a developer types it; returns when this process has noticed too. */
async function reset(): Promise<void> {
  const { code, errors } = await run(['sim', 'clock', 'reset'])
  assert.equal(code, 0, errors)
  await travelTo(app, 0)
}

test('sim clock reset: a callback that failed in travelled time is tried again now', async () => {
  const shop = await service.merchant()
  const receiver = await startReceiver(answer(500))
  await setCallbackUrl(app, shop.merchantId, receiver.url)
  await travelTo(app, DAY_SECONDS)
  const id = await addEvents(app, shop.merchantId)
  await runCallbacksOnce(app)
  assert.equal(receiver.all.length, 1)
  receiver.behave(ok)
  await reset()
  await runCallbacksOnce(app)
  assert.deepEqual(
    (await deliveriesOf(app, id)).map(({ state }) => state),
    ['delivered'],
  )
})

test('after a reset doctor shows no negative age', async () => {
  const shop = await service.merchant()
  const receiver = await startReceiver(answer(500))
  await setCallbackUrl(app, shop.merchantId, receiver.url)
  await travelTo(app, DAY_SECONDS)
  await addEvents(app, shop.merchantId)
  await runCallbacksOnce(app)
  await reset()
  const { output } = await run(['doctor', '--json'])
  assert.match(output, /the oldest undelivered event is 0 min old/)
  receiver.behave(ok)
  await runCallbacksOnce(app)
})

test('sim clock reset: a payout in doubt is asked about now', async () => {
  const shop = await service.merchantWithMoney(1_000_000n)
  await travelTo(app, DAY_SECONDS)
  await service.call('PUT', 'faults', { kinds: ['reset_before'], delayMs: 5 })
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await service.work()
  assert.equal((await findPayout(app.db, id))?.state, 'asking')
  await service.call('DELETE', 'faults')
  await reset()
  await service.work()
  assert.equal((await mustFind(app, id)).status, 'completed')
})

test('sim clock reset: a withdrawal that was scheduled in travelled time is judged anew, and its merchant is told', async () => {
  const shop = await service.richMerchant()
  await travelTo(app, toDistantSaturday())
  const body = withdrawBody({ amount: 10_000_001, iban: makeIban('0099', '1234') })
  const { transactionId: id } = (await shop.post('/v1/withdraw', body)).body.data
  await dispatchWithdrawals(app)
  const before = await mustFind(app, id)
  assert.deepEqual([before.state, before.stateReason], ['queued', 'eft_closed'])
  await reset()
  const { state, scheduledFor, sequence } = await mustFind(app, id)
  assert.deepEqual({ state, scheduledFor }, { state: 'queued', scheduledFor: null })
  while ((await distributeEvents(app)) > 0);
  const { events } = (await shop.get(`/v1/events?transactionId=${id}`)).body.data
  assert.equal(events[0].sequence, sequence)
  assert.equal(events[0].type, 'withdrawal.updated')
  await dispatchWithdrawals(app)
  // Whether EFT is open at this hour or not: nothing waits for the Saturday that was left.
  const after = await mustFind(app, id)
  assert.ok(after.scheduledFor === null || after.scheduledFor < (before.scheduledFor ?? new Date(0)))
})

/** Seconds from now to noon in Istanbul of a Saturday, a month ahead. */
function toDistantSaturday(): number {
  const noon = new Date(`${new Date().toISOString().slice(0, 10)}T09:00:00Z`)
  noon.setUTCDate(noon.getUTCDate() + 30 + ((6 - noon.getUTCDay() - 30) % 7) + 7)
  return Math.round((noon.getTime() - Date.now()) / 1000)
}
