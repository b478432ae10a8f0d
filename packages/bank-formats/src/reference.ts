/** What banks write where a reference must stand and there is none. `KREF+` says that it stands in :86:. */
const NONE = /^(?:not ?provided|nonref|kref\+)?$/i

/** A reference that identifies something, else null: a word that stands for none would make different payments look like one. */
export function referenceOf(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  return NONE.test(trimmed) ? null : trimmed
}
