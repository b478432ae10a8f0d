import { isUtf8 } from 'node:buffer'
import { Refusal } from '../refusal.ts'

/** Deeper than any legitimate body; bounds every later traversal. */
const MAX_DEPTH = 16

/**
 * JSON without ambiguities. `JSON.parse` alone lets the last of two equal keys win, rounds numbers that a double cannot
 * hold, and accepts characters that PostgreSQL changes (lone surrogates) or refuses (NUL).
 */
export function parseStrictJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw notStrict('is not valid UTF-8')
  const text = bytes.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw notStrict(`is not valid JSON (${(error as Error).message})`)
  }
  checkTokens(text)
  return value
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Scans the tokens of valid JSON. Hand-written, because every request pays for it. No `includes` or `indexOf` on the
 * whole text: V8 may evaluate them again for every token, which is quadratic.
 */
function checkTokens(text: string): void {
  const keysOfOpen: (Set<string> | null)[] = []
  let expectsKey = false
  let escaped = false
  let at = 0
  while (at < text.length) {
    const start = at++
    const code = text.charCodeAt(start)
    switch (code) {
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        expectsKey = code === OPEN_OBJECT
        if (keysOfOpen.push(expectsKey ? new Set() : null) > MAX_DEPTH) {
          throw notStrict(`is nested deeper than ${MAX_DEPTH} levels`)
        }
        break
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        keysOfOpen.pop()
        break
      case COMMA:
        expectsKey = keysOfOpen.at(-1) !== null
        break
      case COLON:
        expectsKey = false
        break
      case QUOTE:
        escaped = false
        for (let inner = text.charCodeAt(at); inner !== QUOTE; inner = text.charCodeAt(at)) {
          if (inner === BACKSLASH) escaped = true
          at += inner === BACKSLASH ? 2 : 1
        }
        at++
        // The raw text is valid UTF-8: without an escape, only a key can be wrong.
        if (expectsKey || escaped) checkString(text.slice(start, at), escaped, expectsKey ? keysOfOpen.at(-1) : null)
        break
      default:
        if (!startsNumber(code)) break
        while (at < text.length && !endsNumber(text.charCodeAt(at))) at++
        checkNumber(text.slice(start, at))
    }
  }
}

function startsNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d
}

/** White space, comma or closing bracket; nothing else follows a number in valid JSON. */
function endsNumber(code: number): boolean {
  return code <= 0x20 || code === 0x2c || code === 0x5d || code === 0x7d
}

function checkString(token: string, escaped: boolean, keys: Set<string> | null | undefined): void {
  const string = escaped ? (JSON.parse(token) as string) : token.slice(1, -1)
  // The raw text is valid UTF-8, so a lone surrogate or NUL can come only from an escape.
  if (escaped && !string.isWellFormed()) throw notStrict('has half of a surrogate pair in a string')
  if (escaped && string.includes('\0')) throw notStrict('has a NUL character in a string')
  if (!keys) return
  if (keys.has(string)) throw notStrict(`has the key ${JSON.stringify(string.slice(0, 40))} twice in one object`)
  if (string === '__proto__') throw notStrict('has a key named __proto__')
  keys.add(string)
}

/** Integers of fewer characters are exact. */
const SHORT_NUMBER = 16

function checkNumber(token: string): void {
  const value = Number(token)
  if (token.length < SHORT_NUMBER && Number.isInteger(value) && token === String(value)) return
  if (!Number.isFinite(value)) throw notStrict(`has a number too large to keep: ${token.slice(0, 40)}`)
  if (Number.isInteger(value) && !(Number.isSafeInteger(value) && isExactInteger(token, value))) {
    throw notStrict(`has a number that would be rounded: ${token.slice(0, 40)}`)
  }
}

/** Whether the decimal text is exactly this integer: 1000, 1000.0 and 1e3 are 1000; 1000.00000000000000001 is not. */
function isExactInteger(token: string, value: number): boolean {
  const [, digits = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(token) ?? []
  const significant = (digits + fraction).replace(/^0+/, '')
  const point = digits.length + Number(exponent) - (digits + fraction).length + significant.length
  const trimmed = withoutTrailingZeros(significant)
  return trimmed === ''
    ? value === 0
    : point >= trimmed.length && trimmed.padEnd(point, '0') === String(Math.abs(value))
}

/** By hand: the obvious pattern takes quadratic time on zeros that are followed by something else. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

function notStrict(problem: string): Refusal {
  return new Refusal('VALIDATION_ERROR', `The request body ${problem}.`, { details: [{ field: 'body', problem }] })
}
