import type { Language } from './web/language.ts'

/** Money is a `bigint` of kuruş, and `bigint` means money and nothing else. */

const AMOUNT = /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/
/** A longer amount is a typing error, and not exact as a JSON integer. */
const MAX_DIGITS = 13

/** As typed: 1250 · 1250,00 · 1.250,00; in English also 1250.00 · 1,250.00. Null if it is not an amount above zero. */
export function parseMoney(text: string, language: Language = 'tr'): bigint | null {
  const typed = text.replace(/\s|TL$|₺/g, '')
  const [, whole, cents = ''] = AMOUNT.exec(inMarksOf(language, typed)) ?? AMOUNT.exec(typed) ?? []
  if (whole === undefined || whole.length > MAX_DIGITS) return null
  const amount = BigInt(whole.replaceAll('.', '') + cents.padEnd(2, '0'))
  return amount > 0n ? amount : null
}

/** 125000n → "1.250,00 TL", in English "1,250.00 TL". */
export function formatMoney(amount: bigint, language: Language = 'tr'): string {
  const digits = amount.toString().padStart(3, '0')
  const turkish = `${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.')},${digits.slice(-2)} TL`
  return inMarksOf(language, turkish)
}

/** The two languages swap the mark of decimals and that of thousands; doing it twice changes nothing. */
function inMarksOf(language: Language, text: string): string {
  return language === 'tr' ? text : text.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'))
}
