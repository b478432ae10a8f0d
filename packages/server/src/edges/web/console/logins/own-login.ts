import type { listFactors } from '../../../../domain/identity/index.ts'
import type { Html } from '../../html.ts'
import { html } from '../../html.ts'
import { copyButton } from '../copy-button.ts'
import { ownForm } from '../decision-form.ts'
import { qrCode } from '../qr-code.ts'
import type { Page, Viewer as AnyViewer } from '../routes.ts'
import type { SharedWords } from '../words-tr.ts'
import { LOGIN_WORDS } from './words.ts'

type Viewer = AnyViewer<SharedWords>

/** The page of one's own login, with the part of the navigation that it is in. */
export type OwnPlace = { path: string; section: string | null; back: (viewer: Viewer) => string }

/** Password and second factor of who looks. */
export function ownCard(
  viewer: Viewer,
  { path }: Pick<OwnPlace, 'path'>,
  factors: Awaited<ReturnType<typeof listFactors>>,
): Html {
  const { words: shared } = viewer
  const words = LOGIN_WORDS[viewer.language]
  const password = (name: string, label: string, complete: string) =>
    html`<label class="field"
      >${label} <input type="password" name="${name}" required maxlength="200" autocomplete="${complete}"
    /></label>`
  const fields = html`<div class="fields">
    ${password('current', words.currentPassword, 'current-password')}
    ${password('next', shared.newPassword, 'new-password')}
  </div>`
  return html`<section class="card" aria-labelledby="own">
    <h2 id="own" class="first">${words.own}</h2>
    ${ownForm(viewer, `${path}/password`, fields, words.changePassword, 'plain')}
    <p class="hint spaced">${shared.passwordHint} ${words.otherSessions}</p>
    <h2>${words.factor}</h2>
    <p class="hint">${factors.totp ? words.factorOn(factors.recoveryCodes) : words.factorOff}</p>
    ${ownForm(viewer, `${path}/factor`, html``, factors.totp ? words.setUpAgain : words.setUp, 'plain')}
  </section>`
}

type Back = { href: string; label: string; section: string | null }

const framed = ({ root }: Viewer, { href, label, section }: Back, title: string, main: Html): Page => ({
  title,
  section,
  main: html`<h1>${title}</h1>
    ${main}
    <p class="more"><a href="${root}${href}">${label}</a></p>`,
})

/** The link is shown once: only its digest is kept. */
export function invitedPage(viewer: Viewer, back: Back, name: string, url: string): Page {
  const words = LOGIN_WORDS[viewer.language]
  return framed(
    viewer,
    back,
    words.invited,
    html`<p class="lead">${words.invitedLead(name)}</p>
      <section class="card">
        <p class="copied-value"><code>${url}</code> ${copyButton(words, url)}</p>
        <p class="hint spaced">${words.inviteHint}</p>
      </section>`,
  )
}

const backOf = (viewer: Viewer, { path, section, back }: OwnPlace): Back => ({
  href: path,
  label: back(viewer),
  section,
})

export function factorPage(viewer: Viewer, place: OwnPlace, { secret, uri }: { secret: string; uri: string }): Page {
  const { words } = viewer
  const code = html`<label class="field"
    >${words.codeLabel} <input name="code" required maxlength="40" autocomplete="one-time-code" spellcheck="false"
  /></label>`
  return framed(
    viewer,
    backOf(viewer, place),
    words.setUpTitle,
    html`<p class="lead">${words.setUpLead}</p>
      <section class="card">
        ${qrCode(uri, words.setUpQr)}
        <p class="id">${secret.match(/.{4}/g)?.join(' ')}</p>
        <div class="acts">${ownForm(viewer, `${place.path}/factor/confirm`, code, words.confirm)}</div>
      </section>`,
  )
}

export function codesPage(viewer: Viewer, place: OwnPlace, codes: string[]): Page {
  const { words } = viewer
  return framed(
    viewer,
    backOf(viewer, place),
    words.recoveryTitle,
    html`<p class="lead">${words.recoveryLead}</p>
      <section class="card">
        <ul class="codes">
          ${codes.map((one) => html`<li class="id">${one}</li>`)}
        </ul>
      </section>`,
  )
}
