import { DEPOSIT_STATUSES } from '../../../domain/deposits/index.ts'
import type { TransactionFilter, TransactionKind } from '../../../domain/overview/index.ts'
import { WITHDRAWAL_STATUSES } from '../../../domain/withdrawals/index.ts'
import { addDays, isDay, istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { worded } from './codes/codes.ts'
import type { SharedWords } from './words-tr.ts'

const PAGE_SIZE = 50
const ID = /^[0-9a-f]{24}$/

const statusesOf = (kind: TransactionKind): readonly string[] =>
  kind === 'deposit' ? DEPOSIT_STATUSES : WITHDRAWAL_STATUSES

/** `last`: so many days until today, so that an address that is kept stays up to date. */
const MAX_LAST_DAYS = 366
export function lastDays(query: Record<string, unknown>): number | null {
  const days = /^[1-9]\d{0,2}$/.test(String(query['last'])) ? Number(query['last']) : 0
  return days >= 1 && days <= MAX_LAST_DAYS ? days : null
}

/** The filter that an address asks for, but for the merchant; what it does not say, or says wrongly, is the default: today. */
export function filterFrom(
  query: Record<string, unknown>,
  now: Date,
  kind: TransactionKind,
): Omit<TransactionFilter, 'merchantId'> {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const today = istanbul(now).day
  const last = lastDays(query)
  const to = last === null && isDay(text('to')) ? text('to') : today
  const first = last === null ? text('from') : addDays(today, 1 - last)
  const from = isDay(first) && first <= to ? first : to < today ? to : today
  const status = statusesOf(kind).find((one) => one === text('status'))
  return { kind, status, from, to, before: ID.test(text('before')) ? text('before') : undefined, limit: PAGE_SIZE }
}

/** What the address of a list says of its filter. A period that ends today is its length. */
export function addressOf(
  { status, from, to }: TransactionFilter,
  now: Date,
  more: Record<string, string> = {},
): string {
  const days = (startOfDay(to).getTime() - startOfDay(from).getTime()) / DAY_MS + 1
  const isLast = to === istanbul(now).day && days <= MAX_LAST_DAYS
  const period = isLast ? { last: String(days) } : { from, to }
  return new URLSearchParams({ ...more, ...(status !== undefined && { status }), ...period }).toString()
}

/** 17.11.2026, or two such days. */
export function period({ from, to }: TransactionFilter): string {
  const day = (text: string) => text.split('-').toReversed().join('.')
  return from === to ? day(from) : `${day(from)} – ${day(to)}`
}

/** The rows of a page, of which there is one too many if others follow, and the link to those. `more`: what else is in the address. */
export function paged<Row extends { id: string }>(
  { older }: SharedWords,
  { status, from, to }: TransactionFilter,
  rows: Row[],
  more: Record<string, string> = {},
): { shown: Row[]; next: Html } {
  const shown = rows.slice(0, PAGE_SIZE)
  const last = rows.length > PAGE_SIZE ? shown.at(-1)?.id : undefined
  if (last === undefined) return { shown, next: html`` }
  const address = new URLSearchParams({ ...more, from, to, before: last, ...(status !== undefined && { status }) })
  return { shown, next: html`<a href="?${address.toString()}">${older}</a>` }
}

export function option(value: string, label: string, isChosen: boolean): Html {
  return html`<option value="${value}" ${isChosen && html`selected`}>${label}</option>`
}

export function statusField(words: SharedWords, { kind, status }: TransactionFilter): Html {
  return html`<label class="field"
    >${words.status}
    <select name="status">
      ${option('', words.anyStatus, status === undefined)}
      ${statusesOf(kind).map((one) => option(one, worded(words.codes.statuses, one), one === status))}
    </select>
  </label>`
}

export function dayFields(words: SharedWords, { from, to }: TransactionFilter): Html {
  return html`<label class="field">${words.from}<input type="date" name="from" value="${from}" /></label>
    <label class="field">${words.to}<input type="date" name="to" value="${to}" /></label>
    <button class="button small">${words.show}</button>`
}

const LOOKS: Record<string, string> = {
  completed: 'good',
  matched: 'good',
  failed: 'bad',
  processing: 'busy',
  suspense: 'busy',
  needs_review: 'busy',
}

export function stateBadge({ words }: { words: SharedWords }, status: string): Html {
  return html`<span class="state ${LOOKS[status] ?? ''}">${worded(words.codes.statuses, status)}</span>`
}
