import { html } from '../../html.ts'
import { copyButton } from '../copy-button.ts'
import type { Page, Viewer } from '../routes.ts'
import type { SharedWords } from '../words-tr.ts'
import type { Back } from './invited-page.ts'
import { LOGIN_WORDS } from './words.ts'

/** The code of an invitation is shown once: only its mark is kept. */
export function codePage(
  viewer: Viewer<SharedWords>,
  { href, label, section }: Back,
  { name, code }: { name: string; code: string },
): Page {
  const words = LOGIN_WORDS[viewer.language]
  const main = html`<h1>${words.code}</h1>
    <p class="lead">${words.codeLead(name)}</p>
    <section class="card">
      <p class="copied-value"><code>${code}</code> ${copyButton(viewer.words, code)}</p>
      <p class="hint spaced">${words.codeHint}</p>
    </section>
    <p class="more"><a href="${viewer.root}${href}">${label}</a></p>`
  return { title: words.code, section, main }
}
