import { foldText } from '../../kernel/fold.ts'
import type { Random } from '../../platform/crypto/random.ts'

/**
 * What the customer writes into the description of the transfer: 7 random characters and a check character.
 *
 * The check is a weighted sum modulo 31, a prime just above the 30 characters, with the weights 8 … 1; a code whose check
 * value would be 30 is not issued. As all weights, their differences and their sums are between 1 and 15, none is 0
 * modulo 31, and so every one of these mistakes is detected: one wrong character; two characters swapped, neighbours or
 * not; the same pair wrong twice (AA typed as BB), wherever the two stand. Any other mistake passes once in 31.
 * (No weights modulo 30 can do this: they would have to be odd, so their differences even.)
 *
 * A code holds a letter and a digit, so that no word and no slip number, date or amount is ever taken for one.
 */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 8
const MODULUS = 31
const VALUES = new Map(Array.from(ALPHABET, (character, value) => [character, value]))

/** Narratives have 200 characters at most by the rules of the rails; files put several fields together. */
const MAX_TEXT_LENGTH = 500
const MAX_FOUND = 8
/** Four draws in ten are refused: a thousand in a row are a broken source of chance, not bad luck. */
const MAX_DRAWS = 1000

export type FoundCode = { code: string; how: 'token' | 'embedded' }

/** Every valid code is equally likely: bytes and draws that do not fit are drawn again, never bent. */
export function makeReferenceCode(random: Pick<Random, 'bytes'>): string {
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    let code = ''
    let sum = 0
    for (const byte of random.bytes(LENGTH - 1)) {
      sum += (byte % 32) * (LENGTH - code.length)
      code += ALPHABET[byte % 32] ?? ''
    }
    code += ALPHABET[(MODULUS - (sum % MODULUS)) % MODULUS] ?? ''
    if (isReferenceCode(code)) return code
  }
  throw new Error('the source of chance yields no reference code')
}

/** As we write it: upper case, no separators. */
export function isReferenceCode(text: string): boolean {
  if (text.length !== LENGTH || !/[2-9]/.test(text) || !/[A-Z]/.test(text)) return false
  let sum = 0
  for (let place = 0; place < LENGTH; place++) sum += (VALUES.get(text[place] ?? '') ?? Number.NaN) * (LENGTH - place)
  return sum % MODULUS === 0
}

/**
 * The codes in a narrative. `token`: it stands alone, or as two neighbouring groups (`ABCD-EF23`). `embedded`: less
 * certain, found inside other text once all separators are gone (`FASTABCDEF23REF`, or a code that a file broke over
 * two lines), or standing alone with one look-alike. Where there are tokens, the rest is chance and left out.
 */
export function findReferenceCodes(narrative: string): FoundCode[] {
  const groups = foldText(narrative.slice(0, MAX_TEXT_LENGTH)).split(' ')
  const alone = groups
    .flatMap((group, index) => [group, group + (groups[index + 1] ?? '')])
    .filter((text) => text.length === LENGTH)
  const tokens = alone.filter(isReferenceCode)
  if (tokens.length > 0) return distinct(tokens, 'token')
  return distinct([...windows(groups.join('')).filter(isReferenceCode), ...alone.flatMap(meantCode)], 'embedded')
}

function distinct(codes: string[], how: FoundCode['how']): FoundCode[] {
  return [...new Set(codes)].slice(0, MAX_FOUND).map((code) => ({ code, how }))
}

function windows(text: string): string[] {
  return Array.from({ length: Math.max(text.length - LENGTH + 1, 0) }, (_, start) => text.slice(start, start + LENGTH))
}

/** Never part of a code; beside each what the eye or the finger most likely had before it. */
const LOOK_ALIKES: Record<string, string> = { 0: 'QD', O: 'QD', 1: 'JT7', I: 'JT7', L: 'JT7', U: 'V' }

/**
 * The code that was meant when exactly one character cannot belong to a code. At most one replacement can be valid, as
 * the check detects every single substitution. Only for what stands alone: inside running text, one window in twenty
 * would become a code by chance.
 */
function meantCode(text: string): string[] {
  const [wrong, another] = Array.from(text).filter((character) => !VALUES.has(character))
  if (wrong === undefined || another !== undefined) return []
  return Array.from(LOOK_ALIKES[wrong] ?? '', (meant) => text.replace(wrong, meant)).filter(isReferenceCode)
}
