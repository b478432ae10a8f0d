import { MAX_SEARCH_TEXT } from '../../../domain/overview/index.ts'

export const MAX_FOUND = 50

/** What an address asks for. */
export function searchText(query: Record<string, unknown>): string {
  return (typeof query['q'] === 'string' ? query['q'] : '').trim().slice(0, MAX_SEARCH_TEXT)
}
