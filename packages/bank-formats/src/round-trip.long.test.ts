import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BankFileError } from './file-problems.ts'
import type { BankProfile, Separator } from './bank-profile.ts'
import { BANK_PROFILES } from './bank-profiles.ts'
import { readCsv } from './csv.ts'
import type { StatementLine } from './statement.ts'
import { inPieces, readOne, utf16, utf8, windows1254, xlsxOf } from '../test/sheets.ts'
import type { TestCell } from '../test/sheets.ts'
import { readXlsx } from './xlsx.ts'

type Movement = { day: number; change: bigint; narrative: string; reference: string }

const words = fc
  .string({ unit: fc.constantFrom(...'ABCÇĞIİÖŞÜabcçğıiöşü012 .-/"\';,\n'.split('')), maxLength: 30 })
  // Spaces are not kept as they are.
  .map((text) => `X${text.replaceAll(/\s+/g, ' ').trim()}`)
const movements = fc
  .array(
    fc.record({
      day: fc.integer({ min: 0, max: 3000 }),
      change: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }).filter((change) => change !== 0n),
      narrative: words,
      reference: fc.string({ unit: fc.constantFrom(...'0123456789GZ'.split('')), minLength: 1, maxLength: 16 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((list) => list.toSorted((a, b) => a.day - b.day))

const dayOf = (day: number) => new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10)
const turkishDay = (day: number, sign: string) => dayOf(day).split('-').toReversed().join(sign)

function turkish(amount: bigint, grouped: boolean): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0')
  const whole = digits.slice(0, -2)
  const shown = grouped ? whole.replaceAll(/\B(?=(\d{3})+$)/g, '.') : whole
  return `${amount < 0n ? '-' : ''}${shown},${digits.slice(-2)}`
}

function point(amount: bigint): string {
  return turkish(amount, false).replace(',', '.')
}

/** The balance after each movement. */
function balances(list: Movement[], opening: bigint): bigint[] {
  let balance = opening
  return list.map(({ change }) => (balance += change))
}

const LAYOUTS = {
  signed: ['Tarih', 'Açıklama', 'Tutar', 'Bakiye', 'Dekont No'],
  split: ['Dekont No', 'Tarih', 'Borç', 'Alacak', 'Bakiye', 'Açıklama'],
  marked: ['Tarih', 'Tutar', 'B/A', 'Açıklama', 'Bakiye', 'Dekont No'],
}
type Layout = keyof typeof LAYOUTS

function cellsOf(layout: Layout, { change, narrative, reference }: Movement, balance: bigint) {
  const size = change < 0n ? -change : change
  const [debit, credit] = change < 0n ? [size, null] : [null, size]
  const amount = layout === 'signed' ? change : size
  return new Map<string, string | bigint | null>([
    ['Açıklama', narrative],
    ['Tutar', amount],
    ['Borç', debit],
    ['Alacak', credit],
    ['B/A', change < 0n ? 'B' : 'A'],
    ['Bakiye', balance],
    ['Dekont No', reference],
  ])
}

type Style = {
  layout: Layout
  separator: Separator
  grouped: boolean
  dateSign: string
  newestFirst: boolean
  end: string
}

function writeCsv(list: Movement[], opening: bigint, style: Style): string {
  const after = balances(list, opening)
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const rows = list.map((movement, index) => {
    const cells = cellsOf(style.layout, movement, after[index] ?? 0n).set(
      'Tarih',
      turkishDay(movement.day, style.dateSign),
    )
    return LAYOUTS[style.layout].map((name) => {
      const cell = cells.get(name) ?? ''
      return quoted(typeof cell === 'bigint' ? turkish(cell, style.grouped) : cell)
    })
  })
  const above = `${quoted('Açılış Bakiyesi')}${style.separator}${quoted(turkish(opening, true))}`
  const body = (style.newestFirst ? rows.toReversed() : rows).map((row) => row.join(style.separator))
  return [above, LAYOUTS[style.layout].join(style.separator), ...body].join(style.end)
}

function writeXlsx(list: Movement[], opening: bigint, { layout, newestFirst }: Style): Uint8Array {
  const after = balances(list, opening)
  const rows = list.map((movement, index): TestCell[] => {
    const cells = cellsOf(layout, movement, after[index] ?? 0n)
    return LAYOUTS[layout].map((name): TestCell => {
      if (name === 'Tarih') return { serial: String(43_831 + movement.day) }
      const cell = cells.get(name) ?? null
      return typeof cell === 'bigint' ? { number: point(cell) } : cell
    })
  })
  return xlsxOf([
    ['Açılış Bakiyesi', { number: point(opening) }],
    LAYOUTS[layout],
    ...(newestFirst ? rows.toReversed() : rows),
  ])
}

const style: fc.Arbitrary<Style> = fc.record({
  layout: fc.constantFrom<Layout>('signed', 'split', 'marked'),
  separator: fc.constantFrom<Separator>(';', ',', '\t'),
  grouped: fc.boolean(),
  dateSign: fc.constantFrom('.', '/', '-'),
  newestFirst: fc.boolean(),
  end: fc.constantFrom('\n', '\r\n', '\r'),
})
const openings = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n })
const profile: BankProfile = BANK_PROFILES.garanti

const essence = ({ bookedOn, direction, amount, narrative, bankReference, balance }: StatementLine) => ({
  bookedOn,
  change: direction === 'credit' ? amount : -amount,
  narrative,
  bankReference,
  balance,
})

function expected(list: Movement[], opening: bigint) {
  const after = balances(list, opening)
  return list.map(({ day, change, narrative, reference }, index) => {
    return { bookedOn: dayOf(day), change, narrative, bankReference: reference, balance: after[index] }
  })
}

/** Within a day two orders may fit the balances, and then nothing tells which was written. */
const oneADay = (list: Movement[]) => list.filter(({ day }, index) => day !== list[index - 1]?.day)

test('what is written as CSV is read, in every layout, order and encoding', async () => {
  const encodings = fc.constantFrom(utf8, windows1254, (text: string) => utf16(`\ufeff${text}`, 'le'))
  await fc.assert(
    fc.asyncProperty(
      movements,
      openings,
      style,
      encodings,
      fc.integer({ min: 1, max: 99 }),
      async (all, opening, how, encode, size) => {
        const list = oneADay(all)
        const statement = await readOne(readCsv(profile), encode(writeCsv(list, opening, how)), size)
        assert.deepEqual(statement.entries.map(essence), expected(list, opening))
        assert.equal(statement.opening?.amount, opening)
      },
    ),
  )
})

test('what is written as XLSX is read', async () => {
  await fc.assert(
    fc.asyncProperty(movements, openings, style, async (all, opening, how) => {
      const list = oneADay(all)
      const statement = await readOne(readXlsx(profile), writeXlsx(list, opening, how))
      assert.deepEqual(statement.entries.map(essence), expected(list, opening))
    }),
    { numRuns: 50 },
  )
})

const EXAMPLE = writeCsv(
  [
    { day: 1, change: 123_456n, narrative: 'GELEN; "ŞÜKRÜ"', reference: 'Z1' },
    { day: 2, change: -5_000n, narrative: 'GİDEN', reference: 'Z2' },
  ],
  100n,
  { layout: 'split', separator: ';', grouped: true, dateSign: '.', newestFirst: false, end: '\r\n' },
)

async function outcome(bytes: Uint8Array): Promise<number | null> {
  try {
    return (await Array.fromAsync(readCsv(profile)(inPieces(bytes, 50)))).length
  } catch (error) {
    assert.ok(error instanceof BankFileError, String(error))
    return null
  }
}

test('cut off at any place, a CSV file is refused or has whole lines', async () => {
  const bytes = utf8(EXAMPLE)
  for (let length = 0; length < bytes.length; length++) {
    const events = await outcome(bytes.subarray(0, length))
    assert.ok(events === null || (events >= 2 && events <= 4), `${length} bytes: ${events} events`)
  }
  assert.equal(await outcome(bytes), 4)
})

test('with any byte changed, a CSV file is read or refused, never anything else', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(utf8, windows1254),
      async (at, byte, encode) => {
        const bytes = Uint8Array.from(encode(EXAMPLE))
        bytes[at % bytes.length] = byte
        await outcome(bytes)
      },
    ),
    { numRuns: 500 },
  )
})

test('any text below a header is read or refused', async () => {
  const text = fc.string({ unit: fc.constantFrom(...'01.2;,"\n\t-ABToplam '.split('')), maxLength: 80 })
  await fc.assert(
    fc.asyncProperty(text, async (body) => void (await outcome(utf8(`Tarih;Açıklama;Tutar;Bakiye\n${body}`)))),
    { numRuns: 500 },
  )
})
