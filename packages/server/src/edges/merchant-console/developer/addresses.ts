import type { rejectedAddresses } from '../../../domain/merchants/index.ts'
import { inNetworks, parseAddress, parseNetwork } from '../../../platform/http/ip.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, cardTable, minute } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { DEVELOPER_WORDS } from './words.ts'

type Rejected = Awaited<ReturnType<typeof rejectedAddresses>>

export function addressesCard(viewer: Viewer, networks: string[], rejected: Rejected): Html {
  const words = DEVELOPER_WORDS[viewer.language]
  const field = html`<label class="field"
    >${words.ipAddress}
    <input
      name="network"
      required
      maxlength="60"
      placeholder="${words.addressExample}"
      autocapitalize="off"
      spellcheck="false"
  /></label>`
  return html`<section class="card" aria-labelledby="addresses">
    <h2 id="addresses" class="first">${words.addresses}</h2>
    <p class="hint">${words.addressesHint}</p>
    ${networks.length === 0 ? html`<p class="empty">${words.noAddresses}</p>` : networkList(viewer, networks)}
    <div class="acts">
      ${decisionForm(viewer, 'merchant.networks', '/developer/addresses/allow', field, words.addAddress)}
    </div>
    <p class="hint">${words.twoPeople}</p>
    <h2>${words.rejected}</h2>
    <p class="hint">${words.rejectedHint}</p>
    ${rejected.length === 0 ? html`<p class="empty">${words.noRejected}</p>` : rejectedTable(viewer, networks, rejected)}
  </section>`
}

const given = (network: string) => html`<input type="hidden" name="network" value="${network}" />`

function networkList(viewer: Viewer, networks: string[]): Html {
  const words = DEVELOPER_WORDS[viewer.language]
  return html`<ul class="plain-list">
    ${networks.map(
      (network) =>
        html`<li>
          <code>${network}</code>
          ${decisionForm(viewer, 'merchant.networks', '/developer/addresses/remove', given(network), words.remove, 'plain')}
        </li>`,
    )}
  </ul>`
}

function rejectedTable(viewer: Viewer, networks: string[], rejected: Rejected): Html {
  const { now, words: shared } = viewer
  const words = DEVELOPER_WORDS[viewer.language]
  const allowed = networks.flatMap((network) => parseNetwork(network) ?? [])
  return cardTable(
    words.rejected,
    [{ label: words.ipAddress }, { label: words.times, isMoney: true }, { label: words.lastSeen }, { label: '' }],
    rejected.map(({ address, times, lastAt }) => {
      const parsed = parseAddress(address)
      const isAllowed = parsed !== null && inNetworks(parsed, allowed)
      const form = () =>
        decisionForm(viewer, 'merchant.networks', '/developer/addresses/allow', given(address), words.allow, 'plain')
      return {
        href: null,
        cells: [
          html`<code>${address}</code>`,
          html`${times}`,
          html`${minute(lastAt)} · ${age(lastAt, now, shared.age)}`,
          isAllowed ? html`<span class="state good">${words.isAllowed}</span>` : form(),
        ],
      }
    }),
  )
}
