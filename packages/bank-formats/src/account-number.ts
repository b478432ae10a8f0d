import type { StatementAccount } from './statement.ts'

const IBAN_FORM = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
/** A currency after an account number: `51210600/9223382012EUR`, `TR33…26 TRY`, `123456/TRY`. */
const WITH_CURRENCY = /^(.*\d)[ /-]?([A-Z]{3})$/
const currencies = new Set(Intl.supportedValuesOf('currency'))

/** The text without spaces if it has the form of an IBAN. Banks' own numbers do not begin with two letters and two digits. */
export function ibanOf(text: string | null): string | null {
  const compact = text?.replaceAll(/\s/g, '') ?? ''
  return IBAN_FORM.test(compact) ? compact : null
}

/** An account as a file names it in one field: an IBAN or the bank's own number, possibly with the currency at its end. */
export function accountOf(text: string): StatementAccount {
  const [, before, currency] = WITH_CURRENCY.exec(text) ?? []
  if (before !== undefined && currencies.has(currency as string) && !isIban(text))
    return { ...accountOf(before), currency: currency as string }
  const iban = ibanOf(text)
  return { iban, number: iban === null ? text.trim() : null, currency: null }
}

/** ISO 7064 mod 97: tells an IBAN that ends in three letters from one that a currency follows. */
export function isIban(text: string): boolean {
  const iban = ibanOf(text)
  if (iban === null) return false
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4))
    rest = Number(`${rest}${Number.parseInt(character, 36)}`) % 97
  return rest === 1
}
