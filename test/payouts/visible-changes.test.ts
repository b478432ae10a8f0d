import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { oldestQueued } from '../../packages/server/src/domain/withdrawals/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { DAY_MS } from '../../packages/server/src/platform/time/clock.ts'
import { approve } from '../harness/approvals.ts'
import { withdrawBody } from '../harness/examples.ts'
import { accepted } from '../harness/envelope.ts'
import { someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import { checkEvents, mustFind } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service

const HUNDRED_THOUSAND = 10_000_000n
/** In kuruş: EFT carries it, and one account needs to hold it. */
const ABOVE_FAST = 10_000_001

/** Seconds from now to noon in Istanbul of the next Saturday. */
function toSaturdayNoon(): number {
  const noon = new Date(`${new Date().toISOString().slice(0, 10)}T09:00:00Z`)
  do noon.setTime(noon.getTime() + DAY_MS)
  while (noon.getUTCDay() !== 6)
  return Math.round((noon.getTime() - Date.now()) / 1000)
}

type Shop = Awaited<ReturnType<typeof service.merchantWithMoney>>

async function withdraw(of: Shop, changes: Record<string, unknown>): Promise<string> {
  return accepted(await of.post('/v1/withdraw', withdrawBody(changes)), 201).transactionId
}

/** Deposits of 100.000 TL each, paid at the bank, all into the account of the first or each into the next one. */
async function richShop(count: number, spread: 'one account' | 'several'): Promise<Shop> {
  const rich = await service.merchant()
  const accounts = (await app.banks.accounts()).filter(({ currency }) => currency === 'TRY')
  for (const [index, deposit] of (await someDeposits(app, rich.merchantId, count, HUNDRED_THOUSAND)).entries()) {
    const account = accounts[spread === 'several' ? index : 0] ?? assert.fail()
    await app.db.query(sql`update deposits set collecting_account_id = ${account.id} where id = ${deposit.id}`)
    await service.call('POST', 'payments', {
      toIban: account.iban,
      amount: Number(HUNDRED_THOUSAND),
      description: deposit.referenceCode,
      senderName: 'Ayşe Yılmaz',
    })
  }
  await service.readStatement()
  return rich
}

test('money that is missing on our accounts is looked for every minute, and no one is told', async () => {
  const rich = await richShop(3, 'several')
  const id = await withdraw(rich, { amount: 2 * ABOVE_FAST, iban: makeIban('0099', '1234') })
  for (let minute = 0; minute < 3; minute++) {
    await travelTo(app, minute * 61)
    await service.work()
    assert.deepEqual(await checkEvents(app, rich, id), [])
    assert.equal(accepted(await rich.get(`/v1/transactions/${id}`), 200).scheduledFor, undefined)
  }
  const { stateReason, createdAt } = await mustFind(app, id)
  assert.equal(stateReason, 'no_funds')
  assert.deepEqual(await oldestQueued(app.db), createdAt, 'whoever watches what is not sent sees it')
  await travelTo(app, 0)
  accepted(await rich.post(`/v1/transactions/${id}/cancel`, undefined), 200)
  assert.deepEqual(await checkEvents(app, rich, id), ['failed'])
})

test('EFT that is closed: when it will be sent is told, and so is every change of it', async () => {
  const rich = await richShop(4, 'one account')
  await travelTo(app, toSaturdayNoon())
  const iban = makeIban('0099', '1234')
  const [sent, cancelled] = [
    await withdraw(rich, { amount: ABOVE_FAST, iban }),
    await withdraw(rich, { amount: ABOVE_FAST, iban }),
  ]
  await service.work()
  assert.deepEqual(await checkEvents(app, rich, sent), ['updated'])
  await service.work()
  assert.deepEqual(await checkEvents(app, rich, sent), ['updated'])
  accepted(await rich.post(`/v1/transactions/${cancelled}/cancel`, undefined), 200)
  assert.deepEqual(await checkEvents(app, rich, cancelled), ['updated', 'failed'])
  await travelTo(app, toSaturdayNoon() + (2 * DAY_MS) / 1000)
  await service.work()
  assert.deepEqual(await checkEvents(app, rich, sent), ['updated', 'processing', 'completed'])
  await travelTo(app, 0)
})

test('approval, a refusal by the bank, a doubt, a return', async () => {
  const rich = await service.merchantWithMoney(1_000_000n)
  await setPayoutRules(app, UNATTRIBUTED, rich.merchantId, { approvalThreshold: 200_000n })
  const [approved, refused, doubt] = [
    await withdraw(rich, { amount: 200_000 }),
    await withdraw(rich, { iban: makeIban('0062', '90000001') }),
    await withdraw(rich, { iban: makeIban('0062', '90000006') }),
  ]
  await service.work()
  assert.deepEqual(await checkEvents(app, rich, approved), [])
  for (const name of ['ayla', 'bora']) {
    await addOperator(app, UNATTRIBUTED, name, DECIDING)
    await approve(app, operatorActor(name), approved)
  }
  await service.work()
  await travelTo(app, 120)
  await service.work()
  assert.deepEqual(await checkEvents(app, rich, approved), ['processing', 'completed'])
  assert.deepEqual(await checkEvents(app, rich, refused), ['processing', 'failed'])
  assert.deepEqual(await checkEvents(app, rich, doubt), ['processing', 'completed'])
  await service.call('POST', `transfers/${approved}/return`)
  await service.work()
  assert.deepEqual(await checkEvents(app, rich, approved), ['processing', 'completed', 'returned'])
  await travelTo(app, 0)
})
