import { html } from '../../html.ts'
import { copyButton } from '../copy-button.ts'
import type { Page, Viewer } from '../routes.ts'
import type { SharedWords } from '../words-tr.ts'
import { LOGIN_WORDS } from './words.ts'

export type Back = { href: string; label: string; section: string }

/** The link is shown once: only its digest is kept. `codeHint`: who gives the code, if one is needed. */
export function invitedPage(
  viewer: Viewer<SharedWords>,
  { href, label, section }: Back,
  { name, url, codeHint }: { name: string; url: string; codeHint: string | false },
): Page {
  const words = LOGIN_WORDS[viewer.language]
  const main = html`<h1>${words.invited}</h1>
    <p class="lead">${words.invitedLead(name)}</p>
    <section class="card">
      <p class="copied-value"><code>${url}</code> ${copyButton(viewer.words, url)}</p>
      <p class="hint spaced">${words.inviteHint} ${codeHint}</p>
    </section>
    <p class="more"><a href="${viewer.root}${href}">${label}</a></p>`
  return { title: words.invited, section, main }
}
