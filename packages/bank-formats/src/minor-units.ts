import { BankFileError, quoted } from './bank-file-error.ts'
import type { Position } from './statement.ts'

/** More digits than any amount has; bounds the time that a bigint takes. */
const MAX_DIGITS = 18

/** How the files write `1234.56`: `point` 1234.56 (ISO 20022), `comma` 1234,56 (MT940), `turkish` 1.234,56. */
export type DecimalStyle = 'point' | 'comma' | 'turkish'

const PATTERN: Record<DecimalStyle, RegExp> = {
  point: /^(\d+)(?:\.(\d*))?$|^\.(\d+)$/,
  comma: /^(\d+)(?:,(\d*))?$|^,(\d+)$/,
  turkish: /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d*))?$|^,(\d+)$/,
}

/** ISO 4217, where it has not two. `Intl` has the decimals of daily use instead: none for HUF, in which banks write two. */
const DECIMALS: [number, string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]
const decimalsOf = new Map(DECIMALS.flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, digits])))

/** Digits after the decimal mark: 2 for TRY, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  return decimalsOf.get(currency) ?? 2
}

/** For messages: `-1234.56 TRY`. */
export function withCurrency(amount: bigint, currency: string): string {
  const digits = minorDigits(currency)
  const text = String(amount < 0n ? -amount : amount).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${amount < 0n ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''} ${currency}`
}

/** An unsigned decimal as minor units. Zeros beyond the currency's digits are accepted, other digits are an error. */
export function toMinorUnits(text: string, currency: string, style: DecimalStyle, position: Position): bigint {
  const match = PATTERN[style].exec(text)
  const whole = (match?.[1] ?? '').replaceAll('.', '')
  const fraction = match?.[2] ?? match?.[3] ?? ''
  const significant = fraction.replace(/0+$/, '')
  const digits = minorDigits(currency)
  if (!match || whole.length + fraction.length > MAX_DIGITS)
    throw new BankFileError(position, `${quoted(text)} is not an amount`)
  if (significant.length > digits)
    throw new BankFileError(position, `the amount ${quoted(text)} has more than ${digits} decimals of ${currency}`)
  return BigInt(`${whole || '0'}${significant.padEnd(digits, '0')}`)
}
