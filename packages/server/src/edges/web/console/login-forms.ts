import type { Audience } from '../../../domain/identity/index.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { copyButton } from './copy-button.ts'
import { passkeyForm } from './passkey-form.ts'
import { qrCode } from './qr-code.ts'
import type { SharedWords } from './words-tr.ts'

/** `refused`: why the last try failed. */
export type Entry = { words: SharedWords; root: string; refused: string | null }

const problem = ({ refused }: Entry) => refused !== null && html`<p class="say bad" role="alert">${refused}</p>`

const password = (label: string, name: string, complete: string) =>
  html`<label class="field"
    >${label}<input type="password" name="${name}" required maxlength="200" autocomplete="${complete}"
  /></label>`

const code = ({ codeLabel }: SharedWords) =>
  html`<label class="field"
    >${codeLabel}<input
      name="code"
      required
      maxlength="40"
      autocomplete="one-time-code"
      autocapitalize="off"
      spellcheck="false"
      autofocus
  /></label>`

const token = (csrf: string) => html`<input type="hidden" name="csrf" value="${csrf}" />`

/** `place`: where the session before ended. `chosenBy`: who has just chosen a password. */
type Before = { place: { lostForm: boolean } | null; chosenBy: string | null; takesPasskeys: boolean }

export function loginForm(entry: Entry, { place, chosenBy, takesPasskeys }: Before): Html {
  const { words, root, refused } = entry
  return html`<h1>${words.logInTitle}</h1>
    ${place && html`<p class="say">${words.sessionExpired(place.lostForm)}</p>`}
    ${chosenBy !== null && refused === null && html`<p class="say">${words.passwordChosen}</p>`} ${problem(entry)}
    <form method="post" action="${root}/login">
      <label class="field"
        >${words.loginName}<input
          name="name"
          value="${chosenBy ?? ''}"
          required
          maxlength="254"
          autocomplete="username"
          autocapitalize="off"
          spellcheck="false"
          autofocus
      /></label>
      ${password(words.password, 'password', 'current-password')}
      <button class="button">${words.logIn}</button>
    </form>
    ${takesPasskeys && html`<p class="or"><a href="${root}/login/by-passkey">${words.logInByPasskey}</a></p>`}
    <p class="languages">
      <a lang="${words.otherCode}" hreflang="${words.otherCode}" href="${root}/login?lang=${words.otherCode}"
        >${words.otherLanguage}</a
      >
    </p>`
}

type Passkey = Parameters<typeof passkeyForm>[1]['options'] | null

/** Instead of what is above it. */
const orPasskey = (entry: Entry, options: Passkey, form: Omit<Parameters<typeof passkeyForm>[1], 'options'>) =>
  options &&
  html`<div class="or">
    <p class="hint">${entry.words.or}</p>
    ${passkeyForm(entry, { ...form, options, look: 'plain' })}
  </div>`

/** Without a password. */
export function passkeyLoginForm(entry: Entry, options: NonNullable<Passkey>): Html {
  const { words, root } = entry
  return html`<h1>${words.logInByPasskey}</h1>
    <p class="lead">${words.byPasskeyLead}</p>
    ${passkeyForm(entry, { path: '/login/by-passkey', options, fields: html``, label: words.usePasskey })}
    <p class="or"><a href="${root}/login">${words.logInByPassword}</a></p>`
}

/** `hasApp`: else the passkey comes first, and the code is a recovery code. */
export function codeForm(entry: Entry, csrf: string, passkey: Passkey, hasApp: boolean): Html {
  const { words, root } = entry
  if (passkey && !hasApp)
    return html`<h1>${words.codeTitle}</h1>
      <p class="lead">${words.passkeyLead}</p>
      ${problem(entry)}
      ${passkeyForm(entry, { path: '/login/passkey', options: passkey, fields: token(csrf), label: words.usePasskey })}
      <div class="or">
        <p class="hint">${words.orRecoveryCode}</p>
        <form method="post" action="${root}/login/code">
          ${token(csrf)} ${code(words)}<button class="button plain">${words.logIn}</button>
        </form>
      </div>`
  return html`<h1>${words.codeTitle}</h1>
    <p class="lead">${words.codeLead}</p>
    ${problem(entry)}
    <form method="post" action="${root}/login/code">
      ${token(csrf)} ${code(words)}<button class="button">${words.logIn}</button>
    </form>
    ${orPasskey(entry, passkey, { path: '/login/passkey', fields: token(csrf), label: words.usePasskey })}`
}

type Totp = { secret: string; uri: string }

export const passkeyName = ({ passkeyLabel }: SharedWords) =>
  html`<label class="field">${passkeyLabel}<input name="label" required maxlength="60" autocomplete="off" /></label>`

export function setUpForm(entry: Entry, csrf: string, { secret, uri }: Totp, passkey: Passkey): Html {
  const { words, root } = entry
  return html`<h1>${words.setUpTitle}</h1>
    <p class="lead">${words.setUpLead}</p>
    ${problem(entry)} ${qrCode(uri, words.setUpQr)} ${appKey(words, secret)}
    <form method="post" action="${root}/login/set-up">
      ${token(csrf)} ${code(words)}<button class="button">${words.confirm}</button>
    </form>
    ${orPasskey(entry, passkey, {
      path: '/login/set-up/passkey',
      fields: html`${token(csrf)} ${passkeyName(words)}`,
      label: words.addPasskey,
    })}`
}

export function codeList(words: SharedWords, codes: string[]): Html {
  return html`<ul class="codes">
      ${codes.map((one) => html`<li><code>${one}</code></li>`)}
    </ul>
    <p class="acts">${copyButton(words, codes.join('\n'))}</p>`
}

/** Of an app that cannot read the QR code. */
export const appKey = (words: SharedWords, secret: string) =>
  html`<p class="copied-value app-key">
    <code>${secret.match(/.{4}/g)?.join(' ')}</code> ${copyButton(words, secret)}
  </p>`

export function recoveryCodes({ words, root }: Entry, codes: string[]): Html {
  return html`<h1>${words.recoveryTitle}</h1>
    <p class="lead">${words.recoveryLead}</p>
    ${codeList(words, codes)}
    <p><a class="button" href="${root}">${words.recoveryKept}</a></p>`
}

type Proving = {
  /** Where the form is sent to again, with these fields. */
  path: string
  fields: URLSearchParams
  passkey: Passkey
  names: { password: string; passkey: string }
}

/** Before a decision, if the last proof is older than ten minutes. Has everything that was typed, so that nothing is lost. */
export function proveForm(entry: Entry, { path, fields, passkey, names }: Proving): Html {
  const { words, root } = entry
  const kept = html`${[...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`
  return html`<h1>${words.proveTitle}</h1>
    <p class="lead">${words.proveLead} ${path !== '/prove' && words.proveKeeps}</p>
    ${problem(entry)}
    <form method="post" action="${root}${path}">
      ${kept} ${password(words.password, names.password, 'current-password')}
      <button class="button">${words.confirm}</button>
    </form>
    ${orPasskey(entry, passkey, { path, fields: kept, name: names.passkey, label: words.usePasskey })}`
}

type Invited = { audience: Audience; name: string; token: string; needsCode: boolean }

export function invitationForm(entry: Entry, { audience, name, token, needsCode }: Invited): Html {
  const { words, root } = entry
  return html`<h1>${words.invitationTitle}</h1>
    <p class="lead">${words.invitationLead(name)}</p>
    ${problem(entry)}
    <form method="post" action="${root}/invitation">
      <input type="hidden" name="token" value="${token}" />
      <input type="hidden" name="username" value="${name}" autocomplete="username" />
      ${password(words.newPassword, 'password', 'new-password')}
      <p class="hint">${words.passwordHint}</p>
      ${needsCode && codeField(words, audience === 'operator' ? words.invitationCodeHint : words.invitationCodeHintUser)}
      <button class="button">${words.confirm}</button>
    </form>`
}

const codeField = (words: Entry['words'], hint: string) =>
  html`<label class="field"
      >${words.invitationCode}<input
        name="code"
        required
        maxlength="20"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
    /></label>
    <p class="hint">${hint}</p>`

export function goneInvitation({ words, root }: Omit<Entry, 'refused'>): Html {
  return html`<h1>${words.invitationGoneTitle}</h1>
    <p>${words.invitationGone}</p>
    <p><a class="button" href="${root}/login">${words.logIn}</a></p>`
}
