import { foldText } from './fold.ts'
import type { Random } from '../platform/crypto/random.ts'

/**
 * Reference code: 7 random characters and a check (weights 8…1, modulo the prime 31) that detects any single substitution,
 * transposition or twin error; others pass once in 31. It has a letter and a digit, so that words, dates and amounts never match.
 */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 8
const MODULUS = 31
const VALUES = new Map(Array.from(ALPHABET, (character, value) => [character, value]))

/** The rails limit narratives to 200 characters; files join several fields. */
const MAX_TEXT_LENGTH = 500
const MAX_FOUND = 8
/** Four draws in ten are refused: a thousand in a row mean a broken random source, not bad luck. */
const MAX_DRAWS = 1000

export type FoundCode = { code: string; how: 'word' | 'embedded' }

/** Every valid code is equally likely: bytes and draws that do not fit are drawn again, never adjusted. */
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

/** In canonical form: upper case, no separators. */
export function isReferenceCode(text: string): boolean {
  if (text.length !== LENGTH || !/[2-9]/.test(text) || !/[A-Z]/.test(text)) return false
  let sum = 0
  for (let place = 0; place < LENGTH; place++) sum += (VALUES.get(text[place] ?? '') ?? Number.NaN) * (LENGTH - place)
  return sum % MODULUS === 0
}

/**
 * Codes in a narrative. `word`: a whole word or two adjacent groups (`ABCD-EF23`). `embedded`, less certain: inside text once
 * separators are removed (`FASTABCDEF23REF`), or a whole word with one look-alike. If there are whole words, the rest is chance and ignored.
 */
export function findReferenceCodes(narrative: string): FoundCode[] {
  const groups = foldText(narrative.slice(0, MAX_TEXT_LENGTH)).split(' ')
  const alone = groups
    .flatMap((group, index) => [group, group + (groups[index + 1] ?? '')])
    .filter((text) => text.length === LENGTH)
  const words = alone.filter(isReferenceCode)
  if (words.length > 0) return distinct(words, 'word')
  return distinct([...windows(groups.join('')).filter(isReferenceCode), ...alone.flatMap(meantCode)], 'embedded')
}

function distinct(codes: string[], how: FoundCode['how']): FoundCode[] {
  return [...new Set(codes)].slice(0, MAX_FOUND).map((code) => ({ code, how }))
}

function windows(text: string): string[] {
  return Array.from({ length: Math.max(text.length - LENGTH + 1, 0) }, (_, start) => text.slice(start, start + LENGTH))
}

/** Characters never used in a code, each with the code characters most likely misread or mistyped as it. */
const LOOK_ALIKES: Record<string, string> = { 0: 'QD', O: 'QD', 1: 'JT7', I: 'JT7', L: 'JT7', U: 'V' }

/**
 * Corrects a text with exactly one character that no code contains. The check lets at most one replacement
 * be valid. Only for whole words: inside running text, one window in twenty would become a code by chance.
 */
function meantCode(text: string): string[] {
  const [wrong, another] = Array.from(text).filter((character) => !VALUES.has(character))
  if (wrong === undefined || another !== undefined) return []
  return Array.from(LOOK_ALIKES[wrong] ?? '', (meant) => text.replace(wrong, meant)).filter(isReferenceCode)
}
