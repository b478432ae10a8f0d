import { callbackNetworks, listMerchants } from '../../../domain/merchants/index.ts'
import type { EventWithDeliveries } from '../../../domain/webhooks/index.ts'
import {
  disableEndpoint,
  enableEndpoint,
  findEvent,
  listEndpoints,
  listEvents,
  recordTestEvent,
  resendEvent,
  selectHealth,
} from '../../../domain/webhooks/index.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { html, plainName } from '../../web/html.ts'
import { eventList, EVENTS_PER_PAGE, eventsFrom } from '../../web/console/callbacks/event-list.ts'
import { CALLBACK_WORDS } from '../../web/console/callbacks/words.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { ask } from '../proposals/routes.ts'
import { merchantNames } from '../names.ts'
import { listOf } from '../setting-form.ts'
import { eventPage } from './event-page.ts'
import { healthFrom, healthPage } from './health-page.ts'
import { networksCard } from './networks-card.ts'
import { WORDS } from './words.ts'

const HEALTH = '/callbacks'
/** In these paths `id` is the merchant's. */
const MERCHANT = '/callbacks/:id'
const EVENT = '/callbacks/:id/events/:event'
const ENDPOINT = '/callbacks/:id/endpoints/:endpoint'
const outcomes = (language: 'tr' | 'en') => ({ ...WORDS[language].said, resent: CALLBACK_WORDS[language].resent })

export const CALLBACKS: Section = {
  views: [
    { path: HEALTH, show: health },
    { path: MERCHANT, show: events },
    { path: EVENT, show: event },
  ],
  forms: [
    { path: `${MERCHANT}/networks`, action: 'endpoint.networks', back: MERCHANT, decide: networks },
    { path: `${EVENT}/resend`, action: 'event.resend', back: EVENT, decide: resend },
    { path: `${ENDPOINT}/enable`, action: 'endpoint.switch', back: HEALTH, decide: enable },
    { path: `${ENDPOINT}/disable`, action: 'endpoint.switch', back: HEALTH, decide: disable },
    { path: `${ENDPOINT}/test`, action: 'endpoint.test', back: HEALTH, decide: test },
  ],
  said: { tr: outcomes('tr'), en: outcomes('en') },
}

async function health(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const wanted = healthFrom(query)
  const found = await selectHealth(app.db.pages, wanted)
  return { page: healthPage(viewer, wanted, found, await merchantNames(app)) }
}

async function networks(app: OperatorDeps, asked: Asked): Promise<string> {
  const { fields, id: merchantId } = asked
  const change = { add: listOf(fields, 'add'), remove: fields.getAll('remove') }
  return ask(app, asked, 'endpoint.networks', { merchantId, ...change })
}

async function mustFindMerchant(app: OperatorDeps, id: string): Promise<string> {
  const merchant = (await listMerchants(app.db.pages)).find((one) => one.id === id)
  if (!merchant) throw new Refusal('NOT_FOUND', `There is no merchant ${id}.`)
  return merchant.name
}

async function events(app: OperatorDeps, { viewer, query, id }: Asked): Promise<Shown> {
  const { pages } = app.db
  const { root, language } = viewer
  const words = WORDS[language]
  const merchant = await mustFindMerchant(app, id)
  const wanted = eventsFrom(query)
  const found = await listEvents(pages, id, { ...wanted, limit: EVENTS_PER_PAGE + 1 })
  const place = {
    path: `/callbacks/${id}`,
    titleOf: (one: EventWithDeliveries) => html`<a href="${root}/callbacks/${id}/events/${one.id}">${one.type}</a>`,
    resendPath: (one: EventWithDeliveries) => `/callbacks/${id}/events/${one.id}/resend`,
  }
  const title = words.eventsOf(plainName(merchant))
  const main = html`<h1>${title}</h1>
    <p class="lead">
      ${words.eventsLead} <a href="${root}/merchants/${id}">${viewer.words.merchant}</a> ·
      <a href="${root}/callbacks">${words.toHealth}</a>
    </p>
    ${eventList(viewer, place, wanted, found, await listEndpoints(pages, id))}
    ${networksCard(viewer, id, await callbackNetworks({ db: pages, marks: app.marks }, id))}`
  return { page: { title, section: 'callbacks', main } }
}

async function event(app: OperatorDeps, { viewer, id, params }: Asked): Promise<Shown> {
  const { pages } = app.db
  const merchant = await mustFindMerchant(app, id)
  const found = await findEvent(pages, id, params['event'] ?? '')
  if (!found) throw new Refusal('NOT_FOUND', `There is no event ${params['event']}.`)
  const endpoints = await listEndpoints(pages, id)
  return { page: eventPage(viewer, { merchantId: id, merchant, event: found, endpoints }) }
}

async function resend(app: OperatorDeps, { actor, id, params }: Asked): Promise<string | null> {
  const eventId = params['event'] ?? ''
  if (!(await findEvent(app.db, id, eventId))) return null
  await resendEvent(app, actor, id, eventId)
  return 'resent'
}

async function enable(app: OperatorDeps, { actor, id, params }: Asked): Promise<string> {
  await enableEndpoint(app, actor, id, params['endpoint'] ?? '')
  return 'endpoint_enabled'
}

async function disable(app: OperatorDeps, { actor, id, params, fields }: Asked): Promise<string> {
  const why = fields.get('why') ?? ''
  mustGiveReason('why', why)
  await disableEndpoint(app, actor, id, params['endpoint'] ?? '', why.trim())
  return 'endpoint_disabled'
}

async function test(app: OperatorDeps, { actor, id, params }: Asked): Promise<string> {
  await recordTestEvent(app, actor, id, params['endpoint'] ?? '')
  return 'endpoint_tested'
}
