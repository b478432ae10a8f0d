import { editDistance } from './unknown-fields.ts'

/** Path words from other APIs, followed by an id: here deposits and withdrawals are both transactions. */
const KINDS = /^(deposit|withdraw|payout|payment)/

/** Bounds the work for a caller who is not authenticated. */
const MAX_COMPARED = 100

/** The documented path that was probably meant, with the ids that were sent; undefined if none is close. */
export function nearestPath(sent: string, documented: string[]): string | undefined {
  if (sent.length > MAX_COMPARED) return undefined
  const words = sent.split('/').filter(Boolean)
  // A path with other characters is not a typo, and is not echoed back.
  if (!words.every((word) => /^[A-Za-z0-9_-]+$/.test(word))) return undefined
  return documented.map((path) => fit(words, path.split('/').filter(Boolean))).find((path) => path !== undefined)
}

/** A path outside /v1, as it would be inside: without what comes before the version, if it has one. */
export function pathInV1(sent: string): string {
  const words = sent.split('/').filter(Boolean)
  const version = words.findIndex((word) => /^v\d+$/i.test(word))
  return ['', 'v1', ...words.slice(version + 1)].join('/')
}

function fit(words: string[], pattern: string[]): string | undefined {
  if (words.length !== pattern.length) return undefined
  const isLocalNetwork = pattern.every((part, place) => part.startsWith(':') || isNearWord(words, place, part))
  return isLocalNetwork
    ? `/${pattern.map((part, place) => (part.startsWith(':') ? words[place] : part)).join('/')}`
    : undefined
}

function isNearWord(words: string[], place: number, documented: string): boolean {
  const word = (words[place] as string).toLowerCase()
  if (documented.length < 4) return word === documented
  const contained = word.length >= 4 && (documented.includes(word) || word.includes(documented))
  const otherName = documented === 'transactions' && words.length > 2 && KINDS.test(word)
  return contained || otherName || editDistance(word, documented) <= 2
}
