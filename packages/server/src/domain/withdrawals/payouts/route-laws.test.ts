import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AKBANK, CAP, day, GARANTI, HOLIDAYS, source, ZIRAAT } from '../../../../../../test/harness/routes.ts'
import { bankCodeOf, makeIban } from '../../../kernel/iban.ts'
import { DEFAULT_FAST_CAPS } from '../../banks/index.ts'
import type { PayoutAccount } from './route.ts'
import { routePayout } from './route.ts'

const amounts = fc.bigInt({ min: 1n, max: 300_000_00n })
const anySource = fc.record<PayoutAccount>({
  id: fc.nat(20).map(String),
  iban: fc.constantFrom(ZIRAAT, GARANTI, AKBANK).map((bank) => makeIban(bank, '1')),
  currency: fc.constantFrom('TRY', 'TRY', 'EUR'),
  state: fc.constantFrom('active', 'paused', 'draining', 'blocked'),
  stoppedBy: fc.constantFrom(null, null, 'books_differ' as const),
  connection: fc.constantFrom('bank', 'another', null),
  balance: fc.oneof(amounts, fc.constant(CAP)),
  sentToday: amounts,
  dailySendLimit: fc.option(fc.bigInt({ min: 0n, max: 600_000_00n })),
})
const anySources = fc.uniqueArray(anySource, { selector: ({ id }) => id, maxLength: 6 })
const anyTime = fc.date({ min: new Date('2020-12-01'), max: new Date('2030-12-31'), noInvalidDate: true })
const anyPayout = fc.record({
  iban: fc.constantFrom(ZIRAAT, '0999').map((bank) => makeIban(bank, '77')),
  amount: fc.oneof(amounts, fc.constantFrom(CAP, CAP + 1n)),
  currency: fc.constantFrom('TRY', 'TRY', 'EUR'),
})
/** Holidays as offsets in days from now; many, so that they have an effect. */
const anyHolidays = fc.uniqueArray(fc.tuple(fc.nat(40), fc.boolean()), { selector: ([after]) => after, maxLength: 41 })
const HOUR = 3_600_000

/** Istanbul time computed by arithmetic, independent of the code under test. */
const local = (date: Date, days = 0) => new Date(date.getTime() + 3 * HOUR + days * 24 * HOUR).toISOString()

function holidaysFrom(now: Date, offsets: [after: number, halfDay: boolean][]) {
  return offsets.map(([after, halfDay]) => day(local(now, after).slice(0, 10), halfDay))
}

function insideCutOff(date: Date, holidays: ReturnType<typeof day>[]): boolean {
  const [today, time] = local(date).split('T') as [string, string]
  const holiday = holidays.find((one) => one.day === today)
  const weekend = [0, 6].includes(new Date(`${today}T00:00:00Z`).getUTCDay())
  return !weekend && (!holiday || holiday.halfDay) && time >= '08:00' && time < (holiday ? '12:30' : '16:30')
}

test('EFT is sent inside our window only, and scheduled for the first 08:00 to come that is inside', () => {
  const seen = { send: 0, schedule: 0 }
  const property = fc.property(amounts, anyTime, anyHolidays, (above, now, offsets) => {
    const holidays = holidaysFrom(now, offsets)
    const payout = { iban: makeIban(ZIRAAT, '77'), amount: CAP + above, currency: 'TRY' }
    const route = routePayout(payout, [source('a')], now, holidays, DEFAULT_FAST_CAPS)
    assert.ok(route.kind === 'schedule' || (route.kind === 'send' && route.rail === 'eft'))
    seen[route.kind]++
    assert.equal(route.kind === 'send', insideCutOff(now, holidays))
    if (route.kind === 'send') return
    assert.ok(route.at > now)
    assert.equal(local(route.at).slice(11), '08:00:00.000Z')
    assert.ok(insideCutOff(route.at, holidays))
    for (let earlier = route.at.getTime() - 24 * HOUR; earlier > now.getTime(); earlier -= 24 * HOUR) {
      assert.ok(!insideCutOff(new Date(earlier), holidays), 'an opening was passed over')
    }
  })
  fc.assert(property, { numRuns: 1000 })
  assert.ok(seen.send > 0 && seen.schedule > 0)
})

test('never from an account that is blocked, stopped, without a connection or in another currency, beyond balance or limit, nor by a rail that does not carry it', () => {
  const property = fc.property(anyPayout, anySources, anyTime, (payout, sources, now) => {
    const atHome = ({ iban }: PayoutAccount) => bankCodeOf(iban) === bankCodeOf(payout.iban)
    const may = sources.filter((one) => {
      const carried = payout.currency === 'TRY' || atHome(one)
      const open = one.state !== 'blocked' && one.stoppedBy === null && one.connection !== null
      return open && one.currency === payout.currency && carried
    })
    const fits = may.filter(({ balance, sentToday, dailySendLimit }) => {
      return balance >= payout.amount && (dailySendLimit === null || sentToday + payout.amount <= dailySendLimit)
    })
    const route = routePayout(payout, sources, now, HOLIDAYS, DEFAULT_FAST_CAPS)
    if (route.kind === 'wait') return assert.equal(fits.length, 0)
    const neighbours = fits.filter(atHome)
    const cap = DEFAULT_FAST_CAPS.findLast((one) => one.from <= local(now).slice(0, 10))?.amount ?? 0n
    if (route.kind === 'schedule') return assert.ok(fits.length > 0 && neighbours.length === 0 && payout.amount > cap)
    const from = fits.find(({ id }) => id === route.sourceId)
    assert.ok(from)
    assert.equal(route.connection, from.connection)
    assert.equal(route.rail === 'havale', neighbours.length > 0)
    assert.equal(neighbours.includes(from), neighbours.length > 0)
    if (route.rail !== 'havale') assert.equal(route.rail === 'fast', payout.amount <= cap)
  })
  fc.assert(property, { numRuns: 1000 })
})

test('the order of the accounts does not matter, and the list is left as it was', () => {
  const shuffled = anySources.chain((sources) => {
    return fc.tuple(fc.constant(sources), fc.shuffledSubarray(sources, { minLength: sources.length }))
  })
  const property = fc.property(anyPayout, shuffled, anyTime, (payout, [sources, others], now) => {
    const before = [...others]
    const route = (from: PayoutAccount[]) => routePayout(payout, from, now, HOLIDAYS, DEFAULT_FAST_CAPS)
    assert.deepEqual(route(others), route(sources))
    assert.deepEqual(others, before)
  })
  fc.assert(property)
})
