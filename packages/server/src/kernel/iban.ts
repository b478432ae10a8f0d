import { ERASED_IBAN } from './erased.ts'

/** Turkish IBAN: TR + 2 check digits + 5-digit provider code + reserve digit 0 + 16 characters of account. */
// Check digits run from 02 to 98: 00, 01 and 99 would be aliases of the same account.
const SHAPE = /^TR(?!00|01|99)\d{2}\d{5}0[0-9A-Z]{16}$/

/** Removes spaces (also no-break spaces from web pages) and converts to upper case. */
export function normaliseIban(text: string): string {
  return text.replace(/[\s\u00a0\u202f]+/g, '').toUpperCase()
}

/** In fours, as people read it. */
export function groupedIban(text: string): string {
  return (
    normaliseIban(text)
      .match(/.{1,4}/g)
      ?.join(' ') ?? ''
  )
}

export type IbanFault = 'country' | 'length' | 'shape' | 'erased' | 'check_digits'

/** What is wrong with a normalised IBAN, or null. An unknown bank is not a fault: codes come and go. */
export function ibanFault(iban: string): IbanFault | null {
  if (!iban.startsWith('TR')) return 'country'
  if (iban.length !== 26) return 'length'
  if (!SHAPE.test(iban)) return 'shape'
  if (iban === ERASED_IBAN) return 'erased'
  if (mod97(iban) !== 1) return 'check_digits'
  return null
}

/** The same in words, for the command line. */
export function ibanProblem(iban: string): string | null {
  const fault = ibanFault(iban)
  if (fault === null) return null
  const texts: Record<IbanFault, string> = {
    country: 'must be a Turkish IBAN, starting with TR',
    length: `must have 26 characters, has ${iban.length}`,
    shape: 'must be TR, 7 digits, a 0, and 16 letters or digits',
    erased: 'is the marker of an erased IBAN; it names no account',
    check_digits: 'has wrong check digits: a character is mistyped or missing',
  }
  return texts[fault]
}

/** Complete and with right check digits, of any country; a normalised text. One that is masked or cut off names no account. */
export function isWholeIban(iban: string): boolean {
  if (iban.startsWith('TR')) return ibanProblem(iban) === null
  return /^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(iban) && mod97(iban) === 1
}

/** The 4-digit bank code inside an IBAN, e.g. 0046. */
export function bankCodeOf(iban: string): string {
  return iban.slice(5, 9)
}

/** For records that are never erased: of each IBAN in the text only the first and the last four characters. */
export function maskIbans(text: string): string {
  return text.replaceAll(/\bTR\d{2}(?:\s?[0-9A-Z]){22}\b/gi, (iban) => {
    const plain = normaliseIban(iban)
    return `${plain.slice(0, 4)}…${plain.slice(-4)}`
  })
}

export function makeIban(bankCode: string, account: string): string {
  const rest = `0${bankCode}0${account.padStart(16, '0')}`
  const check = 98 - mod97(`TR00${rest}`)
  return `TR${String(check).padStart(2, '0')}${rest}`
}

/** ISO 7064: move the first four characters to the end, letters become 10…35, remainder of the whole by 97. */
function mod97(iban: string): number {
  let remainder = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}
