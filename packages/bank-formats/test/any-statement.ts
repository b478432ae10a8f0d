import fc from 'fast-check'
import type { Statement, StatementFormat, StatementLine } from '../src/statement.ts'

/** No `-`: a line of an MT940 that begins with it ends the message. */
const LETTERS = Array.from('ABCXYZ0189 .,&<>ÇĞİıÖŞÜçğöşü')
const anyText = (maxLength: number) =>
  fc
    .array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength })
    .map((letters) => letters.join('').replaceAll(/\s+/g, ' ').trim() || 'X')
const anyReference = fc.stringMatching(/^[A-Z]{1,4}[0-9]{1,12}$/)
const anyDay = fc
  .integer({ min: 0, max: 3000 })
  .map((days) => new Date(Date.UTC(2020, 0, 1 + days)).toISOString().slice(0, 10))
const anyIban = fc.stringMatching(/^TR[0-9]{24}$/)
const orNone = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

/** A line that both formats can hold. */
export function anyLine(): fc.Arbitrary<StatementLine> {
  return fc.record(
    {
      position: fc.constant({ line: 0 }),
      direction: fc.constantFrom('credit', 'debit'),
      amount: fc.bigInt({ min: 0n, max: 10n ** 14n }),
      currency: fc.constant('TRY'),
      bookedOn: anyDay,
      bookedAt: fc.constant(null),
      valueOn: anyDay,
      status: fc.constantFrom('booked', 'booked', 'pending'),
      reversal: fc.boolean(),
      returned: orNone(fc.constantFrom('AC04', 'MS03')),
      bankReference: orNone(anyReference),
      endToEndReference: orNone(anyReference),
      counterpartyName: orNone(anyText(20)),
      counterpartyIban: orNone(anyIban),
      narrative: anyText(60),
      balance: fc.constant(null),
      batch: fc.constant(null),
    },
    { noNullPrototype: true },
  )
}

/** A statement of these lines whose balances fit them. */
export function statementOf(format: StatementFormat, entries: StatementLine[], at: number): Statement {
  const sum = (direction: string, of: StatementLine[]) =>
    of.filter((line) => line.direction === direction).reduce((total, { amount }) => total + amount, 0n)
  const booked = entries.filter(({ status }) => status === 'booked')
  const opening = BigInt(at) * 12345n - 20000n
  const closing = opening + sum('credit', booked) - sum('debit', booked)
  const account =
    at % 2 === 0 ? { iban: 'TR330006100519786457841326', number: null } : { iban: null, number: `12345-${at}` }
  return {
    format,
    id: `S${at}`,
    account: { ...account, currency: 'TRY' },
    from: null,
    to: null,
    opening: { amount: opening, currency: 'TRY', on: '2026-01-30' },
    closing: { amount: closing, currency: 'TRY', on: '2026-01-31' },
    lines: entries.length,
    credits: sum('credit', entries),
    debits: sum('debit', entries),
    problems: [],
    entries,
  }
}
