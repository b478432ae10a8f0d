import type { Language } from '../web/console/site.ts'
import { WORDS } from './page.ts'
import type { Words } from './words-tr.ts'

type Text = { [Key in keyof Words]: Words[Key] extends string ? Key : never }[keyof Words]

/** Outcomes of forms, by the keys of their words. */
export function said(...keys: Text[]): Record<Language, Record<string, string>> {
  const texts = (language: Language) => Object.fromEntries(keys.map((key) => [key, WORDS[language][key]]))
  return { tr: texts('tr'), en: texts('en') }
}
