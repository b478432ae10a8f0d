import { fileError } from './file-problems.ts'
import { toMinorUnits } from './minor-units.ts'
import { isDay } from './iso-date.ts'
import type { MtField } from './mt-fields.ts'
import { readInformation } from './mt-information.ts'
import { malformed, mtDay } from './mt-values.ts'
import { narrativeOf } from './narrative.ts'
import { referenceOf } from './reference.ts'
import type { StatementLine } from './statement.ts'

/** Value date, entry date, mark, third letter of the currency, amount, type, references. Some banks have a space before the type, or types of two letters and a space. */
const FORM = /^(\d{6})(\d{4}| +)?(R[CD]|E[CD]|[CD])([A-Z])?(\d*(?:,\d*)?) *([A-Z])([A-Z0-9]{3}|[A-Z0-9]{2} )(.*)$/
const EXAMPLE = '2601310131C1234,56NTRFREF//BANKREF'

/** A :61: and the :86: that follow it. */
export function mtLine(field: MtField, information: readonly string[], currency: string): StatementLine {
  const { position } = field
  const match = FORM.exec(field.lines[0] ?? '')
  if (!match) throw malformed(field, EXAMPLE)
  const [, value, entry, mark, , amount, , type, references] = match as unknown as string[] as Form
  const valueOn = mtDay(value, position)
  const [customer, ...bank] = references.split('//')
  const { texts, ...read } = readInformation(information)
  return {
    position,
    // RC takes back a credit, so it is a debit; EC and ED are expected.
    direction: (mark === 'RD' || mark.endsWith('C')) && mark !== 'RC' ? 'credit' : 'debit',
    amount: toMinorUnits(amount, currency, 'comma', position),
    currency,
    bookedOn: entryDay(entry?.trim(), valueOn, field),
    bookedAt: null,
    valueOn,
    status: mark.startsWith('E') ? 'pending' : 'booked',
    reversal: mark.startsWith('R'),
    returned: read.returned ?? (type === 'RTI' ? '' : null),
    bankReference: referenceOf(bank.join('//')),
    endToEndReference: read.endToEndReference ?? referenceOf(customer),
    counterpartyName: read.counterpartyName,
    counterpartyIban: read.counterpartyIban,
    narrative: narrativeOf([...texts, ...field.lines.slice(1)]),
    balance: null,
    batch: null,
  }
}

type Form = [string, string, string | undefined, string, string, string, string, string, string]

/** The entry date has no year: it is within half a year of the value date. Without entry date, the value date. */
function entryDay(monthDay: string | undefined, valueOn: string, field: MtField): string {
  if (!monthDay) return valueOn
  const month = monthDay.slice(0, 2)
  const later = Number(month) - Number(valueOn.slice(5, 7))
  const year = Number(valueOn.slice(0, 4)) + (later > 6 ? -1 : later < -6 ? 1 : 0)
  const day = `${year}-${month}-${monthDay.slice(2)}`
  if (!isDay(day)) throw fileError(field.position, 'value_not_date', { text: monthDay, forms: ['0131'] })
  return day
}
