import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merchantActor } from '../../packages/server/src/kernel/actor.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import {
  dispatchWithdrawals,
  findPayout,
  cancelWithdrawal,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { DAY_MS } from '../../packages/server/src/platform/time/clock.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind, checkHistory } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service
const ABOVE_FAST = 10_000_001

/** Seconds from now to noon in Istanbul of the next Saturday. */
function toSaturdayNoon(): number {
  const noon = new Date(`${new Date().toISOString().slice(0, 10)}T09:00:00Z`)
  do noon.setTime(noon.getTime() + DAY_MS)
  while (noon.getUTCDay() !== 6)
  return Math.round((noon.getTime() - Date.now()) / 1000)
}

test('EFT on a Saturday is scheduled and says so, can be cancelled, and is sent once when the window opens', async () => {
  const shop = await service.richMerchant()
  const iban = makeIban('0099', '1234')
  const ask = async () => {
    const { body, code } = await shop.post('/v1/withdraw', withdrawBody({ amount: ABOVE_FAST, iban }))
    assert.equal(code, undefined)
    return body.data.transactionId as string
  }
  await travelTo(app, toSaturdayNoon())
  const [id, cancelled] = [await ask(), await ask()]
  await service.work()
  const found = await mustFind(app, id)
  assert.deepEqual([found.status, found.state, found.stateReason], ['pending', 'queued', 'eft_closed'])
  const opens = found.scheduledFor ?? new Date(0)
  assert.ok(opens.getTime() > app.clock.now().getTime() + DAY_MS / 2, 'not before Monday')
  assert.ok(![0, 6].includes(new Date(istanbul(opens).day).getUTCDay()))
  const shown = (await shop.get(`/v1/transactions/${id}`)).body.data
  assert.deepEqual([shown.status, shown.scheduledFor], ['pending', opens.toISOString()])
  assert.equal(await findPayout(app.db, id), undefined)
  await cancelWithdrawal(app, merchantActor(shop.merchantId), cancelled)
  const offset = (time: Date) => Math.round((time.getTime() - Date.now()) / 1000)
  await travelTo(app, offset(opens) - 30)
  assert.equal(await dispatchWithdrawals(app), 0)
  await travelTo(app, offset(opens) + 30)
  await service.work()
  const sent = await mustFind(app, id)
  assert.deepEqual([sent.state, sent.rail, sent.scheduledFor], ['sent', 'eft', null])
  assert.deepEqual(await checkHistory(app, id), ['updated', 'processing', 'completed'])
  const witness = (await service.witness()).map(({ reference }) => reference)
  assert.deepEqual([witness.filter((one) => one === id).length, witness.includes(cancelled)], [1, false])
})
