import type { EndpointHealth, EventWithDeliveries } from '../../../../domain/webhooks/index.ts'
import type { Html } from '../../html.ts'
import { html } from '../../html.ts'
import { decisionForm } from '../decision-form.ts'
import { age, second } from '../parts.ts'
import type { Viewer as AnyViewer } from '../routes.ts'
import { option } from '../transaction-list.ts'
import type { SharedWords } from '../words-tr.ts'
import { deliveryText } from './deliveries.ts'
import { CALLBACK_WORDS } from './words.ts'

type Viewer = AnyViewer<SharedWords>

export const EVENTS_PER_PAGE = 50
const STATES = ['waiting', 'given_up'] as const

export type EventsWanted = { state: (typeof STATES)[number] | undefined; before: string | undefined }

/** What an address asks for; `before` is a position in the merchant's stream. */
export function eventsFrom(query: Record<string, unknown>): EventsWanted {
  const { before } = query
  return {
    state: STATES.find((one) => one === query['state']),
    before: typeof before === 'string' && /^[0-9]{1,18}$/.test(before) ? before : undefined,
  }
}

/** `path`: of this list. `titleOf`: what an event is called, perhaps a link. `resendPath`: where it is sent again. */
type Place = {
  path: string
  titleOf: (event: EventWithDeliveries) => Html
  resendPath: (event: EventWithDeliveries) => string
}

/** A merchant's events with a filter, newest first, of which there is one too many if others follow. */
export function eventList(
  viewer: Viewer,
  place: Place,
  { state }: EventsWanted,
  events: EventWithDeliveries[],
  endpoints: EndpointHealth[],
): Html {
  const { words: shared, root, language } = viewer
  const words = CALLBACK_WORDS[language]
  const shown = events.slice(0, EVENTS_PER_PAGE)
  const last = events.length > EVENTS_PER_PAGE ? shown.at(-1)?.position : undefined
  const next = new URLSearchParams({ ...(state && { state }), before: last ?? '' }).toString()
  return html`<form class="filters" action="${root}${place.path}">
      <label class="field"
        >${words.delivery}
        <select name="state">
          ${option('', words.anyDelivery, state === undefined)}
          ${STATES.map((one) => option(one, shared[one], one === state))}
        </select>
      </label>
      <button class="button small">${shared.show}</button>
    </form>
    ${
      shown.length === 0
        ? html`<p class="empty">${words.noEvents}</p>`
        : html`<div class="cards">${shown.map((event) => card(viewer, place, event, endpoints))}</div>`
    }
    ${last !== undefined && html`<p class="more"><a href="?${next}">${shared.older}</a></p>`}`
}

function card(viewer: Viewer, place: Place, event: EventWithDeliveries, endpoints: EndpointHealth[]): Html {
  const { words: shared, now } = viewer
  const words = CALLBACK_WORDS[viewer.language]
  const { id, createdAt } = event
  return html`<article class="card" data-item="${id}">
    <div class="head">
      <b>${place.titleOf(event)}</b>
      <span class="mild">${second(createdAt)} · ${age(createdAt, now, shared.age)}</span>
    </div>
    <dl class="facts">
      <dt>${words.delivery}</dt>
      <dd>${deliveryText(viewer, event, endpoints)}</dd>
      <dt>${words.transaction}</dt>
      <dd>${transactionLink(viewer, event)}</dd>
    </dl>
    <div class="acts">
      ${decisionForm(viewer, 'event.resend', place.resendPath(event), html``, words.resend, 'plain')}
    </div>
  </article>`
}

/** A test event has no transaction. */
export function transactionLink(
  { root, language }: Viewer,
  { id, transactionId }: Pick<EventWithDeliveries, 'id' | 'transactionId'>,
): Html {
  if (id === transactionId) return html`<span class="mild">${CALLBACK_WORDS[language].testEvent}</span>`
  return html`<a class="id" href="${root}/transactions/${transactionId}">${transactionId}</a>`
}
