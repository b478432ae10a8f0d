import type { ErrorCode } from '@vezne/contract'
import { ERROR_STATUS } from '@vezne/contract'
import type { Rendered } from './markdown.ts'
import type { Language } from './site-map.ts'
import { html } from '../web/html.ts'
import { WORDS } from './words.ts'

/** One entry per code: why, and what to do. */
export function errorsPage(language: Language): Rendered {
  const { errors } = WORDS[language]
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[]
  const entry = (code: ErrorCode) => {
    const { why, fix } = errors.help[code]
    return html`<h2 id="${code.toLowerCase()}">
        <code>${code}</code> <span class="status">${ERROR_STATUS[code]}</span>
      </h2>
      <p>${why}</p>
      <p><b>${errors.fix}</b> ${fix}</p>`
  }
  const first = { id: 'errors', title: errors.title, depth: 1, text: errors.lead }
  return {
    title: errors.title,
    body: html`<h1 id="errors">${errors.title}</h1>
      <p>${errors.lead}</p>
      ${codes.map(entry)}`,
    sections: [
      first,
      ...codes.map((code) => {
        const { why, fix } = errors.help[code]
        return { id: code.toLowerCase(), title: code, depth: 2, text: `${why} ${fix}` }
      }),
    ],
  }
}
