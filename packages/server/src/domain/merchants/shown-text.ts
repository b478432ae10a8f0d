import { refuseField } from '../../kernel/refusals/refuse.ts'

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
const CJK_DIGITS = '〇一二三四五六七八九'
const DAY = /\b(?:0?[1-9]|[12]\d|3[01])[./-](?:0?[1-9]|1[0-2])[./-]20\d\d\b/g
/** Ten digits without 0 or 90 only if they are grouped as a phone number: an order number may have them. */
const MOBILE_PHONE =
  /(?<!\d)(?:(?:(?:00)?90|0)[^\p{L}\d]{0,3}5(?:[^\p{L}\d]{0,3}\d){9}|5\d\d([ .-])\d{3}\1?\d\d\1?\d\d)(?!\d)/u

/** Of an account or a card: so many digits in a row, or in groups of four. */
const LONG_NUMBER = /\d{16}|\d{4}(?:[ .-]\d{4}){3}/
/** Eleven digits of which two are computed from the others, so that one in a hundred order numbers of that length is hit. */
const ELEVEN_DIGITS = /(?<!\d)[1-9](?:[ .-]?\d){10}(?!\d)/g
const EMAIL = /[\p{L}\p{N}._+-] ?@ ?(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/u

/** Whether a merchant's text may stand on the payment page, beside the account that customers pay to. */
export function isShowable(text: string): boolean {
  return problemOf(text) === null
}

export function mustBeShowable(field: string, text: string): void {
  const found = problemOf(text)
  if (found === null || (found === 'email' && field === 'supportEmail')) return
  if (found === 'hidden') throw refuseField(field, 'shown_text_hidden')
  throw refuseField(field, 'shown_text_payable', { found })
}

type Problem = 'hidden' | 'account' | 'phone' | 'identity' | 'email'

/** FAST pays to a mobile phone number, an identity number or an e-mail address, too: easy addresses. */
function problemOf(text: string): Problem | null {
  if (HIDDEN.test(text) || !VISIBLE.test(text)) return 'hidden'
  const folded = fold(text)
  const digits = Array.from(folded).filter((letter) => DIGIT.test(letter)).length
  if (digits >= ACCOUNT_DIGITS || hasDigitsInARow(folded) || LONG_NUMBER.test(folded)) return 'account'
  if (MOBILE_PHONE.test(folded.replaceAll(DAY, 'day'))) return 'phone'
  if ((folded.match(ELEVEN_DIGITS) ?? []).some(isIdentityNumber)) return 'identity'
  return EMAIL.test(folded) ? 'email' : null
}

/** The tenth digit is 7 times those at odd places, minus those at even places; the eleventh is the sum of the ten. */
function isIdentityNumber(text: string): boolean {
  const digits = Array.from(text.replaceAll(/\D/g, ''), Number)
  const sum = (some: number[]) => some.reduce((total, digit) => total + digit, 0)
  const [odd, even] = [0, 1].map((rest) => sum(digits.slice(0, 9).filter((_, at) => at % 2 === rest))) as [
    number,
    number,
  ]
  return (odd * 7 - even + 100) % 10 === digits[9] && sum(digits.slice(0, 10)) % 10 === digits[10]
}

/** With 0 to 9 for whatever customers read as digits, and without what is drawn over or after them. */
function fold(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return plain.replaceAll(/[〇一二三四五六七八九]|\p{Nd}/gu, valueOf).replaceAll(/[\p{L}\p{N}|]+/gu, (word) => {
    const isNumber = DIGIT.test(word) && Array.from(word).every((one) => DIGIT.test(one) || LIKE_A_DIGIT.test(one))
    return isNumber ? word.replaceAll(/[OoQ]/g, '0').replaceAll(/[Il|ı]/g, '1') : word
  })
}

/** Unicode has the digits of a script in one row, from zero on. */
function valueOf(digit: string): string {
  if (CJK_DIGITS.includes(digit)) return String(CJK_DIGITS.indexOf(digit))
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

/** An IBAN in any spelling, or so many digits that customers would take them for an account. */
function hasDigitsInARow(folded: string): boolean {
  const letters = Array.from(folded)
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
