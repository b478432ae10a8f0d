import type { EndpointHealth, EventWithDeliveries } from '../../../domain/webhooks/index.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, second } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Page, Viewer } from '../page.ts'
import { deliveryText } from './deliveries.ts'

export const EVENTS_PER_PAGE = 50
const STATES = ['waiting', 'given_up'] as const

type Filter = { state: (typeof STATES)[number] | undefined; before: string | undefined }

/** What an address asks for; `before` is a position in the merchant's stream. */
export function callbacksFrom(query: Record<string, unknown>): Filter {
  const { before } = query
  return {
    state: STATES.find((one) => one === query['state']),
    before: typeof before === 'string' && /^[0-9]{1,18}$/.test(before) ? before : undefined,
  }
}

export function callbacksPage(
  viewer: Viewer,
  { state }: Filter,
  events: EventWithDeliveries[],
  endpoints: EndpointHealth[],
): Page {
  const { words, root } = viewer
  const shown = events.slice(0, EVENTS_PER_PAGE)
  const last = events.length > EVENTS_PER_PAGE ? shown.at(-1)?.position : undefined
  const next = new URLSearchParams({ ...(state && { state }), before: last ?? '' }).toString()
  const main = html`<h1>${words.callbacks}</h1>
    <p class="lead">${words.callbacksLead}</p>
    <form class="filters" action="${root}/callbacks">
      <label class="field"
        >${words.delivery}
        <select name="state">
          ${option('', words.anyDelivery, state === undefined)}
          ${STATES.map((one) => option(one, words[one], one === state))}
        </select>
      </label>
      <button class="button small">${words.show}</button>
    </form>
    ${shown.length === 0 ? html`<p class="empty">${words.noEvents}</p>` : html`<div class="cards">${shown.map((event) => card(viewer, event, endpoints))}</div>`}
    ${last !== undefined && html`<p class="more"><a href="?${next}">${words.older}</a></p>`}`
  return { title: words.callbacks, section: 'callbacks', main }
}

function card(viewer: Viewer, event: EventWithDeliveries, endpoints: EndpointHealth[]): Html {
  const { words, now } = viewer
  const { id, type, createdAt } = event
  return html`<article class="card" data-item="${id}">
    <div class="head">
      <b>${type}</b>
      <span class="mild">${second(createdAt)} · ${age(createdAt, now, words.age)}</span>
    </div>
    <dl class="facts">
      <dt>${words.delivery}</dt>
      <dd>${deliveryText(viewer, event, endpoints)}</dd>
      <dt>${words.transaction}</dt>
      <dd>${transactionLink(viewer, event)}</dd>
    </dl>
    <div class="acts">
      ${decisionForm(viewer, 'event.resend', `/callbacks/${id}/resend`, html``, words.resend, 'plain')}
    </div>
  </article>`
}

/** A test event has no transaction. */
function transactionLink({ words, root }: Viewer, { id, transactionId }: EventWithDeliveries): Html {
  if (id === transactionId) return html`<span class="mild">${words.testEvent}</span>`
  return html`<a class="id" href="${root}/transactions/${transactionId}">${transactionId}</a>`
}
