import { copyButton } from '../../web/console/copy-button.ts'
import { LOGIN_WORDS } from '../../web/console/logins/words.ts'
import { html } from '../../web/html.ts'
import type { Page, Viewer } from '../page.ts'
import { WORDS } from './words.ts'

/** The code of an invitation is shown once: only its mark is kept. */
export function codePage(viewer: Viewer, { name, code }: { name: string; code: string }): Page {
  const words = WORDS[viewer.language]
  const main = html`<h1>${words.code}</h1>
    <p class="lead">${words.codeLead(name)}</p>
    <section class="card">
      <p class="copied-value"><code>${code}</code> ${copyButton(LOGIN_WORDS[viewer.language], code)}</p>
      <p class="hint spaced">${words.codeHint}</p>
    </section>
    <p class="more"><a href="${viewer.root}/people/${name}">${name}</a></p>`
  return { title: words.code, section: 'people', main }
}
