import type { Cell } from './sheet-row.ts'

/** More digits behind the point than any currency has: what is left of binary arithmetic, not of the bank. */
const LONGEST_FRACTION = 6
/** Digits that a spreadsheet keeps. */
const PRECISION = 15

/** Spreadsheets write 17 digits and an exponent; some writers more. */
const MAX_LENGTH = 60

/** A number as a spreadsheet stores it, written out: `-1.5E3` is `-1500`. Null if it is none. */
export function plainDecimal(text: string): string | null {
  const match = text.length > MAX_LENGTH ? null : /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text)
  if (!match || `${match[2]}${match[3] ?? ''}` === '') return null
  const [, minus = '', whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent)
  if (Math.abs(shift) > 30 || whole.length > 30) return null
  const digits = `${'0'.repeat(31)}${whole}${fraction}${'0'.repeat(31)}`
  const point = 31 + whole.length + shift
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, '')
  const right = digits.slice(point).replace(/0+$/, '')
  // 1234.5599999999999 is how 1234.56 is stored. Whole digits leave no place for an error that matters.
  if (right.length > LONGEST_FRACTION && left.length <= PRECISION - 3) {
    const rounded = Number(`${left}.${right}`).toPrecision(PRECISION)
    return /^\d+(\.\d+)?$/.test(rounded) ? `${minus}${rounded.replace(/\.?0+$/, '')}` : null
  }
  return `${minus}${left}${right === '' ? '' : `.${right}`}`
}

const DAY_MS = 86_400_000

/** Days since 1900, or since 1904 in old files of Macs; the fraction is the time of day. */
export function serialDate(serial: number, from1904: boolean): Cell | null {
  if (!(serial >= 0 && serial < 2_958_466)) return null
  const seconds = Math.round(serial * 86_400)
  const days = Math.floor(seconds / 86_400)
  const time = new Date((seconds % 86_400) * 1000).toISOString().slice(11, 19)
  if (days === 0) return { text: time, kind: 'date' }
  // Excel counts a 29 February 1900 that never was; days before it do not occur here.
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const date = new Date(start + days * DAY_MS).toISOString().slice(0, 10)
  return { text: time === '00:00:00' ? date : `${date} ${time}`, kind: 'date' }
}

/** Number formats that every spreadsheet knows by number and that show a date or a time. */
export const isDateFormatId = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Whether a format such as `dd.mm.yyyy` shows a date. Texts in quotes, colours and fillers do not count. */
export function isDateFormat(format: string): boolean {
  // Excel allows 255 characters; the time of the patterns grows with the square of the length.
  const code = format.slice(0, 255)
  if (/\[(?:h+|m+|s+)\]/i.test(code)) return true
  return /[dmyhs]/i.test(code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|general/gi, ''))
}
