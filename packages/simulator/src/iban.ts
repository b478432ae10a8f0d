/** Turkish IBAN: TR + 2 check digits + 5-digit provider code + reserve digit 0 + 16 characters of account. */
const SHAPE = /^TR\d{7}0[0-9A-Z]{16}$/

/** Removes spaces and converts to upper case. */
export function normaliseIban(text: string): string {
  return text.replace(/\s+/g, '').toUpperCase()
}

export function isIban(iban: string): boolean {
  return SHAPE.test(iban) && mod97(iban) === 1
}

export function makeIban(bankCode: string, account: string): string {
  const rest = `0${bankCode}0${account.padStart(16, '0')}`
  const check = 98 - mod97(`TR00${rest}`)
  return `TR${String(check).padStart(2, '0')}${rest}`
}

/** In groups of four, as printed. */
export function formatIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ')
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
