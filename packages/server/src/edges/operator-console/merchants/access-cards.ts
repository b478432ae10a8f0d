import type { InvitedUser } from '../../../domain/identity/index.ts'
import type { EndpointHealth } from '../../../domain/webhooks/index.ts'
import { MERCHANT_ROLES } from '../../../domain/people/index.ts'
import { inNetworks, parseAddress, parseNetwork } from '../../../platform/http/ip.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { worded } from '../../web/console/codes/codes.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { invitedUsers } from '../../web/console/logins/invited-users.ts'
import { age, minute } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Viewer } from '../page.ts'
import { longField, settingForm, textField, whyField } from '../setting-form.ts'
import type { MerchantFacts } from './facts.ts'
import { WORDS } from './words.ts'

/** The newest say what is wrong. */
const REJECTED_SHOWN = 5

/** Who may call, from where, and who is called. */
export function keyCard(viewer: Viewer, { merchant, version }: MerchantFacts): Html {
  const words = WORDS[viewer.language]
  const path = `/merchants/${merchant.id}`
  const live = merchant.keys.filter(({ revokedAt }) => revokedAt === null)
  const seen = html`<input type="hidden" name="seen" value="${version}" />`
  const overlap = textField(words.overlap, 'hours', '24', html`inputmode="numeric" required`)
  const fields = live.length > 0 ? html`${seen}${overlap}` : seen
  return html`<section class="card" aria-labelledby="keys">
    <h2 id="keys">${words.keys}</h2>
    ${live.length === 0 && html`<p>${words.noKey}</p>`}
    <ul class="rows">
      ${merchant.keys.map(
        ({ apiKey, revokedAt, liveSecrets }) =>
          html`<li>
            <code class="id">${apiKey}</code>
            <span class="state ${revokedAt ? '' : 'good'}">${revokedAt ? words.revoked : words.live}</span>
            ${!revokedAt && html`<span class="mild">${words.secrets(liveSecrets)}</span>`}
          </li>`,
      )}
    </ul>
    <details>
      <summary>${live.length > 0 ? words.rotate : words.issue}</summary>
      ${settingForm(viewer, { action: 'key.rotate', path: `${path}/rotate-key`, label: live.length > 0 ? words.rotate : words.issue, fields })}
    </details>
    ${
      live.length > 0 &&
      html`<details>
        <summary>${words.revoke}</summary>
        <p class="hint">${words.revokeHint}</p>
        <div class="acts">
          ${live.some(({ liveSecrets }) => liveSecrets > 1) && decisionForm(viewer, 'key.revoke', `${path}/revoke-old-secret`, seen, words.revokeOld, 'plain')}
          ${decisionForm(viewer, 'key.revoke', `${path}/revoke-key`, seen, words.revoke, 'danger')}
        </div>
      </details>`
    }
  </section>`
}

export function networkCard(viewer: Viewer, facts: MerchantFacts): Html {
  const { id, networks } = facts.merchant
  const words = WORDS[viewer.language]
  const fields = html`<label class="field all">${words.add}<textarea name="add" rows="2"></textarea></label> ${
      networks.length > 0 &&
      html`<fieldset class="checks all">
        <legend class="hint">${words.remove}</legend>
        ${networks.map(
          (one) =>
            html`<label><input type="checkbox" name="remove" value="${one}" /><span class="id">${one}</span></label>`,
        )}
      </fieldset>`
    }
    ${whyField(words.why)}`
  return html`<section class="card" aria-labelledby="networks">
    <h2 id="networks">${words.networks}</h2>
    ${
      networks.length === 0
        ? html`<p class="mild">${words.noNetworks}</p>`
        : html`<ul class="marks">
            ${networks.map((one) => html`<li class="id">${one}</li>`)}
          </ul>`
    }
    <details>
      <summary>${words.networksChange}</summary>
      ${settingForm(viewer, { action: 'merchant.networks', path: `/merchants/${id}/networks`, label: words.propose, fields })}
    </details>
    ${rejectedList(viewer, facts)}
  </section>`
}

/** Signed calls that were refused for their address, with a form that proposes to allow it. */
function rejectedList(viewer: Viewer, { merchant: { id, networks }, rejected, changes }: MerchantFacts): Html {
  const words = WORDS[viewer.language]
  const allowed = networks.flatMap((network) => parseNetwork(network) ?? [])
  const open = changes.filter(({ kind, state }) => kind === 'merchant.networks' && state === 'open')
  const shown = rejected.filter(({ address }) => {
    const parsed = parseAddress(address)
    return parsed !== null && !inNetworks(parsed, allowed)
  })
  if (shown.length === 0) return html``
  const form = (address: string) =>
    html`<details>
      <summary>${words.allowRejected}</summary>
      ${settingForm(viewer, { action: 'merchant.networks', path: `/merchants/${id}/networks`, label: words.propose, fields: html`<input type="hidden" name="add" value="${address}" />${whyField(words.why)}` })}
    </details>`
  return html`<h3>${words.rejected}</h3>
    <ul class="rows">
      ${shown.slice(0, REJECTED_SHOWN).map(
        ({ address, times, lastAt }) =>
          html`<li>
            <span
              ><span class="id">${address}</span>
              <span class="mild">${minute(lastAt)} · ${words.times(times)}</span></span
            >
            ${open.length > 0 ? html`<span class="state busy">${words.networksProposed}</span>` : form(address)}
          </li>`,
      )}
    </ul>`
}

export function endpointCard(viewer: Viewer, { merchant: { id }, endpoints }: MerchantFacts): Html {
  const words = WORDS[viewer.language]
  const url = longField(words.url, 'url', html`type="url" required`)
  const which = html`<label class="field all"
    >${words.endpoint}<select name="endpoint">
      ${endpoints.map((one) => option(one.id, plainName(one.url ?? one.id), false))}
    </select></label
  >`
  return html`<section class="card" aria-labelledby="endpoints">
    <h2 id="endpoints">${words.endpoints}</h2>
    <ul class="rows">
      ${endpoints.map(
        (one) =>
          html`<li>
            <span class="id">${plainName(one.url ?? words.noUrl)}</span> <span>${health(viewer, one)}</span>
          </li>`,
      )}
    </ul>
    ${
      endpoints.length > 0 &&
      html`<details>
        <summary>${words.endpointChange}</summary>
        ${settingForm(viewer, { action: 'endpoint.change', path: `/merchants/${id}/endpoint-address`, label: words.propose, fields: html`${which}${url}${whyField(words.why)}` })}
      </details>`
    }
    <details>
      <summary>${words.endpointAdd}</summary>
      ${settingForm(viewer, { action: 'endpoint.add', path: `/merchants/${id}/endpoints`, label: words.propose, fields: html`${url}${whyField(words.why)}` })}
    </details>
  </section>`
}

function health(
  { language, now, words: { age: units } }: Viewer,
  { state, waiting, failingSince, url }: EndpointHealth,
): Html {
  const words = WORDS[language]
  if (url === null) return html``
  const badge =
    state !== 'enabled'
      ? html`<span class="state busy">${words.disabled}</span>`
      : failingSince
        ? html`<span class="state bad">${words.failingSince(age(failingSince, now, units))}</span>`
        : html`<span class="state good">${words.healthy}</span>`
  return html`${badge}${waiting > 0 && html` <span class="mild">${words.waitingEvents(waiting)}</span>`}`
}

export function userCard(viewer: Viewer, { merchant: { id }, users, invited }: MerchantFacts): Html {
  const words = WORDS[viewer.language]
  const { codes } = viewer.words
  const role = html`<label class="field"
    >${words.role}<select name="role">
      ${MERCHANT_ROLES.map((one) => option(one, codes.roles[one], false))}
    </select></label
  >`
  const fields = html`${longField(words.email, 'email', html`type="email" required`)}${role}`
  const ask = ({ name }: InvitedUser) => ({
    path: `/merchants/${id}/code`,
    fields: html`<input type="hidden" name="email" value="${name}" />`,
  })
  return html`<section class="card" aria-labelledby="users">
    <h2 id="users">${words.users}</h2>
    ${users.length === 0 && html`<p class="mild">${words.noUsers}</p>`}
    <ul class="rows">
      ${users.map(
        ({ id: login, name, roles }) =>
          html`<li>
            <span
              ><span class="id">${plainName(name)}</span>
              <span class="mild">${roles.map((one) => worded(codes.roles, one)).join(', ')}</span></span
            >
            ${decisionForm(viewer, 'login.disable', `/merchants/${id}/disable-user`, html`<input type="hidden" name="login" value="${login}" />`, words.disable, 'plain')}
          </li>`,
      )}
    </ul>
    ${invitedUsers(viewer, { invited, staffName: ({ invitedBy }) => invitedBy, ask })}
    <details>
      <summary>${words.invite}</summary>
      ${settingForm(viewer, { action: 'merchant.invite', path: `/merchants/${id}/invite`, label: words.invite, fields })}
    </details>
  </section>`
}
