import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startService } from '../../../test/harness/service.ts'
import { NO_FEE } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import { balanceOf, findDrift } from '../ledger/index.ts'
import { checkoutToken, createDeposits, findByCheckoutToken } from './index.ts'
import { readCheckoutToken } from './checkout-token.ts'
import { settleDeposits } from './settle-deposits.ts'

const service = await startService()
const { app } = service

async function newDeposit(merchantId: string) {
  const customer = { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' }
  const request = { merchantId, processId: randomUUID(), amount: 10_000n, currency: 'TRY', bankId: 'FAST', customer }
  const [deposit] = await createDeposits(app, [request])
  assert.ok(deposit && !(deposit instanceof Refusal))
  return { deposit, collectingAccountId: deposit.collectingAccountId as string }
}

for (const [what, amount, fee, available, taken] of [
  ['no fee', 10_000n, NO_FEE, 10_000n, 0n],
  ['a share and a fixed part', 10_000n, { ...NO_FEE, bps: 150, fixed: 25n }, 9825n, 175n],
  ['a minimum fee above the amount takes all of it and no more', 100n, { ...NO_FEE, min: 300n }, 0n, 100n],
  ['a fee on what arrived, not on what was announced', 20_000n, { ...NO_FEE, bps: 100 }, 19_800n, 200n],
] as const) {
  test(`money arrives, ${what}: the merchant has the rest, and the books agree`, async () => {
    const { merchantId } = await service.merchant()
    const arrival = await newDeposit(merchantId)
    const [settled] = await app.db.transaction((tx) => settleDeposits(app, tx, [{ ...arrival, amount, fee }]))
    assert.deepEqual([settled?.status, settled?.receivedAmount, settled?.fee], ['completed', amount, taken])
    assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available, held: 0n })
    assert.deepEqual(await findDrift(app.db), [])
  })
}

test('a deposit is credited once, however many say at once that it has been paid', async () => {
  const { merchantId } = await service.merchant()
  const arrival = { ...(await newDeposit(merchantId)), amount: 10_000n, fee: NO_FEE }
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, () => app.db.transaction((tx) => settleDeposits(app, tx, [arrival]))),
  )
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.deepEqual(await balanceOf(app.db, merchantId, 'TRY'), { available: 10_000n, held: 0n })
})

test('a checkout token opens its own deposit and, with any bit changed, none', async () => {
  const { merchantId } = await service.merchant()
  const { deposit } = await newDeposit(merchantId)
  const token = checkoutToken(app.vault, deposit)
  assert.equal((await findByCheckoutToken(app, token))?.id, deposit.id)
  const bytes = Buffer.from(token, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
    assert.equal(readCheckoutToken(app.vault, flipped.toString('base64url')), null, `bit ${bit}`)
  }
  for (const other of [
    '',
    token.slice(1),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    `${token.slice(0, -1)}+`,
    'A'.repeat(75),
  ]) {
    assert.equal(readCheckoutToken(app.vault, other), null, JSON.stringify(other))
  }
})
