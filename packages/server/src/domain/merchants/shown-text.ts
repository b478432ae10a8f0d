import { invalidField } from '../../platform/refusal.ts'

/** Invisible, or turning the text around it. Emoji have a variation selector. */
const HIDDEN = /(?![\uFE0E\uFE0F])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const VISIBLE = /[\p{L}\p{N}]/u
const DIGIT = /[\p{Nd}\p{No}\p{Nl}]/u
/** Letters that stand for 0 or 1 among digits. */
const LIKE_A_DIGIT = /[OoQIl|İı]/u
/** More than a phone number has, fewer than an IBAN; after TR fewer are enough. */
const ACCOUNT_DIGITS = 20
const DIGITS_AFTER_TR = 14
/** Of other characters between two digits: an IBAN is written in groups. */
const LONGEST_GAP = 3

/** Whether a merchant's text may stand on the payment page, beside the account that customers pay to. */
export function isShowable(text: string): boolean {
  return !HIDDEN.test(text) && VISIBLE.test(text) && !hasAccountNumber(text)
}

export function mustBeShowable(field: string, text: string): void {
  if (HIDDEN.test(text) || !VISIBLE.test(text))
    throw invalidField(field, 'must not contain invisible characters, or such as change the direction of the text')
  if (hasAccountNumber(text))
    throw invalidField(field, 'must not contain an IBAN or account number: customers could pay to it')
}

/** An IBAN in any spelling, or so many digits that customers would take them for an account. */
function hasAccountNumber(text: string): boolean {
  const letters = Array.from(text.normalize('NFKC'))
  let [digits, gap, enough] = [0, 0, ACCOUNT_DIGITS]
  for (const [index, letter] of letters.entries()) {
    if (DIGIT.test(letter) || (digits > 0 && LIKE_A_DIGIT.test(letter))) {
      if (digits === 0 && isAfterTr(letters, index)) enough = DIGITS_AFTER_TR
      digits++
      gap = 0
    } else if (digits > 0 && ++gap > LONGEST_GAP) [digits, gap, enough] = [0, 0, ACCOUNT_DIGITS]
    if (digits >= enough) return true
  }
  return false
}

function isAfterTr(letters: string[], index: number): boolean {
  const before = letters
    .slice(0, index)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  return /tr$/i.test(before)
}
