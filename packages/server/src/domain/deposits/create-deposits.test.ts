import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { UNATTRIBUTED, merchantActor } from '../../kernel/actor.ts'
import { startService } from '../../../../../test/harness/service.ts'
import { Refusal } from '../../platform/refusal.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { NewDeposit } from './index.ts'
import { createDeposits, findDeposit } from './index.ts'
import { fundMerchant } from '../matching/index.ts'
import { findMerchant } from '../merchants/index.ts'
import { openBankDirectory, setBankLimits } from '../banks/index.ts'
import { balanceOf, findDrift } from '../ledger/index.ts'

const service = await startService()
const { app } = service
const { merchantId } = await service.merchant()

function request(changes: Partial<NewDeposit> = {}): NewDeposit {
  const customer = { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' }
  return {
    actor: merchantActor(merchantId),
    processId: randomUUID(),
    amount: 125_000n,
    currency: 'TRY',
    bankId: 'FAST',
    customer,
    ...changes,
  }
}

const codes = (outcomes: (object | Refusal)[]) => outcomes.map((one) => (one instanceof Refusal ? one.code : 'created'))
const count = async (processId: string) =>
  (await app.db.query(sql`select id from deposits where process_id = ${processId}`)).length

test('a deposit that needs EFT waits for its opening if the merchant wants it; any other half an hour', async () => {
  const closed = { ...app, clock: { now: () => new Date('2026-11-13T18:00:00+03:00') } }
  const bank = (await app.banks.optionsFor(merchantId, 'TRY')).find(({ id }) => id !== 'FAST')
  const large = { amount: 20_000_000n, bankId: bank?.id ?? null }
  const outcomes = await createDeposits(closed, [
    request({ ...large, eftDeadlineHours: 4 }),
    request(large),
    request({ eftDeadlineHours: 4 }),
  ])
  const expected = ['2026-11-16T09:00:00.000Z', '2026-11-13T15:30:00.000Z', '2026-11-13T15:30:00.000Z']
  assert.deepEqual(
    outcomes.map((one) => (one instanceof Refusal ? one.message : one.expiresAt.toISOString())),
    expected,
  )
  const stored = await Promise.all(
    outcomes.map((one) => findDeposit(app.db, merchantId, one instanceof Refusal ? '' : one.id)),
  )
  assert.deepEqual(
    stored.map((one) => one?.expiresAt.toISOString()),
    expected,
  )
})

test('a mixed list: each request has its own outcome, at its own place, and none hurts its neighbours', async () => {
  const [good, twin, other] = [request(), request(), request()]
  await createDeposits(app, [other])
  const outcomes = await createDeposits(app, [
    good,
    twin,
    { ...twin, amount: 999n },
    request({ amount: 99n }),
    request({ amount: 10_000_001n }),
    request({ bankId: '0'.repeat(24) }),
    request({ currency: 'EUR' }),
    other,
    { ...other, amount: 1n },
    request({ amount: 100n }),
    request({ amount: 10_000_000n }),
  ])
  assert.deepEqual(codes(outcomes), [
    ...['created', 'created', 'DUPLICATE_TRANSACTION', 'AMOUNT_OUT_OF_RANGE', 'AMOUNT_OUT_OF_RANGE'],
    ...['VALIDATION_ERROR', 'VALIDATION_ERROR', 'DUPLICATE_TRANSACTION', 'DUPLICATE_TRANSACTION', 'created', 'created'],
  ])
  for (const { processId } of [good, twin, other]) assert.equal(await count(processId), 1)
  const [first] = outcomes
  assert.ok(first && !(first instanceof Refusal))
  assert.deepEqual(await findDeposit(app.db, merchantId, first.id), first)
})

test('of two equal requests in one list the first in order of arrival is the one that exists', async () => {
  const [a, b] = [request({ amount: 1000n }), request({ amount: 2000n })]
  const outcomes = await createDeposits(app, [b, a, { ...a, amount: 3000n }, { ...b, amount: 4000n }])
  assert.deepEqual(codes(outcomes), ['created', 'created', 'DUPLICATE_TRANSACTION', 'DUPLICATE_TRANSACTION'])
  const rows = await app.db.query<{ amount: bigint }>(sql`
    select amount from deposits where process_id in (${a.processId}, ${b.processId}) order by amount`)
  assert.deepEqual(rows, [{ amount: 1000n }, { amount: 2000n }])
})

test('the same processId of another merchant is another deposit', async () => {
  const other = await service.merchant()
  const mine = request()
  assert.deepEqual(codes(await createDeposits(app, [mine, { ...mine, actor: merchantActor(other.merchantId) }])), [
    'created',
    'created',
  ])
})

test('what is stored is what was sent, to the last character', async () => {
  const odd = request({
    processId: `"p'{},\\ \u{1f600}ı İ${randomUUID()}`,
    customer: { id: '{"a":1}', name: "O'Ğül, \\N {null}", username: '\u2028 ' },
    metadata: { nested: [{ 'a"b': '\\' }, null, 1.5], NULL: '{}' },
    returnUrl: 'https://shop.example/?a=1&b={}',
    language: 'en',
  })
  const [created] = await createDeposits(app, [odd])
  assert.ok(created && !(created instanceof Refusal))
  const stored = await findDeposit(app.db, merchantId, created.id)
  assert.deepEqual(stored, created)
  const { actor, ...sent } = odd
  assert.deepEqual({ ...stored, ...sent, merchantId: actor.merchantId }, stored)
})

test('without a bank: no account is assigned, and the amount must suit at least one bank', async () => {
  const { bankId: _, ...free } = request({ amount: 50_000_000n })
  const [created, tooMuch] = await createDeposits(app, [
    free,
    { ...free, processId: randomUUID(), amount: 50_000_001n },
  ])
  assert.ok(created && !(created instanceof Refusal))
  assert.equal(created.collectingAccountId, null)
  assert.ok(tooMuch instanceof Refusal)
  assert.equal(tooMuch.code, 'AMOUNT_OUT_OF_RANGE')
})

/** Returns these codes first, then random ones. */
function drawing(...codes: (string | null)[]) {
  const draws = codes.map((code) =>
    Buffer.from(Array.from(code?.slice(0, -1) ?? '', (one) => CODE_LETTERS.indexOf(one))),
  )
  return { ...app, random: { ...app.random, bytes: (count: number) => draws.shift() ?? app.random.bytes(count) } }
}
const CODE_LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

test('a code that is taken: the list is written with other codes, and nobody hears of it', async () => {
  const [first] = await createDeposits(app, [request({ bankId: null })])
  assert.ok(first && !(first instanceof Refusal))
  const { referenceCode } = first
  const twice = request({ bankId: null })
  const list = [request({ bankId: null }), twice, twice, request({ bankId: null, amount: 1n })]
  const outcomes = await createDeposits(drawing(referenceCode, referenceCode), list)
  assert.deepEqual(codes(outcomes), ['created', 'created', 'DUPLICATE_TRANSACTION', 'AMOUNT_OUT_OF_RANGE'])
  const found = await app.db.query<{ code: string }>(sql`
    select reference_code as code from deposits
    where process_id in (${list[0]?.processId}, ${twice.processId}, ${first.processId})`)
  assert.equal(new Set(found.map(({ code }) => code)).size, 3)
  for (const one of outcomes.slice(0, 2)) {
    assert.ok(one && !(one instanceof Refusal))
    assert.deepEqual(await findDeposit(app.db, merchantId, one.id), one)
  }
})

test('a source of chance that only knows one code is an error, not an endless loop', async () => {
  const [first] = await createDeposits(app, [request({ bankId: null })])
  assert.ok(first && !(first instanceof Refusal))
  const stuck = drawing(...Array.from({ length: 100 }, () => first.referenceCode))
  await assert.rejects(createDeposits(stuck, [request({ bankId: null })]), { code: '23505' })
})

test('an empty list is an empty answer', async () => assert.deepEqual(await createDeposits(app, []), []))

test('lists of the same processIds in opposite orders at once: one creation each, no deadlock', async () => {
  for (let round = 0; round < 10; round++) {
    const list = Array.from({ length: 100 }, () => request())
    const [one, two] = await Promise.all([createDeposits(app, list), createDeposits(app, list.toReversed())])
    const created = [...one, ...two].filter((outcome) => !(outcome instanceof Refusal))
    assert.equal(created.length, 100)
  }
})

test('fundMerchant gives exactly what was asked, in deposits that fit the limits', async () => {
  const funds = await startService()
  for (const amount of [100n, 50_000_000n, 50_000_001n, 50_000_099n, 120_000_000n]) {
    const { merchantId: id } = await funds.merchant({ funds: amount })
    assert.deepEqual(await balanceOf(funds.app.db, id, 'TRY'), { available: amount, held: 0n })
  }
  assert.deepEqual(await findDrift(funds.app.db), [])
})

test('fundMerchant refuses what the limits cannot make up, instead of giving less', async () => {
  const { merchantId: id } = await service.merchant()
  for (const { code } of await app.banks.banks()) {
    await setBankLimits(app, UNATTRIBUTED, code, 'TRY', { minAmount: 100n, maxAmount: 150n })
  }
  const fresh = { ...app, banks: openBankDirectory(app) }
  await assert.rejects(fundMerchant(fresh, await findMerchant(app, id), 160n, 'TRY'), { code: 'AMOUNT_OUT_OF_RANGE' })
  assert.deepEqual(await balanceOf(app.db, id, 'TRY'), { available: 0n, held: 0n })
})
