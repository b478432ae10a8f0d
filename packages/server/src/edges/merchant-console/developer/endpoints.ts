import type { EndpointHealth, EventWithDeliveries } from '../../../domain/webhooks/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { cardTable, minute, second } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import { outcomeText } from '../../web/console/callbacks/deliveries.ts'
import { CALLBACK_WORDS } from '../../web/console/callbacks/words.ts'
import { healthBadge } from '../pages/home.ts'
import { DEVELOPER_WORDS } from './words.ts'

export const EVENTS_SHOWN = 50

export function endpointsCard(viewer: Viewer, endpoints: EndpointHealth[]): Html {
  const words = DEVELOPER_WORDS[viewer.language]
  const fields = html`${urlField(words.address)}
    <label class="field"
      >${`${words.description} (${words.optional})`} <input name="description" maxlength="200"
    /></label>`
  return html`<section class="card" aria-labelledby="endpoints">
    <h2 id="endpoints" class="first">${words.endpoints}</h2>
    ${
      endpoints.length === 0
        ? html`<p class="empty">${viewer.words.noEndpoints}</p>`
        : endpointsTable(viewer, endpoints)
    }
    <div class="acts">${decisionForm(viewer, 'endpoint.add', '/developer/endpoints', fields, words.addEndpoint)}</div>
    <p class="hint">${words.twoPeople}</p>
  </section>`
}

const urlField = (label: string) =>
  html`<label class="field"
    >${label} <input type="url" name="url" required maxlength="2000" placeholder="https://"
  /></label>`

function endpointsTable(viewer: Viewer, endpoints: EndpointHealth[]): Html {
  const { root, words: shared } = viewer
  const words = DEVELOPER_WORDS[viewer.language]
  return cardTable(
    words.endpoints,
    [
      { label: words.address },
      { label: words.events },
      { label: shared.health },
      { label: shared.inQueue, isMoney: true },
    ],
    endpoints.map((endpoint) => {
      const href = `${root}/developer/endpoints/${endpoint.id}`
      return {
        href,
        cells: [
          html`<a href="${href}">${endpoint.url === null ? shared.noUrl : plainName(endpoint.url)}</a>`,
          html`${endpoint.eventTypes.join(', ') || words.allEvents}`,
          healthBadge(viewer, endpoint),
          html`${endpoint.waiting}`,
        ],
      }
    }),
  )
}

type EndpointFacts = {
  endpoint: EndpointHealth
  secret: { id: string; createdAt: Date } | null
  /** The newest ones of the merchant. */
  events: EventWithDeliveries[]
}

export function endpointPage(viewer: Viewer, { endpoint, secret, events }: EndpointFacts): Page {
  const { words: shared, root } = viewer
  const words = DEVELOPER_WORDS[viewer.language]
  const { url, description, eventTypes, stateReason, createdAt } = endpoint
  const facts: [string, Html | string][] = [
    [shared.health, healthBadge(viewer, endpoint)],
    ...(stateReason === null ? [] : [[words.stateReason, plainName(stateReason)] as [string, string]]),
    [words.events, eventTypes.join(', ') || words.allEvents],
    [shared.inQueue, String(endpoint.waiting)],
    [words.since, minute(createdAt)],
    [words.secretSince, secret ? minute(secret.createdAt) : '–'],
    ...(description === '' ? [] : [[words.description, plainName(description)] as [string, string]]),
  ]
  const title = url === null ? shared.noUrl : plainName(url)
  const main = html`<h1>${title}</h1>
    <p class="lead"><a href="${root}/developer">${words.back}</a></p>
    <div class="pair">
      <section class="card" aria-labelledby="facts">
        <h2 id="facts" class="first">${shared.facts}</h2>
        <dl class="facts">
          ${facts.map(
            ([label, value]) =>
              html`<dt>${label}</dt>
                <dd>${value}</dd>`,
          )}
        </dl>
        ${acts(viewer, endpoint, secret?.id ?? '')}
      </section>
      ${sentCard(viewer, endpoint, events)}
    </div>`
  return { title, section: 'developer', main }
}

function acts(viewer: Viewer, { id, state }: EndpointHealth, newest: string): Html {
  const words = DEVELOPER_WORDS[viewer.language]
  const at = `/developer/endpoints/${id}`
  const seen = html`<input type="hidden" name="newest" value="${newest}" />`
  const why = html`<label class="field">${words.reason} <input name="reason" required maxlength="200" /></label>`
  return html`<div class="acts">
      ${state === 'enabled' && decisionForm(viewer, 'endpoint.test', `${at}/test`, html``, words.test)}
      ${state !== 'enabled' && decisionForm(viewer, 'endpoint.switch', `${at}/enable`, html``, words.enable)}
      ${decisionForm(viewer, 'endpoint.rotate', `${at}/rotate`, seen, words.rotateSecret, 'plain')}
    </div>
    <p class="hint">${words.rotateSecretHint}</p>
    <details>
      <summary>${words.changeUrl}</summary>
      <div class="acts">
        ${decisionForm(viewer, 'endpoint.change', `${at}/url`, urlField(words.newUrl), words.changeUrl, 'plain')}
      </div>
      <p class="hint">${words.twoPeople}</p>
    </details>
    ${
      state === 'enabled' &&
      html`<details class="danger-zone">
        <summary>${words.disable}</summary>
        <p class="hint">${words.disableHint}</p>
        <div class="acts">
          ${decisionForm(viewer, 'endpoint.switch', `${at}/disable`, why, words.disable, 'danger')}
        </div>
      </details>`
    }`
}

type Outcome = keyof (typeof CALLBACK_WORDS)['tr']['outcomes']
type Sent = { event: EventWithDeliveries; delivery: EventWithDeliveries['deliveries'][number] }

/** How the newest events ended here, counted by outcome, and one by one. */
function sentCard(viewer: Viewer, { id }: EndpointHealth, events: EventWithDeliveries[]): Html {
  const words = DEVELOPER_WORDS[viewer.language]
  const sent = events.flatMap((event): Sent[] => {
    const delivery = event.deliveries.find(({ endpointId }) => endpointId === id)
    return delivery ? [{ event, delivery }] : []
  })
  return html`<section class="card" aria-labelledby="sent">
    <h2 id="sent" class="first">${words.last50}</h2>
    ${sent.length === 0 ? html`<p class="empty">${words.noneSent}</p>` : [outcomesTable(viewer, sent), recentTable(viewer, sent)]}
  </section>`
}

function outcomesTable({ language }: Viewer, sent: Sent[]): Html {
  const words = DEVELOPER_WORDS[language]
  const counts = Map.groupBy(sent, ({ delivery }) => delivery.lastOutcome)
  const outcomes = Object.entries(CALLBACK_WORDS[language].outcomes) as [Outcome, string][]
  return cardTable(
    words.last50,
    [{ label: words.outcome }, { label: words.count, isMoney: true }],
    outcomes.map(([outcome, text]) => {
      const count = counts.get(outcome)?.length ?? 0
      const look = count === 0 ? '' : outcome === 'accepted' ? 'good' : 'bad'
      return {
        href: null,
        cells: [
          html`<span class="state ${look}">${outcome}</span>
            ${text !== outcome && html`<span class="${count === 0 && 'mild'}">${text}</span>`}`,
          html`${count}`,
        ],
      }
    }),
  )
}

function recentTable({ language, words: shared, root }: Viewer, sent: Sent[]): Html {
  const words = DEVELOPER_WORDS[language]
  const rows = sent.slice(0, 10).map(({ event, delivery }) => {
    const { lastOutcome, lastStatus, state, tries } = delivery
    const text = lastOutcome === null ? shared[state] : outcomeText(language, lastOutcome, lastStatus)
    const isTest = event.id === event.transactionId
    const cells = [
      second(event.createdAt),
      isTest ? html`${event.type}` : html`<a href="${root}/transactions/${event.transactionId}">${event.type}</a>`,
      html`${text}, ${shared.tries(tries)}`,
    ]
    return { href: null, cells }
  })
  return html`<h2>${words.recent}</h2>
    ${cardTable(
      words.recent,
      [words.at, words.event, words.outcome].map((label) => ({ label })),
      rows,
    )}`
}
