/** The size of the banks' fields, with a margin. */
const MAX_TEXT = 500

/** PostgreSQL does not store NUL, and no text for people is longer. */
export function cleaned(value: string): string {
  return value.replaceAll('\0', '').slice(0, MAX_TEXT).toWellFormed()
}

/** References and reasons have at most 140 characters; a value that is not a string becomes empty. */
export function shortText(value: unknown): string {
  return typeof value === 'string' ? cleaned(value).slice(0, 140).toWellFormed() : ''
}
