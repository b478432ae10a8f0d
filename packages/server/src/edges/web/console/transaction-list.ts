import { DEPOSIT_STATUSES } from '../../../domain/deposits/index.ts'
import type { TransactionFilter, TransactionKind } from '../../../domain/overview/index.ts'
import { WITHDRAWAL_STATUSES } from '../../../domain/withdrawals/index.ts'
import { isDay, istanbul } from '../../../kernel/istanbul.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { SharedWords } from './words-tr.ts'

const PAGE_SIZE = 50
const ID = /^[0-9a-f]{24}$/

const statusesOf = (kind: TransactionKind): readonly string[] =>
  kind === 'deposit' ? DEPOSIT_STATUSES : WITHDRAWAL_STATUSES

/** The filter that an address asks for, but for the merchant; what it does not say, or says wrongly, is the default: today. */
export function filterFrom(
  query: Record<string, unknown>,
  now: Date,
  kind: TransactionKind,
): Omit<TransactionFilter, 'merchantId'> {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const today = istanbul(now).day
  const to = isDay(text('to')) ? text('to') : today
  const from = isDay(text('from')) && text('from') <= to ? text('from') : to < today ? to : today
  const status = statusesOf(kind).find((one) => one === text('status'))
  return { kind, status, from, to, before: ID.test(text('before')) ? text('before') : undefined, limit: PAGE_SIZE }
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
  return { shown, next: html`<p class="more"><a href="?${address.toString()}">${older}</a></p>` }
}

export function option(value: string, label: string, isChosen: boolean): Html {
  return html`<option value="${value}" ${isChosen && html`selected`}>${label}</option>`
}

export function statusField(words: SharedWords, { kind, status }: TransactionFilter): Html {
  return html`<label class="field"
    >${words.status}
    <select name="status">
      ${option('', words.anyStatus, status === undefined)}
      ${statusesOf(kind).map((one) => option(one, words.statuses[one] ?? one, one === status))}
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
  return html`<span class="state ${LOOKS[status] ?? ''}">${words.statuses[status] ?? status}</span>`
}
