import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredLine } from '../../packages/server/src/domain/statements/index.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, mt, openFileAccount } from '../harness/statement-files.ts'
import { startService } from '../harness/service.ts'

const { app } = await startService()
const DAY = '2026-03-10'
const newAccount = () => openFileAccount(app)

const amounts = (lines: StoredLine[]) => lines.map(({ amount }) => Number(amount)).toSorted((a, b) => a - b)

function permutations<Item>(items: Item[]): Item[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

/** Each format words a booking in its own way, and only some have a time. */
const worded = (bookings: Booking[], word: string, time?: string) =>
  bookings.map((one) => ({ ...one, text: `${word} ${one.text ?? ''}`.trim(), ...(time ? { time } : {}) }))

const NUMBERED: Booking[] = [
  { number: 'N1', amount: 10_000, sender: 'Ayşe Yılmaz', text: 'ABC' },
  { number: 'N2', amount: 10_000, sender: 'Ayşe Yılmaz', text: 'ABC' },
  { number: 'N3', amount: 2500, sender: 'Mehmet Kaya', text: 'havale' },
  { number: 'N4', amount: 700, debit: true, sender: 'Banka', text: 'masraf' },
]
const UNNUMBERED = NUMBERED.map(({ number: _, ...one }) => one)
const BATCH = {
  number: 'B1',
  amount: 600,
  details: [
    { amount: 100, sender: 'Ali Can', text: 'bir' },
    { amount: 200, sender: 'Veli Can', text: 'iki' },
    { amount: 300, sender: 'Can Can', text: 'üç' },
  ],
}

for (const [name, bookings] of [
  ['with numbers', NUMBERED],
  ['without numbers', UNNUMBERED],
] as const) {
  test(`camt.052, 054 and 053 of a day, ${name}, in every order: each booking once`, async () => {
    for (const order of permutations(['052', '054', '053'] as const)) {
      const { iban, lines, take } = await newAccount()
      const files = {
        '052': camt('052', { iban, day: DAY, bookings: worded(bookings, 'GELEN', '10:15:00') }),
        '054': camt('054', { iban, day: DAY, bookings: worded(bookings, 'FAST') }),
        '053': camt('053', { iban, day: DAY, opening: 0, bookings: worded(bookings, '') }),
      }
      const results = []
      for (const format of order) results.push(await take(files[format]))
      assert.deepEqual(amounts(await lines()), [700, 2500, 10_000, 10_000], order.join())
      assert.deepEqual(
        results.map((result) => [result.new, result.known, result.suspected]),
        [[4, 0, 0], [0, 4, 0], [0, 4, 0]], // prettier-ignore
        order.join(),
      )
    }
  })

  test(`MT942 and MT940 of a day, ${name}, in both orders: each booking once`, async () => {
    for (const order of permutations(['942', '940'] as const)) {
      const { iban, lines, take } = await newAccount()
      const files = {
        '942': mt('942', { iban, day: DAY, bookings: worded(bookings, 'GELEN') }),
        '940': mt('940', { iban, day: DAY, bookings }),
      }
      for (const format of order) await take(files[format])
      assert.deepEqual(amounts(await lines()), [700, 2500, 10_000, 10_000], order.join())
    }
  })
}

test('a batch: opened in the 054, one line in the 053, in both orders, or opened in both', async () => {
  const variants = [
    [camtOf('054', true), camtOf('053', false)],
    [camtOf('053', false), camtOf('054', true)],
    [camtOf('053', true), camtOf('054', true)],
  ] as const
  const found = []
  for (const [first, second] of variants) {
    const { iban, lines, take } = await newAccount()
    await take(first(iban))
    await take(second(iban))
    found.push(amounts(await lines()))
  }
  assert.deepEqual(found, [[100, 200, 300], [600], [100, 200, 300]])
})

function camtOf(format: '053' | '054', opened: boolean) {
  return (iban: string) =>
    camt(format, { iban, day: DAY, ...(format === '053' ? { opening: 0 } : {}), bookings: [{ ...BATCH, opened }] })
}

test('another amount or day under a known number is shown as a suspected correction', async () => {
  for (const changed of [{ amount: 10_500 }, { day: '2026-03-11' }]) {
    const { iban, lines, take } = await newAccount()
    const [booking] = NUMBERED as [Booking]
    await take(camt('052', { iban, day: DAY, bookings: [{ ...booking, time: '10:15:00' }] }))
    const result = await take(camt('053', { iban, day: DAY, opening: 0, bookings: [{ ...booking, ...changed }] }))
    assert.deepEqual([result.new, result.suspected], [1, 1])
    const [first, second] = await lines()
    assert.deepEqual(
      [second?.state, second?.reason, second?.correctsLineId],
      ['needs_review', 'suspected_correction', first?.id],
    )
  }
})

test('a later report adds a second equal payment without number: it is new, the first is known', async () => {
  const { iban, lines, take } = await newAccount()
  const one = { amount: 10_000, sender: 'Ayşe Yılmaz', text: 'ABC' }
  await take(camt('052', { iban, day: DAY, bookings: [{ ...one, time: '10:15:00' }] }))
  const result = await take(camt('053', { iban, day: DAY, opening: 0, bookings: [one, one] }))
  assert.deepEqual([result.new, result.known], [1, 1])
  assert.deepEqual(amounts(await lines()), [10_000, 10_000])
})

test('equal payments without number in one file count separately, across parts, and the same lines in a new file change nothing', async () => {
  const { iban, lines, take } = await newAccount()
  const one = { amount: 10, sender: 'Ayşe Yılmaz', text: 'ABC' }
  const bookings = Array.from({ length: 620 }, () => one)
  const result = await take(camt('053', { iban, day: DAY, opening: 0, bookings }))
  assert.deepEqual([result.new, result.known], [620, 0])
  const again = await take(camt('053', { iban, day: DAY, opening: 0, bookings, id: 'S2' }))
  assert.deepEqual([again.new, again.known, again.before], [0, 620, false])
  assert.equal((await lines()).length, 620)
})

test('no number and no sender in one of them: a credit is shown to a person', async () => {
  const { iban, lines, take } = await newAccount()
  await take(camt('052', { iban, day: DAY, bookings: [{ amount: 10_000, text: 'GELEN' }] }))
  await take(
    camt('053', { iban, day: DAY, opening: 0, bookings: [{ amount: 10_000, sender: 'Ali Can', text: 'ABC' }] }),
  )
  assert.deepEqual((await lines()).map(({ state, reason }) => [state, reason]), [['new', null], ['needs_review', 'suspected_correction']]) // prettier-ignore
})
