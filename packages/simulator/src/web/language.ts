export type Language = 'tr' | 'en'

/** Turkish unless the URL says otherwise; every link and form on the page keeps the choice. */
export function languageOf(query: unknown): Language {
  return (query as { lang?: unknown }).lang === 'en' ? 'en' : 'tr'
}

/** The path with its parameters, and the language if it is not the default. */
export function localPath(
  path: string,
  language: Language,
  parameters: Record<string, string | string[]> = {},
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) if (one !== '') query.append(name, one)
  }
  if (language === 'en') query.append('lang', 'en')
  return query.size > 0 ? `${path}?${query.toString()}` : path
}
