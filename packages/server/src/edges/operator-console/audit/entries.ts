import type { AuditEntry } from '../../../domain/audit/index.ts'
import type { Difference } from '../../../domain/proposals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { differences } from '../../web/console/proposals/differences.ts'
import { deciderName, worded } from '../../web/console/codes/codes.ts'
import { cardTable, second } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { fieldName, scheduleWord, valueWord } from './change-words.ts'
import { addressOf } from './filter.ts'
import { WORDS } from './words.ts'

/** `reasons`: what people wrote, by number; null: kept where no page shows it. `hidden`: findings not to be seen yet. */
type Told = {
  reasons: ReadonlyMap<number, string | null>
  hidden: ReadonlySet<number>
  /** Entries that the service may not have written. */
  doubted: ReadonlySet<number>
}

export function entriesTable(viewer: Viewer, entries: AuditEntry[], { reasons, hidden, doubted }: Told): Html {
  const words = WORDS[viewer.language]
  const columns = [words.at, words.actor, words.action, words.subject, words.change, words.why]
  return cardTable(
    viewer.words.audit,
    columns.map((label) => ({ label })),
    entries.map((entry) => ({
      href: null,
      cells: [
        html`${second(new Date(entry.at))}<span class="line mild">#${entry.number}</span>`,
        html`<a href="${addressOf({ actor: entry.actor })}">${actorText(viewer, entry.actor)}</a>
          ${doubted.has(entry.number) && html`<span class="state bad">${words.notVerified}</span>`}
          <span class="line mild">${originText(viewer, entry.origin)}</span>`,
        html`${worded(viewer.words.codes.actions, entry.action)}`,
        subjectText(viewer, entry.subject),
        hidden.has(entry.number) ? html`–` : changeText(viewer, entry),
        html`<span class="address"
          >${
            hidden.has(entry.number)
              ? viewer.words.moments.hiddenStatement
              : plainName(reasons.get(entry.number) ?? (entry.reason === null ? '–' : words.keptElsewhere))
          }</span
        >`,
      ],
    })),
  )
}

function actorText({ language, words: { codes } }: Viewer, actor: string): string {
  const words = WORDS[language]
  if (actor === 'operator') return words.unnamed
  return actor.startsWith('merchant:') ? `${words.userOf} …${actor.slice(-6)}` : plainName(deciderName(codes, actor))
}

/** Where the decision was taken: edge, address, or host and account on it. */
function originText({ language }: Viewer, { edge = '', address, host, user }: Record<string, string>): string {
  const where = address ?? [user, host].filter((part) => part !== undefined).join('@')
  return plainName([WORDS[language].edges[edge] ?? edge, where].filter((part) => part !== '').join(' · ') || '–')
}

/** Pages about a subject, by its kind. */
const PAGES: Record<string, string> = {
  merchant: '/merchants/',
  deposit: '/transactions/',
  withdrawal: '/transactions/',
  line: '/matching/',
  operator: '/people/',
  file: '/statements/',
  day: '/books/',
}

function subjectText({ language, root }: Viewer, subject: string): Html {
  const [kind = '', id = ''] = subject.split(':')
  const page = PAGES[kind]
  const about = WORDS[language].subjects[kind] ?? kind
  const text = html`${about} <span class="id">${plainName(id)}</span>`
  const isLink = page !== undefined && /^[\w.-]+$/.test(id)
  return html`<span class="subject">${isLink ? html`<a href="${root}${page}${id}">${text}</a>` : text}</span>
    <a class="mild" href="${addressOf({ subject })}">${WORDS[language].history}</a>`
}

type Values = Record<string, unknown>
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values by their path: settings are objects, some of them written as JSON. */
function leaves(value: unknown, path = ''): [path: string, value: unknown][] {
  const inner = typeof value === 'string' && value.startsWith('{') ? parsed(value) : value
  if (!isObject(inner)) return path === '' ? [] : [[path, value]]
  return Object.entries(inner).flatMap(([name, one]) => leaves(one, path === '' ? name : `${path}.${name}`))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Fields that differ, before → after. */
function changeText({ language, words: { codes } }: Viewer, { before, after }: AuditEntry): Html {
  const [old, now] = [new Map(leaves(before)), new Map(leaves(after))]
  // An opinion names the state that it is about; only two of them change it.
  const isOpinion = now.has('isAgreed')
  const isUnchanged = isOpinion && now.get('isAgreed') === false
  const same = (field: string) => JSON.stringify(old.get(field) ?? null) === JSON.stringify(now.get(field) ?? null)
  const fields = [...new Set([...(isOpinion ? [] : old.keys()), ...now.keys()])].filter(
    (field) => !same(field) && !isRows(now.get(field)) && !(isUnchanged && field === 'isAgreed'),
  )
  const rows = [...now.values()].find(isRows)
  if (fields.length === 0 && !rows) return html`–`
  const none = html`<span class="mild">${WORDS[language].nothingBefore}</span>`
  return html`<ul class="changed">
      ${fields.map((field) => {
        const text = (value: unknown) =>
          isKurus(field, value)
            ? formatMoney(BigInt(value))
            : (scheduleWord(language, field, value) ?? shown(value, (word) => valueWord(language, codes, word)))
        const was = old.has(field) && html`<del>${text(old.get(field))}</del> <span aria-hidden="true">→</span> `
        return html`<li>
          <span class="mild">${plainName(fieldName(language, field))}:</span>
          ${was}${now.has(field) ? html`<ins>${text(now.get(field))}</ins>` : none}
        </li>`
      })}
      ${isUnchanged && html`<li>${WORDS[language].nothingChanged}</li>`}
    </ul>
    ${rows && differences(language, rows)}`
}

/** What a change of settings proposes. */
const isRows = (value: unknown): value is Difference[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one) && 'field' in one && 'as' in one)

const MONEY = /(^|\.)(approvalThreshold|approveFrom|dailyAmount|dailyIbanAmount|tolerance|fixed|min|max|minimum)$/
const isKurus = (field: string, value: unknown): value is string | number =>
  MONEY.test(field) && /^\d+$/.test(String(value))

const MAX_VALUE = 300

function shown(value: unknown, word: (code: string) => string): string {
  if (value === null || value === undefined) return '–'
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
  const isPlain = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
  const whole = isList ? value.map(word).join(', ') : isPlain ? word(String(value)) : JSON.stringify(value)
  return plainName(whole.length > MAX_VALUE ? `${whole.slice(0, MAX_VALUE).toWellFormed()}…` : whole)
}
