import { excerpt, fileError } from './file-problems.ts'
import type { BankFileError } from './file-problems.ts'
import { isDay } from './iso-date.ts'
import { toMinorUnits } from './minor-units.ts'
import type { MtField } from './mt-fields.ts'
import type { Balance, Position } from './statement.ts'
import type { Claim } from './tally.ts'

/** A field that does not look like the example. */
export function malformed({ tag, lines, position }: MtField, example: string): BankFileError {
  return fileError(position, 'field_wrong', { field: `:${tag}:`, text: excerpt(lines[0] ?? ''), example })
}

/** `yymmdd`; the years 80 to 99 are of the last century. */
export function mtDay(text: string, position: Position): string {
  const [year, month, day] = [text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)]
  const found = `${Number(year) < 80 ? '20' : '19'}${year}-${month}-${day}`
  if (isDay(found)) return found
  throw fileError(position, 'value_not_date', { text: excerpt(text), forms: ['260131'] })
}

/** :60F:, :62F:, :64: and their kind: `C260131TRY1234,56`. */
export function mtBalance(field: MtField): Balance {
  const match = /^([CD])(\d{6})([A-Z]{3})([\d,]+)\s*$/.exec(field.lines[0] ?? '')
  if (!match) throw malformed(field, 'C260131TRY1234,56')
  const [, mark, date, currency, amount] = match as unknown as [string, string, string, string, string]
  const sum = toMinorUnits(amount, currency, 'comma', field.position)
  return { amount: mark === 'C' ? sum : -sum, currency, on: mtDay(date, field.position) }
}

/** :34F:, the amount below which an MT942 leaves lines out: `TRY0,` or `TRYD100,`. */
export function mtFloor(field: MtField): { currency: string; amount: bigint } {
  const match = /^([A-Z]{3})[CD]?([\d,]+)\s*$/.exec(field.lines[0] ?? '')
  if (!match) throw malformed(field, 'TRY0,')
  const [, currency, amount] = match as unknown as [string, string, string]
  return { currency, amount: toMinorUnits(amount, currency, 'comma', field.position) }
}

/** :90C: and :90D:, number and sum: `12TRY1234,56`. */
export function mtTotal(field: MtField): { claim: Claim; currency: string } {
  const match = /^(\d{1,9})([A-Z]{3})([\d,]+)\s*$/.exec(field.lines[0] ?? '')
  if (!match) throw malformed(field, '12TRY1234,56')
  const [, count, currency, amount] = match as unknown as [string, string, string, string]
  const sum = toMinorUnits(amount, currency, 'comma', field.position)
  const of = field.tag === '90C' ? 'credit' : 'debit'
  return { claim: { field: `:${field.tag}:`, position: field.position, of, count: Number(count), sum }, currency }
}
