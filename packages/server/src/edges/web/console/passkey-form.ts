import type {
  passkeyProof,
  passkeyRegistration,
  registerPasskey,
  stepUpWithPasskey,
} from '../../../domain/identity/index.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { linksAt } from './files.ts'
import type { SharedWords } from './words-tr.ts'

type Options = Awaited<ReturnType<typeof passkeyRegistration>> | Awaited<ReturnType<typeof passkeyProof>>

type PasskeyForm = { path: string; options: Options; fields: Html; label: string; name?: string; look?: string }

/** A form that the script fills with the response of the device. `name`: of the field that has it. */
export function passkeyForm(
  { words, root }: { words: SharedWords; root: string },
  { path, options, fields, label, name = 'passkey', look = '' }: PasskeyForm,
): Html {
  const kind = 'user' in options ? 'create' : 'get'
  return html`<form
      class="passkey"
      method="post"
      action="${root}${path}"
      data-passkey="${kind}"
      data-options="${JSON.stringify(options)}"
      hidden
    >
      ${fields}<input type="hidden" name="${name}" data-response />
      <button class="button ${look}">${label}</button>
      <p class="say bad" role="alert" data-failed hidden>${words.passkeyFailed}</p>
      <p class="hint" data-unsupported hidden>${words.passkeyUnsupported}</p>
    </form>
    <p class="hint" data-without-script>${words.passkeyNoScript}</p>
    <script src="${linksAt(root).passkey}" defer></script>`
}

type Sent = Parameters<typeof stepUpWithPasskey>[2] & Parameters<typeof registerPasskey>[2]['response']

/** What a form sent, for the domain to verify: it may be anything. */
export function readPasskey(text: string | null): Sent {
  try {
    const read: unknown = JSON.parse(text ?? '')
    return (typeof read === 'object' && read !== null ? read : {}) as Sent
  } catch {
    return {} as Sent
  }
}
