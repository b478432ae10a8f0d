import { say } from '../../../acts/refusals/say.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { Html, Part } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import type { Language } from '../../web/console/site.ts'
import type { Viewer } from '../page.ts'

const WORDS: Record<Language, (line: Html) => Part[]> = {
  tr: (line) => ['Ekstredeki ', line, ' satırına baktım ve bankaya sordum: bu çekimin satırı değil.'],
  en: (line) => ['I have looked at line ', line, ' and asked the bank: it is not of this payout.'],
}

/** A line has a page; those that could not be read have one together. */
const linkOf = ({ root }: Viewer, id: string) =>
  html`<a class="id" href="${root}${id.length === 24 ? `/matching/${id}` : '/unread'}">${id}</a>`

/** Lines that name a payout or may be its debit. */
export function namedLines(viewer: Viewer, lines: readonly Said[]): Html {
  return html`${lines.map((line) => {
    const { line: id } = line.facts
    if (typeof id !== 'string') return html``
    const [before = '', ...after] = say(viewer.language, line).split(id)
    return html`<p>${plainName(before)}${linkOf(viewer, id)}${plainName(after.join(id))}</p>`
  })}`
}

/** Whoever says that the payout was not sent says so of each line that names it. */
export function notOfPayout(viewer: Viewer, ids: readonly string[]): Html {
  return html`${ids.map(
    (id) =>
      html`<label class="choice"
        ><input type="checkbox" name="notLine" value="${id}" required /><span
          >${WORDS[viewer.language](linkOf(viewer, id))}</span
        ></label
      >`,
  )}`
}
