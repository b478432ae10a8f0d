import type { Refusal } from '../../../../platform/refusal.ts'
import type { Language } from '../site.ts'
import { BOOKS } from './books.ts'
import { MATCHING } from './matching.ts'
import { RETURNS } from './returns.ts'
import { SETTINGS } from './settings.ts'
import { FIELDS, TERMS } from './terms.ts'
import { TRANSACTIONS } from './transactions.ts'

/**
 * The English text of a refusal, with `{}` for each value, is its key: the command line and the API show it as it is. A test
 * reads all of them in the domain and fails for one that has no Turkish words. `{1}` is the first value, which is translated, too.
 */
export const PHRASES: Readonly<Record<string, string>> = {
  ...TRANSACTIONS,
  ...SETTINGS,
  ...MATCHING,
  ...BOOKS,
  ...RETURNS,
}

type Phrase = { pattern: RegExp; words: string; weight: number }

const phrases: Phrase[] = Object.entries(PHRASES)
  .map(([text, words]) => ({ pattern: patternOf(text), words, weight: text.replaceAll('{}', '').length }))
  // The one with most text of its own fits best.
  .toSorted((a, b) => b.weight - a.weight)

function patternOf(text: string): RegExp {
  const escaped = text.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('([^]*?)')}$`)
}

/** Why a form was refused, as the reader of a page understands it. */
export function refusalText(language: Language, { message, details }: Refusal): string {
  if (language === 'en') return message
  const [first] = Array.isArray(details) ? details : []
  return first && message.endsWith(` ${first.problem}`) ? aboutField(first, message) : inTurkish(message)
}

function aboutField({ field, problem }: { field: string; problem: string }, message: string): string {
  const names = message.slice(0, -problem.length - 1).split(' and ')
  if (!names.includes(field)) return inTurkish(message)
  return `${names.map((name) => FIELDS[name] ?? name).join(', ')}: ${inTurkish(problem)}`
}

/** Unchanged if there are no words for it: ids, names and amounts, and what a page has said in its own words. */
export function inTurkish(text: string): string {
  const term = TERMS[text]
  if (term !== undefined) return term
  for (const { pattern, words } of phrases) {
    const found = pattern.exec(text)
    if (found) return words.replace(/\{(\d)\}/g, (_, at: string) => inTurkish(found[Number(at)] ?? ''))
  }
  return text
}
