import type { OpenFilter } from '../../../domain/statements/index.ts'
import { OPEN_KINDS } from '../../../domain/statements/index.ts'
import { readSearch } from '../../../kernel/search.ts'

const ID = /^[0-9a-f]{24}$/

/** The filter of the list, as the address has it. `text`: the amount as it was written. */
export type DeskFilter = OpenFilter & { text: string }

/** What the address does not say, or says wrongly, is not filtered. */
export function filterFrom(query: Record<string, unknown>): DeskFilter {
  const get = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const text = get('amount').trim().slice(0, 30)
  const direction = (['credit', 'debit'] as const).find((one) => one === get('direction')) ?? null
  return {
    kind: OPEN_KINDS.find((one) => one === get('kind')) ?? null,
    direction,
    accountId: ID.test(get('account')) ? get('account') : null,
    amount: readSearch(text).amounts[0] ?? null,
    text,
    after: ID.test(get('after')) ? get('after') : '',
  }
}

/** The filter as it is in an address, with what else is in it; begins with a question mark, or is empty. */
export function addressFor(filter: DeskFilter, more: Record<string, string> = {}): string {
  const { kind, direction, accountId, text, after } = filter
  const given = { kind: kind ?? '', direction: direction ?? '', account: accountId ?? '', amount: text, after, ...more }
  const said = Object.entries(given).filter(([, value]) => value !== '')
  return said.length === 0 ? '' : `?${new URLSearchParams(said).toString()}`
}

export const isFiltered = ({ kind, direction, accountId, text }: DeskFilter) =>
  kind !== null || direction !== null || accountId !== null || text !== ''
