/** What the bank's field sizes allow, with room to spare. */
const MAX_TEXT = 500

/** PostgreSQL keeps no NUL, and nothing that a person reads is longer. */
export function cleaned(value: string): string {
  return value.replaceAll('\0', '').slice(0, MAX_TEXT).toWellFormed()
}

/** References and reasons have at most 140 characters; anything but a text is none. */
export function shortText(value: unknown): string {
  return typeof value === 'string' ? cleaned(value).slice(0, 140).toWellFormed() : ''
}
