import type { listFactors, listSessions, Session } from '../../../../domain/identity/index.ts'
import type { Html } from '../../html.ts'
import { html, plainName } from '../../html.ts'
import { ownForm } from '../decision-form.ts'
import { deviceName } from '../logins/device-name.ts'
import { age, minute } from '../parts.ts'
import type { Page, Viewer as AnyViewer } from '../routes.ts'
import type { SharedWords } from '../words-tr.ts'
import { OWN_WORDS } from './words.ts'

export type Viewer = AnyViewer<SharedWords>

type Facts = {
  me: Session
  factors: Awaited<ReturnType<typeof listFactors>>
  sessions: Awaited<ReturnType<typeof listSessions>>
  /** Whether the address of this service can have passkeys. */
  takesPasskeys: boolean
}

/** A person's own login: what no role is needed for. */
export function ownPage(viewer: Viewer, facts: Facts): Page {
  const words = OWN_WORDS[viewer.language]
  const card = (id: string, title: string, content: Html) =>
    html`<section class="card" aria-labelledby="${id}">
      <h2 id="${id}" class="first">${title}</h2>
      ${content}
    </section>`
  const main = html`<h1>${viewer.words.own}</h1>
    <p class="lead">${plainName(viewer.name)} · ${words.lead}</p>
    <div class="cards">
      ${card('passkeys', words.passkeys, passkeys(viewer, facts))} ${card('app', words.app, appAndCodes(viewer, facts))}
      ${card('password', words.password, password(viewer, facts))}
      ${card('sessions', words.sessions, sessionsList(viewer, facts))}
    </div>`
  return { title: viewer.words.own, section: 'own', main }
}

function passkeys(viewer: Viewer, { factors, takesPasskeys }: Facts): Html {
  const words = OWN_WORDS[viewer.language]
  const known = factors.passkeys
  const isLast = known.length === 1 && !factors.totp
  return html`<p class="hint">${words.passkeysLead}</p>
    ${
      known.length === 0
        ? html`<p>${words.noPasskeys}</p>`
        : html`<ul class="plain-list">
            ${known.map((one) => passkeyItem(viewer, one, isLast))}
          </ul>`
    }
    ${isLast && html`<p class="hint">${words.lastStays}</p>`}
    ${
      takesPasskeys
        ? html`<div class="acts">${ownForm(viewer, '/own/passkeys/new', html``, viewer.words.addPasskey)}</div>`
        : html`<p class="hint">${words.noHost}</p>`
    }`
}

function passkeyItem(viewer: Viewer, one: Facts['factors']['passkeys'][number], isLast: boolean): Html {
  const words = OWN_WORDS[viewer.language]
  const { id, label, createdAt, lastUsedAt } = one
  const which = html`<input type="hidden" name="id" value="${id}" />`
  const name = html`${which}<input
      name="label"
      required
      maxlength="60"
      autocomplete="off"
      value="${label}"
      aria-label="${words.newName(plainName(label))}"
    />`
  const used = lastUsedAt
    ? html`${minute(lastUsedAt)} (${age(lastUsedAt, viewer.now, viewer.words.age)})`
    : html`${words.never}`
  return html`<li>
    <div>
      <b>${plainName(label)}</b>
      <p class="hint">${words.added} ${minute(createdAt)} · ${words.lastUsed}: ${used}</p>
    </div>
    <div class="inline">
      ${ownForm(viewer, '/own/passkeys/rename', name, words.rename, 'plain')}
      ${!isLast && ownForm(viewer, '/own/passkeys/remove', which, words.remove, 'danger')}
    </div>
  </li>`
}

function appAndCodes(viewer: Viewer, { factors, me }: Facts): Html {
  const words = OWN_WORDS[viewer.language]
  return html`<p class="hint">${factors.totp ? words.appOn : words.appOff}</p>
    ${ownForm(viewer, '/own/app', html``, factors.totp ? words.setUpAgain : words.setUp, 'plain')}
    <h3>${words.codes}</h3>
    <p class="hint">${me.hasSecondFactor ? words.codesLeft(factors.recoveryCodes) : words.noCodes}</p>
    ${me.hasSecondFactor && ownForm(viewer, '/own/codes', html``, words.newCodes, 'plain')}`
}

function password(viewer: Viewer, { factors }: Facts): Html {
  const words = OWN_WORDS[viewer.language]
  const field = (name: string, label: string, complete: string) =>
    html`<label class="field"
      >${label} <input type="password" name="${name}" required maxlength="200" autocomplete="${complete}"
    /></label>`
  const fields = html`<div class="fields">
    ${field('current', words.currentPassword, 'current-password')}
    ${field('next', viewer.words.newPassword, 'new-password')}
  </div>`
  return html`${ownForm(viewer, '/own/password', fields, words.changePassword, 'plain')}
    <p class="hint spaced">${viewer.words.passwordHint} ${words.otherSessions}</p>
    ${
      factors.passkeys.length > 0 &&
      html`<p class="hint">${words.passkeysStay} <a href="#passkeys">${words.passkeys}</a></p>`
    }`
}

function sessionsList(viewer: Viewer, { sessions, me }: Facts): Html {
  const words = OWN_WORDS[viewer.language]
  return html`<ul class="plain-list">
    ${sessions.map(
      ({ id, userAgent, address, lastUsedAt }) =>
        html`<li>
          <div>
            ${plainName(deviceName(userAgent ?? '')) || words.unknown}
            <p class="hint">
              ${address ?? '–'} · ${minute(lastUsedAt)} (${age(lastUsedAt, viewer.now, viewer.words.age)})
            </p>
          </div>
          ${
            id === me.id
              ? html`<span class="state good">${words.current}</span>`
              : ownForm(viewer, `/own/sessions/${id}/end`, html``, words.end, 'plain')
          }
        </li>`,
    )}
  </ul>`
}
