import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readMt940 } from './mt940.ts'
import type { Statement, StatementLine } from './statement.ts'
import { anyLine, statementOf } from '../test/any-statement.ts'
import { readAll } from '../test/bytes-of.ts'

const decimal = (amount: bigint) => `${amount / 100n},${String(amount % 100n).padStart(2, '0')}`
const yymmdd = (day: string) => day.slice(2).replaceAll('-', '')

function writeBalance(tag: string, balance: Statement['opening']): string {
  if (!balance) return ''
  const isDebit = balance.amount < 0n
  return `:${tag}:${isDebit ? 'D' : 'C'}${yymmdd(balance.on)}${balance.currency}${decimal(isDebit ? -balance.amount : balance.amount)}`
}

/** The mark of a reversal is that of the line taken back. */
function markOf({ direction, reversal, status }: StatementLine): string {
  if (reversal) return direction === 'credit' ? 'RD' : 'RC'
  return `${status === 'pending' ? 'E' : ''}${direction === 'credit' ? 'C' : 'D'}`
}

/** The text in subfields of 27 characters, the whole in lines of 65. */
function writeInformation({ narrative, counterpartyName, counterpartyIban, returned }: StatementLine): string {
  const purpose = `SVWZ+${narrative}`.match(/.{1,27}/gu) ?? []
  const subfields = purpose.map((part, at) => `?${20 + at}${part}`).join('')
  const party = `${counterpartyIban === null ? '' : `?31${counterpartyIban}`}${counterpartyName === null ? '' : `?32${counterpartyName}`}`
  const text = `${returned === null ? '166' : '159'}${subfields}${party}${returned === null ? '' : `?34${returned}`}`
  return (text.match(/.{1,65}/gu) ?? []).join('\r\n')
}

function write(statement: Statement, hasBlocks: boolean): string {
  const { iban, number } = statement.account
  const text = [
    ':20:REFERENCE',
    `:25:${iban ?? number}TRY`,
    `:28C:${statement.id}`,
    writeBalance('60F', statement.opening),
    ...statement.entries.flatMap((line) => [
      `:61:${yymmdd(line.valueOn ?? '')}${yymmdd(line.bookedOn).slice(2)}${markOf(line)}${decimal(line.amount)}NTRF${line.endToEndReference ?? 'NONREF'}${line.bankReference === null ? '' : `//${line.bankReference}`}`,
      `:86:${writeInformation(line)}`,
    ]),
    writeBalance('62F', statement.closing),
  ]
  return `${hasBlocks ? '{1:F01X}{2:O940Y}{4:\r\n' : ''}${text.join('\r\n')}\r\n-${hasBlocks ? '}{5:}' : '\r\n'}`
}

/** MT940 has no pending reversals, and its entry dates are near the value date. */
const line = fc.tuple(anyLine(), fc.integer({ min: -40, max: 40 })).map(([line, days]): StatementLine => {
  const booked = new Date(Date.parse(line.valueOn ?? '') + days * 86_400_000).toISOString().slice(0, 10)
  return { ...line, bookedOn: booked, status: line.reversal ? 'booked' : line.status }
})

test('parse(write(x)) = x', async () => {
  const files = fc.array(fc.array(line, { maxLength: 6 }), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(files, fc.boolean(), async (files, hasBlocks) => {
      const statements = files.map((entries, at) => statementOf('mt940', entries, at))
      const found = await readAll(readMt940, statements.map((statement) => write(statement, hasBlocks)).join(''))
      const placeless = found.map(({ entries, ...rest }) => ({
        ...rest,
        entries: entries.map((line) => ({ ...line, position: { line: 0 } })),
      }))
      assert.deepEqual(placeless, statements)
    }),
    { numRuns: 60, seed: 1 },
  )
})
