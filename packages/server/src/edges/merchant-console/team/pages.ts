import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { copyButton } from '../../web/console/copy-button.ts'
import { ownForm } from '../../web/console/decision-form.ts'
import { qrCode } from '../../web/console/qr-code.ts'
import type { Page, Viewer } from '../page.ts'
import { TEAM_WORDS } from './words.ts'

const framed = (viewer: Viewer, title: string, main: Html): Page => {
  const back = html`<p class="more"><a href="${viewer.root}/team">${TEAM_WORDS[viewer.language].back}</a></p>`
  return {
    title,
    section: 'team',
    main: html`<h1>${title}</h1>
      ${main} ${back}`,
  }
}

/** The link is shown once: only its digest is kept. */
export function invitedPage(viewer: Viewer, email: string, url: string): Page {
  const words = TEAM_WORDS[viewer.language]
  return framed(
    viewer,
    words.invited,
    html`<p class="lead">${words.invitedLead(email)}</p>
      <section class="card">
        <p class="copied-value"><code>${url}</code> ${copyButton(words, url)}</p>
      </section>`,
  )
}

export function factorPage(viewer: Viewer, { secret, uri }: { secret: string; uri: string }): Page {
  const { words } = viewer
  const code = html`<label class="field"
    >${words.codeLabel} <input name="code" required maxlength="40" autocomplete="one-time-code" spellcheck="false"
  /></label>`
  return framed(
    viewer,
    words.setUpTitle,
    html`<p class="lead">${words.setUpLead}</p>
      <section class="card">
        ${qrCode(uri, words.setUpQr)}
        <p class="id">${secret.match(/.{4}/g)?.join(' ')}</p>
        <div class="acts">${ownForm(viewer, '/team/factor/confirm', code, words.confirm)}</div>
      </section>`,
  )
}

export function codesPage(viewer: Viewer, codes: string[]): Page {
  const { words } = viewer
  return framed(
    viewer,
    words.recoveryTitle,
    html`<p class="lead">${words.recoveryLead}</p>
      <section class="card">
        <ul class="codes">
          ${codes.map((one) => html`<li class="id">${one}</li>`)}
        </ul>
      </section>`,
  )
}
