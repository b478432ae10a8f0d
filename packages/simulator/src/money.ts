/** Money is a `bigint` of kuruş, and `bigint` means money and nothing else. */

const AMOUNT = /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/
/** A longer amount is a typing error, and not exact as a JSON integer. */
const MAX_DIGITS = 13

/** As typed: 1250 · 1250,00 · 1.250,00. Null if it is not an amount above zero. */
export function parseMoney(text: string): bigint | null {
  const [, whole, cents = ''] = AMOUNT.exec(text.replace(/\s|TL$|₺/g, '')) ?? []
  if (whole === undefined || whole.length > MAX_DIGITS) return null
  const amount = BigInt(whole.replaceAll('.', '') + cents.padEnd(2, '0'))
  return amount > 0n ? amount : null
}

/** 125000n → "1.250,00 TL", the Turkish notation. */
export function formatMoney(amount: bigint): string {
  const digits = amount.toString().padStart(3, '0')
  return `${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.')},${digits.slice(-2)} TL`
}
