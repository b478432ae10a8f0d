import { escapeInvisible } from '../../../../platform/escape-invisible.ts'
import { isObject } from '../../../../platform/json/json-writers.ts'
import { parsed } from './rewritten-bodies.ts'

/** How the received body differs from the signed one, although both have the same content. */
export type Difference =
  | 'wrapped'
  | 'encoding'
  | 'byte_order_mark'
  | 'newline'
  | 'spaces'
  | 'key_order'
  | 'unicode_escapes'
  | 'slash_escapes'
  | 'html_escapes'
  | 'other'

type Trait = { difference: Difference; of: (json: string) => string; more: string; less: string }

/** `more`: this body has it and the signed one does not. `less`: the reverse. */
const TRAITS: Trait[] = [
  {
    difference: 'byte_order_mark',
    of: (json) => /^\ufeff/.exec(json)?.[0] ?? '',
    more: 'a byte order mark was put in front',
    less: 'the signed one began with a byte order mark',
  },
  {
    difference: 'newline',
    of: (json) => /\s*$/.exec(json)?.[0] ?? '',
    more: 'a newline was added at its end (echo and editors do that)',
    less: 'the signed one ended with a newline (echo adds one, printf does not)',
  },
  {
    difference: 'spaces',
    of: (json) => outsideOfStrings(json.trim()).replace(/\S/g, ''),
    more: 'spaces or line breaks were added between its parts',
    less: 'spaces or line breaks stood between the parts of the signed one',
  },
  {
    difference: 'key_order',
    of: (json) => keysOf(parsed(json.trim())).join(),
    more: 'its keys stand in another order',
    less: 'its keys stand in another order',
  },
  {
    difference: 'unicode_escapes',
    of: (json) => json.match(/\\u(?!00[0-7])[0-9a-f]{4}/gi)?.join('') ?? '',
    more: 'letters such as ş were written as \\u015f',
    less: 'letters such as ş were written as \\u015f in the signed one',
  },
  {
    difference: 'slash_escapes',
    of: (json) => json.match(/\\\//g)?.join('') ?? '',
    more: 'slashes were written as \\/',
    less: 'slashes were written as \\/ in the signed one',
  },
  {
    difference: 'html_escapes',
    of: (json) => json.match(/\\u00(?:3c|3e|26|27)/gi)?.join('') ?? '',
    more: 'characters such as & were written as \\u0026',
    less: 'characters such as & were written as \\u0026 in the signed one',
  },
]

export type Differences = { names: Difference[]; words: string }

export function bodyDifferences(body: string, signed: string): Differences {
  const [value, meant] = [parsed(body.trim()), parsed(signed.trim())]
  if (isObject(meant) && (typeof value === 'string' || (value === undefined && /^[\w+/=\s-]+$/.test(body)))) {
    return { names: ['wrapped'], words: 'it is inside of another text: a quoted JSON text, or base64' }
  }
  if (isObject(value) && isObject(meant) && typeof value['body'] === 'string' && !('body' in meant)) {
    return { names: ['wrapped'], words: 'it is the "body" inside of a saved request' }
  }
  const comparable = value !== undefined && meant !== undefined
  const traits = TRAITS.filter(({ difference }) => difference !== 'key_order' || comparable)
  const found = traits.flatMap(({ difference, of, more, less }) => {
    const [here, there] = [of(body), of(signed)]
    return here === there ? [] : { difference, words: here.length >= there.length ? more : less }
  })
  if (lettersOf(body) !== lettersOf(signed)) {
    found.push({ difference: 'encoding', words: 'its letters were read or written in another encoding than UTF-8' })
  }
  if (found.length === 0) found.push({ difference: 'other', words: 'numbers or escapes are written in another way' })
  return { names: found.map(({ difference }) => difference), words: found.map(({ words }) => words).join('; ') }
}

/** The first position at which two texts differ, with some context of both. */
export function firstDifference(body: string, signed: string): { at: number; body: string; signed: string } {
  let at = 0
  while (at < body.length && body[at] === signed[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 12), at + 12)
  return { at, body: around(body), signed: around(signed) }
}

/** In backquotes, which JSON does not use, and with visible line breaks. */
export function visible(text: string): string {
  return `\`${escapeInvisible(text)}\``
}

function outsideOfStrings(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, '""')
}

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  return isObject(value) ? Object.entries(value).flatMap(([key, part]) => [key, ...keysOf(part)]) : []
}

/** The content of a text regardless of formatting: every character of its values, sorted. */
function lettersOf(json: string): string {
  const value = parsed(json.trim())
  const text = value === undefined ? json.trim() : JSON.stringify(value)
  return text.split('').toSorted().join('')
}
