/**
 * One key for every spelling of a text: ŞEYMA IŞIK, Şeyma Işık, SEYMA ISIK. Default casing keeps ı apart from I, and
 * Turkish casing turns every i of a foreign word into İ, so neither is enough.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll('ı', 'i')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The six letters in which windows-1254 and latin1 differ: they appear when a file is read with the wrong one. */
const MOJIBAKE: Record<string, string> = { Ý: 'İ', ý: 'ı', Þ: 'Ş', þ: 'ş', Ð: 'Ğ', ð: 'ğ' }

/** Banks allow 140 characters; anything longer is not a name. */
const MAX_NAME_LENGTH = 200
/** Some characters fold to several words, and the time to compare names grows fast with the number of words. */
const MAX_WORDS = 20

/** Used only by companies. */
const LEGAL_FORMS = new Set(['LTD', 'STI', 'LIMITED', 'SIRKETI', 'ANONIM'])
/** Used by companies too, but San is also a surname: ignored only next to a legal form. */
const TRADE_WORDS = new Set(['SAN', 'TIC', 'SANAYI', 'TICARET', 'VE'])

/** The folded words of a name, without words that only mark a company. */
export function nameTokens(name: string): string[] {
  const repaired = name.slice(0, MAX_NAME_LENGTH).replaceAll(/[ÝýÞþÐð]/g, (letter) => MOJIBAKE[letter] ?? letter)
  const all = foldText(repaired).slice(0, MAX_NAME_LENGTH).split(' ').filter(Boolean).slice(0, MAX_WORDS)
  const tokens = withoutJointStock(all)
  if (tokens.length === all.length && !tokens.some((token) => LEGAL_FORMS.has(token))) return tokens
  const kept = tokens.filter((token) => !LEGAL_FORMS.has(token) && !TRADE_WORDS.has(token))
  return kept.length > 0 ? kept : tokens
}

/** Removes A.Ş. at the end. Two words must remain, because `Ayşe A. S.` and `Ayşe As` may be people. */
function withoutJointStock(tokens: string[]): string[] {
  if (tokens.length > 2 && tokens.at(-1) === 'AS') return tokens.slice(0, -1)
  if (tokens.length > 3 && tokens.at(-2) === 'A' && tokens.at(-1) === 'S') return tokens.slice(0, -2)
  return tokens
}

/**
 * Whether two spellings can be one person or company: every word of the shorter name pairs with its own word of the
 * longer one, in any order. At least one pair is equal in full; a one-word name needs four letters.
 */
export function sameName(a: string, b: string): boolean {
  const [shorter, longer] = [nameTokens(a), nameTokens(b)].sort((x, y) => x.length - y.length) as [string[], string[]]
  const [only, second] = shorter
  if (only !== undefined && second === undefined) return only.length >= 4 && longer.includes(only)
  return shorter.some((token) => token.length > 1 && longer.includes(token)) && allPaired(shorter, longer)
}

/** Bipartite matching by augmenting paths: greedy pairing could assign the initial A to the wrong one of two words. */
function allPaired(shorter: string[], longer: string[]): boolean {
  const partner = new Map<number, number>()
  const assign = (i: number, tried: Set<number>): boolean =>
    longer.some((_, j) => {
      if (tried.has(j) || !wordsAgree(shorter, i, longer, j)) return false
      tried.add(j)
      const previous = partner.get(j)
      if (previous !== undefined && !assign(previous, tried)) return false
      partner.set(j, i)
      return true
    })
  return shorter.every((_, i) => assign(i, new Set()))
}

function wordsAgree(a: string[], i: number, b: string[], j: number): boolean {
  return a[i] === b[j] || abbreviates(a, i, b[j] ?? '') || abbreviates(b, j, a[i] ?? '')
}

/** An initial anywhere, or a last word that was cut by the length of the bank's field. */
function abbreviates(tokens: string[], index: number, full: string): boolean {
  const token = tokens[index] ?? ''
  return full.startsWith(token) && (token.length === 1 || (token.length >= 3 && index === tokens.length - 1))
}
