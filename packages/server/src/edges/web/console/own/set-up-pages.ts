import type { passkeyRegistration } from '../../../../domain/identity/index.ts'
import type { Html } from '../../html.ts'
import { html } from '../../html.ts'
import { ownForm } from '../decision-form.ts'
import { appKey, codeList, passkeyName } from '../login-forms.ts'
import { passkeyForm } from '../passkey-form.ts'
import { qrCode } from '../qr-code.ts'
import type { Page } from '../routes.ts'
import type { Viewer } from './page.ts'
import { OWN_WORDS } from './words.ts'

const framed = ({ root, language }: Viewer, title: string, lead: string, content: Html): Page => ({
  ...{ title, section: 'own' },
  main: html`<h1>${title}</h1>
    <p class="lead">${lead}</p>
    <section class="card">${content}</section>
    <p class="more"><a href="${root}/own">${OWN_WORDS[language].back}</a></p>`,
})

export function appPage(viewer: Viewer, { secret, uri }: { secret: string; uri: string }): Page {
  const { words } = viewer
  const code = html`<label class="field"
    >${words.codeLabel} <input name="code" required maxlength="40" autocomplete="one-time-code" spellcheck="false"
  /></label>`
  return framed(
    viewer,
    words.setUpTitle,
    words.setUpLead,
    html`${qrCode(uri, words.setUpQr)} ${appKey(words, secret)}
      <div class="acts">${ownForm(viewer, '/own/app/confirm', code, words.confirm)}</div>`,
  )
}

export function codesPage(viewer: Viewer, codes: string[]): Page {
  const { words } = viewer
  return framed(viewer, words.recoveryTitle, words.recoveryLead, codeList(words, codes))
}

export function passkeyPage(viewer: Viewer, options: Awaited<ReturnType<typeof passkeyRegistration>>): Page {
  const words = OWN_WORDS[viewer.language]
  const fields = html`<input type="hidden" name="csrf" value="${viewer.csrf}" /> ${passkeyName(viewer.words)}`
  const form = passkeyForm(viewer, { path: '/own/passkeys', options, fields, label: viewer.words.addPasskey })
  return framed(viewer, words.addTitle, words.addLead, form)
}
