import { formatMoney } from '../../kernel/money.ts'
import type { Notices } from '../../kernel/refusals/note.ts'
import type { Reasons } from '../../kernel/refusals/refuse.ts'
import type { Fact, FieldProblem, Refusal, Said } from '../../platform/refusal.ts'
import { BOOKS_SENTENCES } from './books.ts'
import { PROPOSALS_SENTENCES } from './proposals.ts'
import { CONNECTIONS_SENTENCES } from './connections.ts'
import { DEPOSITS_SENTENCES } from './deposits.ts'
import { IDENTITY_SENTENCES } from './identity.ts'
import { LINES_SENTENCES } from './lines.ts'
import { MERCHANTS_SENTENCES } from './merchants.ts'
import { NOTICES_SENTENCES } from './notices.ts'
import { PAYOUTS_SENTENCES } from './payouts.ts'
import { PLANS_SENTENCES } from './plans.ts'
import { PEOPLE_SENTENCES } from './people.ts'
import type { Sentence, Sentences } from './sentence.ts'
import { STATEMENTS_SENTENCES } from './statements.ts'
import { FIELDS } from './terms.ts'
import { UNKNOWN_SENTENCES } from './unknown.ts'
import { WEBHOOKS_SENTENCES } from './webhooks.ts'
import { WITHDRAWALS_SENTENCES } from './withdrawals.ts'

export type Language = 'tr' | 'en'

export const SENTENCES: Sentences<Reasons> & Sentences<Notices> = {
  ...NOTICES_SENTENCES,
  ...UNKNOWN_SENTENCES,
  ...LINES_SENTENCES,
  ...STATEMENTS_SENTENCES,
  ...CONNECTIONS_SENTENCES,
  ...DEPOSITS_SENTENCES,
  ...WITHDRAWALS_SENTENCES,
  ...WEBHOOKS_SENTENCES,
  ...PAYOUTS_SENTENCES,
  ...BOOKS_SENTENCES,
  ...PLANS_SENTENCES,
  ...MERCHANTS_SENTENCES,
  ...PEOPLE_SENTENCES,
  ...IDENTITY_SENTENCES,
  ...PROPOSALS_SENTENCES,
}

type AnyText = string | ((facts: Readonly<Record<string, unknown>>) => string)
const bySaid = SENTENCES as unknown as Readonly<Record<string, Readonly<Record<keyof Sentence<never>, AnyText>>>>

/** A sentence without the names of its fields. */
export function say(language: Language, said: Said): string {
  return textOf(language, said, language) ?? said.why
}

function textOf(part: keyof Sentence<never>, { why, facts }: Said, language: Language): string | undefined {
  const text = bySaid[why]?.[part]
  if (typeof text !== 'function') return text
  return text(Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, shown(fact, language)])))
}

/** Both languages write an amount as Turkish banks do: 1.250,00 TL. */
function shown(fact: Fact, language: Language): unknown {
  if (fact === null || typeof fact !== 'object') return fact
  if ('why' in fact) return say(language, fact)
  if ('minor' in fact) return formatMoney(BigInt(fact.minor), fact.currency)
  return fact.map((one) => shown(one, language))
}

/** Why something was refused, for a page. */
export function refusalText(language: Language, refusal: Refusal): string {
  const { said, fields, about, message } = refusal
  if (said === null) return language === 'tr' ? withColon(refusal) : message
  const names = language === 'en' ? fields.join(' and ') : fields.map((name) => FIELDS[name] ?? name).join(', ')
  const sentence = say(language, said)
  const whole = names === '' ? sentence : `${names}${language === 'en' ? ' ' : ': '}${sentence}`
  return about === null ? whole : `${about}: ${whole}`
}

/** What an edge says of a field, in the language of its page. */
function withColon({ message, details }: Refusal): string {
  const [first] = Array.isArray(details) ? details : []
  if (first === undefined || message !== `${first.field} ${first.problem}`) return message
  return `${FIELDS[first.field] ?? first.field}: ${first.problem}`
}

/** As the command line says it: with the commands that help, each on a line of its own. */
export function refusalForTerminal(refusal: Refusal): string[] {
  const { said } = refusal
  const indented = said === null ? [] : helpOf('cli', said).map((command) => `  ${command}`)
  return [refusalText('en', refusal), ...indented]
}

/** A notice for the command line, as a refusal. */
export function noticeForTerminal(said: Said): string[] {
  return [say('en', said), ...helpOf('cli', said).map((command) => `  ${command}`)]
}

/** What helps against what is inside a sentence comes first. */
export function helpOf(part: 'cli' | 'api', said: Said): string[] {
  const own = textOf(part, said, 'en')
  const inside = Object.values(said.facts).flatMap(saidIn)
  return [...inside.flatMap((one) => helpOf(part, one)), ...(own ? own.split('\n') : [])]
}

function saidIn(fact: Fact): Said[] {
  if (fact === null || typeof fact !== 'object' || 'minor' in fact) return []
  return 'why' in fact ? [fact] : fact.flatMap(saidIn)
}

/** As the API says it: in English, with the request that helps. */
export function refusalForApi(refusal: Refusal): { message: string; details: Refusal['details'] } {
  const { said, fields } = refusal
  const message = [refusalText('en', refusal), ...(said ? helpOf('api', said) : [])].join(' ')
  return { message, details: refusal.details ?? problemsOf(said, fields) }
}

function problemsOf(said: Said | null, fields: readonly string[]): FieldProblem[] | undefined {
  if (said === null || fields.length === 0) return undefined
  const problem = say('en', said)
  return fields.map((name) => ({ field: name, problem }))
}
