import { excerpt, fileError } from './file-problems.ts'
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

/** One amount in each. */
export const FORM: Record<DecimalStyle, string> = { point: '1234.56', comma: '1234,56', turkish: '1.234,56' }

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

/** An unsigned decimal as minor units. Zeros beyond the currency's digits are accepted, other digits are an error. */
export function toMinorUnits(text: string, currency: string, style: DecimalStyle, position: Position | null): bigint {
  const match = PATTERN[style].exec(text)
  const whole = (match?.[1] ?? '').replaceAll('.', '')
  const fraction = match?.[2] ?? match?.[3] ?? ''
  const significant = fraction.replace(/0+$/, '')
  const digits = minorDigits(currency)
  if (!match || whole.length + fraction.length > MAX_DIGITS)
    throw fileError(position, 'value_not_amount', { text: excerpt(text), form: FORM[style] })
  if (significant.length > digits)
    throw fileError(position, 'value_decimals', { text: excerpt(text), most: digits, currency })
  return BigInt(`${whole || '0'}${significant.padEnd(digits, '0')}`)
}
