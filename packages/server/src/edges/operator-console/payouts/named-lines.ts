import type { Html, Part } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { responseText } from '../../web/console/refusals/translate.ts'
import type { Language } from '../../web/console/site.ts'
import type { Viewer } from '../page.ts'

const WORDS: Record<Language, (line: Html) => Part[]> = {
  tr: (line) => ['Ekstredeki ', line, ' satırına baktım ve bankaya sordum: bu çekimin satırı değil.'],
  en: (line) => ['I have looked at line ', line, ' and asked the bank: it is not of this payout.'],
}

/** A line has a page; those that could not be read have one together. */
const linkOf = ({ root }: Viewer, id: string) =>
  html`<a class="id" href="${root}${id.length === 24 ? `/matching/${id}` : '/unread'}">${id}</a>`

/** Lines that name a payout or may be its debit, as the domain describes them. */
export function namedLines(viewer: Viewer, lines: readonly string[]): Html {
  return html`${lines.map((line) => {
    const [, id = ''] = /^(?:bank|unread) line (\S+)/.exec(line) ?? []
    const [before = '', ...after] = responseText(viewer.language, viewer.words.codes, line).split(id)
    return html`<p>${before}${id !== '' && linkOf(viewer, id)}${after.join(id)}</p>`
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
