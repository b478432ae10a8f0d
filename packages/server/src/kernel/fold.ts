/**
 * One key for every spelling of a text: ŞEYMA IŞIK, Şeyma Işık, SEYMA ISIK. Neither the default nor the Turkish casing
 * does this alone: the first keeps ı apart from I, the second makes İ of every i in a foreign word.
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

/** The six letters in which windows-1254 differs from latin1: a file read with the wrong one of the two shows these. */
const MOJIBAKE: Record<string, string> = { Ý: 'İ', ý: 'ı', Þ: 'Ş', þ: 'ş', Ð: 'Ğ', ð: 'ğ' }

/** Banks allow 140 characters; what is longer is no name. */
const MAX_NAME_LENGTH = 200
/** Some characters fold to several words. Comparing names takes time that grows fast with their number. */
const MAX_WORDS = 20

/** Only a company carries these. */
const LEGAL_FORMS = new Set(['LTD', 'STI', 'LIMITED', 'SIRKETI', 'ANONIM'])
/** Companies carry these too, but San is also a surname: ignored only beside a legal form. */
const TRADE_WORDS = new Set(['SAN', 'TIC', 'SANAYI', 'TICARET', 'VE'])

/** The words of a name, folded, without what only says that it is a company. */
export function nameTokens(name: string): string[] {
  const repaired = name.slice(0, MAX_NAME_LENGTH).replaceAll(/[ÝýÞþÐð]/g, (letter) => MOJIBAKE[letter] ?? letter)
  const all = foldText(repaired).slice(0, MAX_NAME_LENGTH).split(' ').filter(Boolean).slice(0, MAX_WORDS)
  const tokens = withoutJointStock(all)
  if (tokens.length === all.length && !tokens.some((token) => LEGAL_FORMS.has(token))) return tokens
  const kept = tokens.filter((token) => !LEGAL_FORMS.has(token) && !TRADE_WORDS.has(token))
  return kept.length > 0 ? kept : tokens
}

/** A.Ş. at the end. Two words must remain, because `Ayşe A. S.` and `Ayşe As` may be people. */
function withoutJointStock(tokens: string[]): string[] {
  if (tokens.length > 2 && tokens.at(-1) === 'AS') return tokens.slice(0, -1)
  if (tokens.length > 3 && tokens.at(-2) === 'A' && tokens.at(-1) === 'S') return tokens.slice(0, -2)
  return tokens
}

/**
 * Whether two spellings can be one person or company. Every word of the shorter name must have its own counterpart in the
 * longer one, in any order: the longer may add second and maiden names, but two names that each have a word the other
 * lacks differ (MEHMET ALİ YILMAZ is not AHMET ALİ YILMAZ). At least one word must agree in full, so initials and cut
 * words alone prove nothing. A name of one word must be found whole and have four letters.
 */
export function sameName(a: string, b: string): boolean {
  const [shorter, longer] = [nameTokens(a), nameTokens(b)].sort((x, y) => x.length - y.length) as [string[], string[]]
  const [only, second] = shorter
  if (only !== undefined && second === undefined) return only.length >= 4 && longer.includes(only)
  return shorter.some((token) => token.length > 1 && longer.includes(token)) && allPaired(shorter, longer)
}

/** Bipartite matching by augmenting paths: greedy pairing could spend the initial A on the wrong one of two words. */
function allPaired(shorter: string[], longer: string[]): boolean {
  const partner = new Map<number, number>()
  const place = (i: number, tried: Set<number>): boolean =>
    longer.some((_, j) => {
      if (tried.has(j) || !agree(shorter, i, longer, j)) return false
      tried.add(j)
      const holder = partner.get(j)
      if (holder !== undefined && !place(holder, tried)) return false
      partner.set(j, i)
      return true
    })
  return shorter.every((_, i) => place(i, new Set()))
}

function agree(a: string[], i: number, b: string[], j: number): boolean {
  return a[i] === b[j] || shortens(a, i, b[j] ?? '') || shortens(b, j, a[i] ?? '')
}

/** An initial anywhere; or the last word, which the bank cut where its field ended. */
function shortens(tokens: string[], index: number, full: string): boolean {
  const token = tokens[index] ?? ''
  return full.startsWith(token) && (token.length === 1 || (token.length >= 3 && index === tokens.length - 1))
}
