import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { Viewer } from '../page.ts'
import { ENTER_PATH } from './read-line.ts'
import { ENTERED_WORDS } from './words.ts'

/** To the form; `values` fills it in, without personal data: addresses are kept in logs. */
export function enterLink({ root, language }: Viewer, values: Record<string, string> = {}): Html {
  const given = new URLSearchParams(values).toString()
  return html`<a href="${root}${ENTER_PATH}${given && `?${given}`}">${ENTERED_WORDS[language].title}</a>`
}
