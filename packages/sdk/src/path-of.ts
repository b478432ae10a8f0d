import { VezneError } from './vezne-error.ts'

/** A path with an id. A missing or malformed id would make it another path. */
export function pathOf(parts: TemplateStringsArray, id: string): string {
  if (typeof id === 'string' && /^[\w-]+$/.test(id)) return parts.join(id)
  throw new VezneError('INVALID_OPTIONS', `${parts.join('{id}')} needs an id, not "${id}".`)
}
