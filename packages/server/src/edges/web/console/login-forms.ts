import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { qrCode } from './qr-code.ts'
import type { SharedWords } from './words-tr.ts'

/** `refused`: why the last try failed. */
type Entry = { words: SharedWords; root: string; refused: string | null }

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

export function loginForm(entry: Entry): Html {
  const { words, root } = entry
  return html`<h1>${words.logInTitle}</h1>
    ${problem(entry)}
    <form method="post" action="${root}/login">
      <label class="field"
        >${words.loginName}<input
          name="name"
          required
          maxlength="254"
          autocomplete="username"
          autocapitalize="off"
          spellcheck="false"
          autofocus
      /></label>
      ${password(words.password, 'password', 'current-password')}
      <button class="button">${words.logIn}</button>
    </form>`
}

export function codeForm(entry: Entry, csrf: string): Html {
  const { words, root } = entry
  return html`<h1>${words.codeTitle}</h1>
    <p class="lead">${words.codeLead}</p>
    ${problem(entry)}
    <form method="post" action="${root}/login/code">
      ${token(csrf)} ${code(words)}<button class="button">${words.logIn}</button>
    </form>`
}

export function setUpForm(entry: Entry, csrf: string, { secret, uri }: { secret: string; uri: string }): Html {
  const { words, root } = entry
  return html`<h1>${words.setUpTitle}</h1>
    <p class="lead">${words.setUpLead}</p>
    ${problem(entry)} ${qrCode(uri, words.setUpQr)}
    <p class="id">${secret.match(/.{4}/g)?.join(' ')}</p>
    <form method="post" action="${root}/login/set-up">
      ${token(csrf)} ${code(words)}<button class="button">${words.confirm}</button>
    </form>`
}

export function recoveryCodes({ words, root }: Entry, codes: string[]): Html {
  return html`<h1>${words.recoveryTitle}</h1>
    <p class="lead">${words.recoveryLead}</p>
    <ul class="codes">
      ${codes.map((one) => html`<li class="id">${one}</li>`)}
    </ul>
    <p><a class="button" href="${root}">${words.home}</a></p>`
}

/** Before a decision about money, if the last proof is older than ten minutes. */
export function proveForm(entry: Entry, csrf: string, back: string): Html {
  const { words, root } = entry
  return html`<h1>${words.proveTitle}</h1>
    <p class="lead">${words.proveLead}</p>
    ${problem(entry)}
    <form method="post" action="${root}/prove">
      ${token(csrf)}<input type="hidden" name="back" value="${back}" />
      ${password(words.password, 'password', 'current-password')}
      <button class="button">${words.confirm}</button>
    </form>`
}

export function invitationForm(entry: Entry, name: string, invitation: string): Html {
  const { words, root } = entry
  return html`<h1>${words.invitationTitle}</h1>
    <p class="lead">${words.invitationLead(name)}</p>
    ${problem(entry)}
    <form method="post" action="${root}/invitation">
      <input type="hidden" name="token" value="${invitation}" />
      <input type="hidden" name="username" value="${name}" autocomplete="username" />
      ${password(words.newPassword, 'password', 'new-password')}
      <p class="hint">${words.passwordHint}</p>
      <button class="button">${words.confirm}</button>
    </form>`
}
