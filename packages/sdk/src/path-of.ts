import { VezneError } from './vezne-error.ts'

/** A path with ids in it. An id that is missing or odd would make another path of it. */
export function pathOf(parts: TemplateStringsArray, id: string): string {
  if (typeof id === 'string' && /^[\w-]+$/.test(id)) return parts.join(id)
  throw new VezneError('INVALID_OPTIONS', `${parts.join('{id}')} needs an id, not "${id}".`)
}
