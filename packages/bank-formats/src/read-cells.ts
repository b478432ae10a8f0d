import { excerpt, fileError } from './file-problems.ts'
import type { BankProfile, DateFormat } from './bank-profile.ts'
import { foldLabel } from './fold-text.ts'
import { FORM, minorDigits, toMinorUnits } from './minor-units.ts'
import type { Cell } from './sheet-row.ts'
import type { Position } from './statement.ts'

export type DateTime = { date: string; time: string | null }
/** `currency` is what stands beside the digits, as in `1.000,00 TL`. */
export type SignedAmount = { amount: bigint; sign: '+' | '-' | null; currency: string | null }

const TIME = String.raw`(?:[ T-]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?`
const DATE: Record<DateFormat, RegExp> = {
  'dd.MM.yyyy': new RegExp(`^(?<d>\\d{1,2})\\.(?<m>\\d{1,2})\\.(?<y>\\d{4})${TIME}$`),
  'dd/MM/yyyy': new RegExp(`^(?<d>\\d{1,2})/(?<m>\\d{1,2})/(?<y>\\d{4})${TIME}$`),
  'dd-MM-yyyy': new RegExp(`^(?<d>\\d{1,2})-(?<m>\\d{1,2})-(?<y>\\d{4})${TIME}$`),
  'yyyy-MM-dd': new RegExp(`^(?<y>\\d{4})-(?<m>\\d{1,2})-(?<d>\\d{1,2})${TIME}$`),
}

/** One day in each. */
export const DAY_FORMS: Record<DateFormat, string> = {
  'dd.MM.yyyy': '31.01.2026',
  'dd/MM/yyyy': '31/01/2026',
  'dd-MM-yyyy': '31-01-2026',
  'yyyy-MM-dd': '2026-01-31',
}

/** Null if the text has not the form of a date. A date that no calendar has is an error. */
export function readDate({ text, kind }: Cell, formats: DateFormat[], position: Position): DateTime | null {
  for (const format of kind === 'date' ? (['yyyy-MM-dd'] as const) : kind === 'text' ? formats : []) {
    const match = DATE[format].exec(text)
    if (!match) continue
    const { d = '', m = '', y = '' } = match.groups ?? {}
    const date = `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
    const [hour, minute, second] = match.slice(4)
    const known = !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date)
    if (!known || y < '1990' || y > '2099')
      throw fileError(position, 'value_not_date', { text: excerpt(text), forms: [DAY_FORMS[format]] })
    if (hour === undefined) return { date, time: null }
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59)
      throw fileError(position, 'value_not_time', { text: excerpt(text) })
    return { date, time: `${hour.padStart(2, '0')}:${minute}:${second ?? '00'}` }
  }
  return null
}

const CURRENCY = String.raw`TL|TRY|₺|[A-Z]{3}`
const AMOUNT = new RegExp(
  `^(?<before>[+−-]?) ?(?:(?<first>${CURRENCY}) ?)?(?<inner>[+−-]?)(?<digits>[\\d.,]+) ?(?<last>${CURRENCY})? ?(?<after>[+−-]|\\(?[AB]\\)?)?$`,
  'i',
)

/** Characters, with sign and currency; bounds the time that expressions take. */
const MAX_AMOUNT = 60

/** Null for an empty cell. B after the digits is a debit, A a credit. */
export function readAmount(
  { text, kind }: Cell,
  currency: string,
  { decimals }: Pick<BankProfile, 'decimals'>,
  position: Position,
): SignedAmount | null {
  if (text === '') return null
  const groups = kind === 'date' || text.length > MAX_AMOUNT ? undefined : AMOUNT.exec(text)?.groups
  const signs = [groups?.['before'], groups?.['inner'], groups?.['after']].filter(Boolean)
  const names = [groups?.['first'], groups?.['last']].filter((name) => name !== undefined)
  const style = kind === 'number' ? 'point' : decimals
  const digits = withoutGroups(groups?.['digits'] ?? '', style)
  if (!groups || signs.length > 1 || names.length > 1 || !DIGITS[style].test(digits))
    throw fileError(position, 'value_not_amount', { text: excerpt(text), form: FORM[style] })
  const named = names[0] === undefined ? null : readCurrency(names[0], position)
  if (kind === 'text' && minorDigits(named ?? currency) !== 3 && AMBIGUOUS[style].test(digits))
    throw fileError(position, 'value_ambiguous', {
      text: excerpt(text),
      whole: digits.replace(/[.,]/, ''),
      decimal: digits.replace(',', '.'),
    })
  const sign = signs[0] === undefined ? null : /[−b-]/i.test(signs[0]) ? '-' : '+'
  return { amount: toMinorUnits(digits, named ?? currency, style, position), sign, currency: named }
}

const DIGITS = { turkish: /^(?:\d{1,3}(?:\.\d{3})+|\d*)(?:,\d*)?$/, point: /^\d*(?:\.\d*)?$/ }

/** A spreadsheet of another language writes one thousand five hundred back as 1,500, which is 1,50 with a zero more. */
const AMBIGUOUS = { turkish: /^[1-9]\d{0,2},\d{3}$/, point: /^[1-9]\d{0,2}\.\d{3}$/ }

/** 1,234.56 is 1234.56; 1,234 stays, because it may be a decimal comma. */
const withoutGroups = (digits: string, style: 'turkish' | 'point') =>
  style === 'point' && /^\d{1,3}(,\d{3})+\.\d+$/.test(digits) ? digits.replaceAll(',', '') : digits

const LIRA = new Set(['TL', 'TRY', '₺', 'TURKLIRASI'])

export function readCurrency(text: string, position: Position): string {
  const name = foldLabel(text)
  if (LIRA.has(name)) return 'TRY'
  if (!/^[A-Z]{3}$/.test(name)) throw fileError(position, 'value_not_currency', { text: excerpt(text) })
  return name
}

/** Compact, or null if the text is not an IBAN with right check digits. */
export function readIban(text: string): string | null {
  const iban = text.replaceAll(/\s/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban) || (iban.startsWith('TR') && iban.length !== 26)) return null
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) => String(parseInt(letter, 36)))
  return BigInt(digits) % 97n === 1n ? iban : null
}

/** For facts, which may be logged: an account is shown by its first and last four characters. */
export const masked = (account: string): string =>
  excerpt(account.length > 10 ? `${account.slice(0, 4)}…${account.slice(-4)}` : account)
