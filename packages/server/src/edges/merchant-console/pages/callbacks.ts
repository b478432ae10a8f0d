import type { EndpointHealth, EventWithDeliveries } from '../../../domain/webhooks/index.ts'
import { html } from '../../web/html.ts'
import type { EventsWanted } from '../../web/console/callbacks/event-list.ts'
import { eventList } from '../../web/console/callbacks/event-list.ts'
import type { Page, Viewer } from '../page.ts'

export function callbacksPage(
  viewer: Viewer,
  wanted: EventsWanted,
  events: EventWithDeliveries[],
  endpoints: EndpointHealth[],
): Page {
  const { words } = viewer
  const place = {
    path: '/callbacks',
    titleOf: ({ type }: EventWithDeliveries) => html`${type}`,
    resendPath: ({ id }: EventWithDeliveries) => `/callbacks/${id}/resend`,
  }
  const main = html`<h1>${words.callbacks}</h1>
    <p class="lead">${words.callbacksLead}</p>
    ${eventList(viewer, place, wanted, events, endpoints)}`
  return { title: words.callbacks, section: 'callbacks', main }
}
