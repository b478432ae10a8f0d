import { formatMoney } from '../../../../kernel/money.ts'
import { refusalText as saidText } from '../../../../acts/refusals/say.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import type { Codes } from '../codes/codes.ts'
import type { Language } from '../site.ts'
import { BANK_RESPONSES } from './bank-responses.ts'
import { BOOKS } from './books.ts'
import { ENTERED } from './entered.ts'
import { FILE_ERRORS, JOINERS, PLACES } from './file-errors.ts'
import { MATCHING } from './matching.ts'
import { ORDER_ENGLISH, ORDER_TEXTS, ORDERS } from './orders.ts'
import { PAGE_ENGLISH } from './page-english.ts'
import { RETURNS } from './returns.ts'
import { SETTINGS } from './settings.ts'
import { STATEMENT_FINDINGS } from './statement-findings.ts'
import { FIELDS, TERMS } from '../../../../acts/refusals/terms.ts'
import { TRANSACTIONS } from './transactions.ts'

/**
 * The English text of a refusal, with `{}` for each value, is its key: the command line and the API show it as it is. A test
 * reads all of them in the domain and fails for one that has no Turkish words. `{1}` is the first value, which is translated, too.
 */
export const PHRASES: Readonly<Record<string, string>> = {
  ...TRANSACTIONS,
  ...SETTINGS,
  ...MATCHING,
  ...ORDERS,
  ...ENTERED,
  ...BOOKS,
  ...RETURNS,
}

/** What is wrong with a file. A test reads these texts in their sources, too. */
export const FILE_TEXTS: Readonly<Record<string, string>> = { ...STATEMENT_FINDINGS, ...FILE_ERRORS }

type Phrase = { pattern: RegExp; words: string }

const refusals = sorted(PHRASES)
const english = sorted(PAGE_ENGLISH)
const files = sorted(FILE_TEXTS)
const joiners = sorted(JOINERS)
const places = sorted(PLACES)
const responses = sorted({ ...ORDER_TEXTS, ...BANK_RESPONSES })
const orders = sorted({ ...ORDERS, ...ORDER_TEXTS, ...BANK_RESPONSES })
const orderEnglish = sorted({ ...PAGE_ENGLISH, ...ORDER_ENGLISH })

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

/** Why a form was refused, as the reader of a page understands it: no commands, and no text that is English in part. */
export function refusalText(language: Language, refusal: Refusal): string {
  if (refusal.said) return saidText(language, refusal)
  if (language === 'en') return refusalInEnglish(refusal)
  const said = refusalInTurkish(refusal)
  return isWhole(said) ? said : NO_WORDS
}

const NO_WORDS = 'Kaydın şu anki durumu bu işleme izin vermiyor. Sayfayı yenileyip yeniden bakın.'
const COMMAND = /\bvezne [a-z]|(?:^|[\s(])--[a-z]/
const ENGLISH = /\b(?:the|this|that|they|is|was|were|which|with|must|people|and|from|have|if|of|for)\b/gi

/** Three such words are a sentence; names and what banks write, in quotes, have fewer. */
export function isWhole(text: string): boolean {
  const ours = text.replace(/"[^"]*"/g, '')
  return !COMMAND.test(ours) && (ours.match(ENGLISH)?.length ?? 0) < 3
}

/** What comes before the text that has words: the name of one of several, or a field. */
function refusalInEnglish({ message, details, cause }: Refusal): string {
  if (cause instanceof Refusal && message.endsWith(`: ${cause.message}`))
    return message.slice(0, -cause.message.length) + refusalInEnglish(cause)
  const problem = Array.isArray(details) ? details[0]?.problem : undefined
  return problem !== undefined && message.endsWith(` ${problem}`)
    ? message.slice(0, -problem.length) + inEnglish(problem)
    : inEnglish(message)
}

function inEnglish(text: string, phrases = english): string {
  for (const { pattern, words } of phrases) {
    const found = pattern.exec(text)
    if (found) return words.replace(/\{(\d)\}/g, (_, at: string) => inEnglish(found[Number(at)] ?? '', phrases))
  }
  return withoutCommands(text)
}

/** The pages have buttons for what a command does: `Take the split back: vezne journal reverse ID` becomes `Take the split back.` */
function withoutCommands(text: string): string {
  if (!COMMAND.test(text)) return text
  return text
    .replace(/ (?:See|Look again|Say who decides)(?: [a-z ]+)?: (?:vezne|--)[^.;]*\.?/g, '')
    .replace(/ \(vezne [^)]*\)/g, '')
    .replace(/(?:[,:;]| and| or)*(?: then| with| run| without)?:? vezne [a-z][^.;)]*/g, '')
    .replace(/(?:,? (?:with|without)|:) --[a-z][^.;)]*/g, '')
    .replace(/--([a-z])/g, '$1')
    .replace(/([^.])$/, '$1.')
}

function refusalInTurkish({ message, details, cause }: Refusal): string {
  // One of several that were asked for together: its name is in front.
  if (cause instanceof Refusal && message.endsWith(`: ${cause.message}`))
    return message.slice(0, -cause.message.length) + refusalInTurkish(cause)
  const [first] = Array.isArray(details) ? details : []
  return first && message.endsWith(` ${first.problem}`) ? aboutField(first, message) : inTurkish(message)
}

function aboutField({ field, problem }: { field: string; problem: string }, message: string): string {
  const names = message.slice(0, -problem.length - 1).split(' and ')
  if (!names.includes(field)) return inTurkish(message)
  // An option of a command is a button or the only field of its form.
  const shown = names.flatMap((name) => FIELDS[name] ?? (name.startsWith('--') ? [] : name))
  return [...(shown.length > 0 ? [shown.join(', ')] : []), inTurkish(problem)].join(': ')
}

/** Unchanged if there are no words for it: ids, names and amounts, and what a page has said in its own words. */
export function inTurkish(text: string): string {
  return worded(text, refusals, (value) =>
    /^\d{4}-\d{2}-\d{2}$/.test(value) ? value.replace(ISO_DAY, '$3.$2.$1') : aboutFile(value),
  )
}

/** Days and amounts as the readers of files write them. */
const ISO_DAY = /\b(\d{4})-(\d{2})-(\d{2})\b/g
const PLAIN_MONEY = /(?<![\d.,])(-?\d+)\.(\d{2}) ([A-Z]{3})\b/g

const PLACE = /^((?:sheet "[^"]*", )?line \d+(?:, column \d+)?): ([^]+)$/

function aboutFile(text: string): string {
  const [, place, problem = text] = PLACE.exec(text) ?? []
  if (!files.some(({ pattern }) => pattern.test(problem))) return text
  const value = (inside: string) => (PLACE.test(inside) ? aboutFile(inside) : worded(inside, joiners))
  const said = worded(problem, files, value)
    .replace(ISO_DAY, '$3.$2.$1')
    .replace(PLAIN_MONEY, (_, whole: string, part: string, currency: string) =>
      formatMoney(BigInt(`${whole}${part}`), currency),
    )
  // Line 1 stands for the whole file.
  return place === undefined || place === 'line 1' ? said : `${worded(place, places)}: ${said}`
}

/** What the check of a file found, or why it cannot be read. */
export function fileText(language: Language, what: string): string {
  return language === 'en' ? what : aboutFile(what)
}

/** What holds an order file up, or what a report about one means. */
export function orderText(language: Language, text: string): string {
  return language === 'en' ? inEnglish(text, orderEnglish) : worded(text, orders)
}

/** What a bank said of a payout. The codes of its refusals have words of their own. */
export function responseText(language: Language, { failures }: Codes, detail: string): string {
  const plain = (text: string) => (Object.hasOwn(failures, text) ? failures[text as keyof typeof failures] : text)
  if (language === 'tr') return worded(detail, responses, plain)
  const known = plain(detail)
  return known === detail ? inEnglish(detail, orderEnglish) : known
}

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
