import { html } from '../../web/html.ts'
import { copyButton } from '../../web/console/copy-button.ts'
import type { Page, Viewer } from '../page.ts'
import { TEAM_WORDS } from './words.ts'

/** The link is shown once: only its digest is kept. */
export function invitedPage(viewer: Viewer, email: string, url: string): Page {
  const words = TEAM_WORDS[viewer.language]
  const main = html`<h1>${words.invited}</h1>
    <p class="lead">${words.invitedLead(email)}</p>
    <section class="card">
      <p class="copied-value"><code>${url}</code> ${copyButton(words, url)}</p>
    </section>
    <p class="more"><a href="${viewer.root}/team">${words.back}</a></p>`
  return { title: words.invited, section: 'team', main }
}
