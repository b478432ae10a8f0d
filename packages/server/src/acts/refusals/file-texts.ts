import { formatMoney } from '../../kernel/money.ts'
import { FILE_ERRORS, JOINERS, PLACES } from './file-errors.ts'
import { TERMS } from './terms.ts'

/** What is wrong with a file. A test reads these texts in their sources, too. */
export const FILE_TEXTS: Readonly<Record<string, string>> = FILE_ERRORS

type Phrase = { pattern: RegExp; words: string }

const files = sorted(FILE_TEXTS)
const joiners = sorted(JOINERS)
const places = sorted(PLACES)

/** The one with most text of its own fits best, and is first. */
function sorted(texts: Readonly<Record<string, string>>): Phrase[] {
  const weight = (text: string) => text.replaceAll('{}', '').length
  return Object.entries(texts)
    .toSorted(([a], [b]) => weight(b) - weight(a))
    .map(([text, words]) => ({ pattern: patternOf(text), words }))
}

function patternOf(text: string): RegExp {
  const escaped = text.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('([^]*?)')}$`)
}

/** Days and amounts as the readers of files write them. */
const ISO_DAY = /\b(\d{4})-(\d{2})-(\d{2})\b/g
const PLAIN_MONEY = /(?<![\d.,])(-?\d+)\.(\d{2}) ([A-Z]{3})\b/g

const PLACE = /^((?:sheet "[^"]*", )?line \d+(?:, column \d+)?): ([^]+)$/

function aboutFile(text: string): string {
  const [, place, problem = text] = PLACE.exec(text) ?? []
  if (!files.some(({ pattern }) => pattern.test(problem))) return text
  const value = (inside: string) => (PLACE.test(inside) ? aboutFile(inside) : worded(inside, joiners))
  const said = inTurkishMoney(worded(problem, files, value).replace(ISO_DAY, '$3.$2.$1'))
  // Line 1 stands for the whole file.
  return place === undefined || place === 'line 1' ? said : `${worded(place, places)}: ${said}`
}

/** In Turkish: what the readers of bank files say in English. Any other text stays. */
export function fileText(language: 'tr' | 'en', what: string): string {
  return language === 'en' ? what : aboutFile(what)
}

/** In Turkish: one value of a check of totals. */
export function fileValue(text: string): string {
  return inTurkishMoney(worded(text, files))
}

const inTurkishMoney = (text: string) =>
  text.replace(PLAIN_MONEY, (_, whole: string, part: string, currency: string) =>
    formatMoney(BigInt(`${whole}${part}`), currency),
  )

function worded(text: string, phrases: Phrase[], otherwise = (same: string) => same): string {
  const term = TERMS[text]
  if (term !== undefined) return term
  // Text of the bank, in quotes.
  if (/^"[^"]*"$/.test(text)) return text
  for (const { pattern, words } of phrases) {
    const found = pattern.exec(text)
    if (found) return words.replace(/\{(\d)\}/g, (_, at: string) => worded(found[Number(at)] ?? '', phrases, otherwise))
  }
  return otherwise(text)
}
