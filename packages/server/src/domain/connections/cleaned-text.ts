/** The size of the banks' fields, with a margin. */
export const MAX_TEXT = 500

/** For people: PostgreSQL does not store NUL, and more than this is not read. */
export function cleaned(value: string): string {
  return storable(value).slice(0, MAX_TEXT).toWellFormed()
}

/** The whole text, without what PostgreSQL refuses. */
export function storable(value: string): string {
  return value.replaceAll('\0', '').toWellFormed()
}

/** References and reasons have at most 140 characters; a value that is not a string becomes empty. */
export function shortText(value: unknown): string {
  return typeof value === 'string' ? cleaned(value).slice(0, 140).toWellFormed() : ''
}
