import { minorDigits } from '@vezne/bank-formats'

/** Money is a `bigint` of minor units (kuruş), and `bigint` means money and nothing else. */

/** The largest integer that JSON represents exactly in every language: 2^53 − 1. */
export const MAX_AMOUNT = BigInt(Number.MAX_SAFE_INTEGER)

export const sumOf = (parts: readonly { amount: bigint }[]): bigint =>
  parts.reduce((sum, { amount }) => sum + amount, 0n)

export type Fee = { bps: number; fixed: bigint; min: bigint; max: bigint | null }

export const NO_FEE: Fee = { bps: 0, fixed: 0n, min: 0n, max: null }

/** Basis points of the amount, rounded half up to a minor unit, plus the fixed part, limited by min and max. */
export function feeOn(amount: bigint, fee: Fee): bigint {
  const share = (amount * BigInt(fee.bps) + 5_000n) / 10_000n
  const raw = share + fee.fixed
  const withMinimum = raw < fee.min ? fee.min : raw
  return fee.max !== null && withMinimum > fee.max ? fee.max : withMinimum
}

/** The ISO code of a currency as a bank writes it: Turkish banks write TL. */
export function currencyCode(written: string): string {
  const code = written.trim().toUpperCase()
  return code === 'TL' ? 'TRY' : code
}

/** 125000n → "1.250,00 TL", the Turkish notation. */
export function formatMoney(amount: bigint, currency = 'TRY'): string {
  const decimals = minorDigits(currency)
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const whole = digits.slice(0, point).replace(/\B(?=(\d{3})+$)/g, '.')
  const fraction = decimals > 0 ? `,${digits.slice(point)}` : ''
  return `${amount < 0n ? '-' : ''}${whole}${fraction} ${currency === 'TRY' ? 'TL' : currency}`
}

/** 1.250,00 or 1250,00 → 125000n. Null for anything else: with one decimal or none it may be lira or kuruş. */
export function readMoney(text: string): bigint | null {
  const [, whole, part] = /^(\d{1,13}|\d{1,3}(?:\.\d{3}){1,4}),(\d{2})$/.exec(text.trim()) ?? []
  return whole === undefined ? null : BigInt(whole.replaceAll('.', '') + part)
}

/** As readMoney, also 1250.00 or 1,250.00. Two decimals tell the separator of decimals from that of thousands. */
export function readAmount(text: string): bigint | null {
  const [, whole, part] = /^(\d{1,13}|\d{1,3}(?:,\d{3}){1,4})\.(\d{2})$/.exec(text.trim()) ?? []
  return whole === undefined ? readMoney(text) : BigInt(whole.replaceAll(',', '') + part)
}

/** As readAmount, also whole lira (350): for a field of a form, which says that it is lira. 1.250 may be two amounts: null. */
export function readTyped(text: string): bigint | null {
  return readAmount(withDecimals(text))
}

export const withDecimals = (text: string) => (/^\s*\d+\s*$/.test(text) ? `${text.trim()},00` : text)
