import type { TableProfile } from './orders.ts'

/** Characters that XML 1.0 does not allow, and everything that breaks or hides text in a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\ufffe\uffff]+/gu
const SEPA = /[^A-Za-z0-9/\-?:().,'+ ]/gu

/** Letters that are not a base letter with a mark, and signs with a near one. */
const REPLACED: Readonly<Record<string, string>> = {
  ...{ ı: 'i', ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D' },
  ...{ ð: 'd', Ð: 'D', þ: 'th', Þ: 'TH', ə: 'e', Ə: 'E', '&': '+', _: '-', '"': "'", ';': ',', '’': "'", '‘': "'" },
  ...{ '“': "'", '”': "'", '–': '-', '—': '-', '€': 'EUR', '₺': 'TL' },
}

/** One line of text without what cannot be seen. */
export function plainText(text: string): string {
  return text.normalize('NFC').replaceAll(UNSEEN, ' ').replaceAll(/\s+/g, ' ').trim()
}

type Table = Pick<TableProfile, 'format' | 'separator'>

/** Whether something in the text ends a row or a value of the table. */
export function hasSigns(text: string, { format, separator }: Table): boolean {
  return text.search(UNSEEN) >= 0 || (format === 'csv' && (text.includes(separator) || text.includes('"')))
}

export function withoutSigns(text: string, { format, separator }: Table): string {
  return plainText(format === 'csv' ? text.replaceAll(separator, ' ').replaceAll('"', ' ') : text)
}

/** The nearest text of ASCII letters: `Şişli Çiğdem` becomes `Sisli Cigdem`. What has none becomes a point. */
export function toAscii(text: string): string {
  const replaced = Array.from(plainText(text), (letter) => REPLACED[letter] ?? letter).join('')
  return replaced
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]/gu, '.')
}

/** In SEPA texts a slash neither begins nor ends, and two are a separator. */
export function toSepa(text: string): string {
  return toAscii(Array.from(text, (letter) => REPLACED[letter] ?? letter).join(''))
    .replaceAll(SEPA, '.')
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/^[/ ]+|[/ ]+$/g, '')
}

/** The first characters; a pair of surrogates is one. */
export function cut(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length ? text : characters.slice(0, length).join('').trimEnd()
}

export const lengthOf = (text: string): number => Array.from(text).length

/** An amount without grouping. */
export function decimal(amount: bigint, digits: number, mark: '.' | ','): string {
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}${mark}${text.slice(-digits)}`
}
