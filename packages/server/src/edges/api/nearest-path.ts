import { editDistance } from './unknown-fields.ts'

/** Of a word that people know from elsewhere, with an id behind it: here a deposit and a withdrawal are both transactions. */
const KINDS = /^(deposit|withdraw|payout|payment)/

/** The documented path that was probably meant, with the ids that were sent; undefined when none is near. */
export function nearestPath(sent: string, documented: string[]): string | undefined {
  const words = sent.split('/').filter(Boolean)
  // Whatever else is in it was not mistyped, and is not repeated.
  if (!words.every((word) => /^[A-Za-z0-9_-]+$/.test(word))) return undefined
  return documented.map((path) => fit(words, path.split('/').filter(Boolean))).find((path) => path !== undefined)
}

function fit(words: string[], pattern: string[]): string | undefined {
  if (words.length !== pattern.length) return undefined
  const isNear = pattern.every((part, place) => part.startsWith(':') || isNearWord(words, place, part))
  return isNear ? `/${pattern.map((part, place) => (part.startsWith(':') ? words[place] : part)).join('/')}` : undefined
}

function isNearWord(words: string[], place: number, documented: string): boolean {
  const word = (words[place] as string).toLowerCase()
  if (documented.length < 4) return word === documented
  const contained = word.length >= 4 && (documented.includes(word) || word.includes(documented))
  const otherName = documented === 'transactions' && words.length > 2 && KINDS.test(word)
  return contained || otherName || editDistance(word, documented) <= 2
}
