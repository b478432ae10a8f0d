import type { listKeys } from '../../../domain/merchants/index.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { copyButton } from '../../web/console/copy-button.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, cardTable, minute } from '../../web/console/parts.ts'
import type { ShownOnce } from '../../web/console/shown-once.ts'
import { shownOnce } from '../../web/console/shown-once.ts'
import type { Page, Viewer } from '../page.ts'
import { DEVELOPER_WORDS } from './words.ts'

type Keys = Awaited<ReturnType<typeof listKeys>>

/** Hours that the old secret may stay valid. */
export const OVERLAPS = [0, 1, 24, 72] as const

export function keysCard(viewer: Viewer, keys: Keys): Html {
  const words = DEVELOPER_WORDS[viewer.language]
  const live = keys.find(({ revokedAt }) => revokedAt === null)
  const [newest, ...older] = live?.secrets ?? []
  return html`<section class="card" aria-labelledby="keys">
    <h2 id="keys" class="first">${words.keys}</h2>
    ${
      live
        ? html`<p class="copied-value"><code>${live.apiKey}</code> ${copyButton(viewer.words, live.apiKey)}</p>
            ${secretsTable(viewer, live.secrets)}`
        : html`<p class="empty">${words.noKey}</p>`
    }
    <div class="acts">
      ${decisionForm(viewer, 'key.rotate', '/developer/keys/rotate', rotateFields(viewer, newest?.id ?? ''), words.rotate)}
      ${
        older.length > 0 &&
        decisionForm(viewer, 'key.revoke', '/developer/keys/revoke-old', html``, words.revokeOld, 'plain')
      }
    </div>
    <p class="hint">${words.rotateHint} ${words.rotateMoney}</p>
    ${live && revokeForm(viewer)}
  </section>`
}

function secretsTable({ language, now, words: shared }: Viewer, secrets: Keys[number]['secrets']): Html {
  const words = DEVELOPER_WORDS[language]
  return cardTable(
    words.keys,
    [words.secret, words.since, words.lastUsed, words.validUntil].map((label) => ({ label })),
    secrets.map(({ since, endsAt, lastUsedAt }, at) => ({
      href: null,
      cells: [
        at === 0
          ? html`<span class="state good">${words.current}</span>`
          : html`<span class="state busy">${words.old}</span>`,
        minute(since),
        lastUsedAt ? html`${minute(lastUsedAt)} · ${age(lastUsedAt, now, shared.age)}` : html`${words.neverUsed}`,
        endsAt ? minute(endsAt) : html`<span class="mild">${words.noEnd}</span>`,
      ],
    })),
  )
}

function rotateFields({ language }: Viewer, newest: string): Html {
  const words = DEVELOPER_WORDS[language]
  return html`<input type="hidden" name="newest" value="${newest}" />
    <label class="field"
      >${words.overlap}
      <select name="overlap">
        ${OVERLAPS.map((hours) => html`<option value="${hours}" ${hours === 24 && html`selected`}>${words.hours(hours)}</option>`)}
      </select>
    </label>`
}

/** Closed until it is needed. The box makes one think before every call stops. */
function revokeForm(viewer: Viewer): Html {
  const words = DEVELOPER_WORDS[viewer.language]
  const sure = html`<label class="check"
    ><input type="checkbox" name="sure" value="yes" required />${words.sure}</label
  >`
  return html`<details class="danger-zone">
    <summary>${words.revoke}</summary>
    <p class="hint">${words.revokeHint}</p>
    <div class="acts">
      ${decisionForm(viewer, 'key.revoke', '/developer/keys/revoke', sure, words.revoke, 'danger')}
    </div>
  </details>`
}

/** The only page that shows a secret: the answer to the form that made it. */
export function secretPage(viewer: Viewer, values: ShownOnce['values']): Page {
  const { secretTitle: title, secretOnce: lead, back: label } = DEVELOPER_WORDS[viewer.language]
  return { ...shownOnce(viewer, { href: '/developer', label }, { title, lead, values }), section: 'developer' }
}
