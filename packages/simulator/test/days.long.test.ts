import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { makeIban } from '../src/iban.ts'
import type { Running } from './simulator.ts'
import { balances, CLIENT, moneyOf, OTHER, start, statement, temporaryFolder } from './simulator.ts'

const DAY = '2026-11-15'

type Discrepancy = {
  number: number
  kind: string
  account: string
  direction: string
  amount: number
  bankNumbers: string[]
  original: string | null
  reference: string | null
  otherAccount: string | null
  before: { amount: number; day: string } | null
  day: string
}
type Made = { day: string; discrepancies: Discrepancy[]; error?: string }
type Booking = { number: string; direction: string; amount: number; nature: string; listing: string; reversal: boolean }
type Days = { days: { day: string; opening: number; closing: number; bookings: Booking[] }[] }

/** Two accounts with credits and payouts of the day. */
async function open(t: TestContext, folder = temporaryFolder(t)): Promise<Running> {
  const bank = await start(t, folder)
  for (const account of [CLIENT, OTHER]) {
    for (let one = 0; one < 20; one++) {
      const money = { amount: 100_000 + one, description: `K7XM2Q${one}`, senderName: 'Ayşe Yılmaz' }
      await bank.api('POST', `/accounts/${account}/fund`, money)
    }
    for (let one = 0; one < 12; one++) {
      const toIban = makeIban('0064', `10000000000050${10 + one}`)
      const order = {
        reference: `${account}-${one}`,
        fromIban: account,
        toIban,
        toName: 'Can Işık',
        description: 'Çekim',
      }
      await bank.api('POST', '/transfers', { ...order, amount: 1_000 + one })
    }
  }
  return bank
}

const disturb = async ({ api }: Running, body: object) =>
  (await api<Made>('POST', '/days', { day: DAY, accounts: [CLIENT, OTHER], ...body })).body

async function dayOf({ api }: Running, account: string, day = DAY) {
  const { body } = await api<Days>('GET', `/ledger/days?account=${account}&from=${day}`)
  return body.days[0] as Days['days'][number]
}

/** Numbers of the bank's own bookings before are not from the seed. */
const shapeOf = ({ kind, account, direction, amount, otherAccount, before, reference }: Discrepancy) => {
  return { kind, account, direction, amount, otherAccount, before, reference }
}

test('fifty discrepancies of all kinds, each about another booking, and no money comes from nowhere', async (t) => {
  const bank = await open(t)
  const before = await moneyOf(bank)
  const { discrepancies } = await disturb(bank, { discrepancies: 50, seed: 7 })
  assert.deepEqual(
    discrepancies.map(({ number }) => number),
    Array.from({ length: 50 }, (_, index) => index + 1),
  )
  assert.equal(new Set(discrepancies.map(({ kind }) => kind)).size, 15)
  const touched = discrepancies.flatMap(({ kind, original, bankNumbers }) =>
    kind.endsWith('charge') || original === null ? bankNumbers : [original],
  )
  assert.equal(new Set(touched).size, touched.length)
  assert.equal(await moneyOf(bank), before)
})

test('every discrepancy is in the ledger as it is named, and balances follow', async (t) => {
  const bank = await open(t)
  const { discrepancies } = await disturb(bank, { discrepancies: 40, seed: 3 })
  for (const one of discrepancies) {
    const { bookings } = await dayOf(bank, one.account, one.day)
    const booking = bookings.find(({ number }) => number === one.bankNumbers[0])
    assert.ok(booking, one.kind)
    assert.deepEqual([booking.direction, booking.amount], [one.direction, one.amount], one.kind)
    if (one.kind === 'storno') assert.ok(booking.reversal)
    if (one.kind === 'return_less_costs') assert.ok(one.before && booking.amount < one.before.amount)
    if (one.kind === 'listed_twice') assert.equal(booking.listing, 'twice')
    if (one.kind === 'late_listing') assert.equal(booking.listing, 'late')
    if (one.kind === 'correction_date') assert.equal(one.day, '2026-11-16')
    if (one.kind === 'correction_amount') assert.notEqual(booking.amount, one.before?.amount)
  }
  for (const account of [CLIENT, OTHER]) {
    const next = await dayOf(bank, account, '2026-11-16')
    assert.equal(next.opening, (await dayOf(bank, account)).closing)
    assert.equal((await dayOf(bank, account, '2026-11-17')).opening, (await balances(bank))[account])
  }
})

test('the same seed makes the same discrepancies, another seed others', async (t) => {
  const shapes = async (seed: number) => {
    const bank = await open(t)
    return (await disturb(bank, { discrepancies: 30, seed })).discrepancies.map(shapeOf)
  }
  const first = await shapes(7)
  assert.deepEqual(await shapes(7), first)
  assert.notDeepEqual(await shapes(8), first)
})

test('a correction and a second listing are further lines of the API with the same number', async (t) => {
  const bank = await open(t)
  const lines = await statement(bank)
  const { reference = '', amount = 0 } = lines[0] ?? {}
  const path = `/accounts/${CLIENT}/bookings/${reference}`
  await bank.api('POST', `${path}/correct`, { amount: amount + 5 })
  await bank.api('POST', `${path}/listing`, { listing: 'twice' })
  const added = (await statement(bank)).slice(lines.length)
  assert.deepEqual(
    added.map((line) => [line.reference, line.amount]),
    [
      [reference, amount + 5],
      [reference, amount + 5],
    ],
  )
  assert.equal((await bank.api('POST', `${path}9/storno`)).status, 404)
})

test('after a restart the ledger, its days and the clock are the same', async (t) => {
  const folder = temporaryFolder(t)
  const bank = await open(t, folder)
  await disturb(bank, { discrepancies: 30, seed: 1 })
  await bank.api('PUT', '/clock', { now: '2026-12-01T09:00:00Z' })
  const known = async (one: Running) => ({
    days: [await dayOf(one, CLIENT), await dayOf(one, OTHER), await dayOf(one, CLIENT, '2026-11-16')],
    balances: await balances(one),
    lines: await statement(one),
    clock: (await one.api('GET', '/clock')).body,
  })
  const before = await known(bank)
  await bank.stop()
  assert.deepEqual(await known(await start(t, folder)), before)
})

test('on an empty account only bookings that need none are made', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const { discrepancies } = await disturb(bank, { discrepancies: 5, accounts: [CLIENT] })
  assert.equal(discrepancies.length, 5)
  assert.equal((await disturb(bank, { day: '2026-11-20' })).error, 'day_is_in_the_future')
})
