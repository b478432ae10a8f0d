import type { HealthFilter, QueueHealth } from '../../../domain/webhooks/index.ts'
import { HEALTH_STATES, MAX_COUNTED } from '../../../domain/webhooks/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { outcomeText } from '../../web/console/callbacks/deliveries.ts'
import { CALLBACK_WORDS } from '../../web/console/callbacks/words.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, cardTable, second } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { MerchantNames } from '../names.ts'
import { merchantName } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import { WORDS } from './words.ts'

const PAGE_SIZE = 50

/** What an address asks for. `after`: merchant and endpoint of the last row. */
export function healthFrom(query: Record<string, unknown>): HealthFilter {
  const after = typeof query['after'] === 'string' ? query['after'] : ''
  const [, merchantId = '', id = ''] = /^([0-9a-f]{24})\.([0-9a-f]{24})$/.exec(after) ?? []
  return {
    only: HEALTH_STATES.find((one) => one === query['only']),
    after: merchantId === '' ? undefined : { merchantId, id },
    limit: PAGE_SIZE + 1,
  }
}

export function healthPage(viewer: Viewer, wanted: HealthFilter, found: QueueHealth[], names: MerchantNames): Page {
  const { root, words: shared } = viewer
  const words = WORDS[viewer.language]
  const shown = found.slice(0, PAGE_SIZE)
  const last = found.length > PAGE_SIZE ? shown.at(-1) : undefined
  const next = new URLSearchParams({
    ...(wanted.only && { only: wanted.only }),
    after: `${last?.merchantId}.${last?.id}`,
  }).toString()
  const main = html`<h1>${shared.callbacks}</h1>
    <p class="lead">${words.lead}</p>
    <form class="filters" action="${root}/callbacks">
      <label class="field"
        >${shared.status}
        <select name="only">
          ${option('', words.all, wanted.only === undefined)}
          ${HEALTH_STATES.map((one) => option(one, words.only[one], one === wanted.only))}
        </select>
      </label>
      <button class="button small">${shared.show}</button>
    </form>
    ${shown.length === 0 ? html`<p class="empty">${words.none}</p>` : table(viewer, shown, names)}
    ${last && html`<p class="more"><a href="?${next}">${words.next}</a></p>`}`
  return { title: shared.callbacks, section: 'callbacks', main }
}

function table(viewer: Viewer, rows: QueueHealth[], names: MerchantNames): Html {
  const { root, now, words: shared, language } = viewer
  const words = WORDS[language]
  const columns = [
    ...[shared.merchant, shared.status, words.endpoint].map((label) => ({ label })),
    { label: words.waiting, isMoney: true },
    ...[words.oldest, words.lastOutcome, ''].map((label) => ({ label })),
  ]
  return cardTable(
    shared.callbacks,
    columns,
    rows.map((row) => {
      const { merchantId, url, waiting, oldest } = row
      const events = `${root}/callbacks/${merchantId}`
      return {
        href: events,
        cells: [
          html`<a href="${root}/merchants/${merchantId}">${merchantName(shared, names, merchantId)}</a>
            <span class="line"><a href="${events}">${words.events}</a></span>`,
          stateOf(viewer, row),
          html`<span class="address">${plainName(url ?? words.noUrl)}</span>`,
          html`${waiting > MAX_COUNTED ? `${MAX_COUNTED}+` : waiting}`,
          html`${oldest === null ? '–' : age(oldest, now, shared.age)}`,
          html`${lastOutcome(viewer, row)}`,
          forms(viewer, row),
        ],
      }
    }),
  )
}

function stateOf({ language, now, words: shared }: Viewer, row: QueueHealth): Html {
  const words = WORDS[language]
  const { url, state, stateReason, failingSince, pausedUntil, isUsed } = row
  if (url === null) return html`–`
  if (state !== 'enabled')
    return html`<span class="state busy">${words.disabled}</span>
      <span class="line mild">${plainName(stateReason ?? '')}</span>`
  if (failingSince)
    return html`<span class="state bad">${words.failingSince(age(failingSince, now, shared.age))}</span>
      ${pausedUntil && pausedUntil > now && html`<span class="line mild">${words.pausedUntil} ${second(pausedUntil)}</span>`}`
  return html`<span class="state ${isUsed ? 'good' : ''}">${isUsed ? words.healthy : words.unused}</span>`
}

/** Of the oldest event that waits; without one, the last was accepted. */
function lastOutcome(
  { language }: Viewer,
  { lastOutcome: outcome, lastStatus, waiting, failingSince, isUsed }: QueueHealth,
) {
  if (outcome !== null) return outcomeText(language, outcome, lastStatus)
  return isUsed && waiting === 0 && failingSince === null ? CALLBACK_WORDS[language].outcomes.accepted : '–'
}

function forms(viewer: Viewer, { merchantId, id, url, state }: QueueHealth): Html {
  const words = WORDS[viewer.language]
  const path = `/callbacks/${merchantId}/endpoints/${id}`
  if (url === null) return html``
  if (state !== 'enabled')
    return html`<div class="inline">
      ${decisionForm(viewer, 'endpoint.switch', `${path}/enable`, html``, words.enable, 'plain')}
    </div>`
  const why = html`<input name="why" required maxlength="200" placeholder="${words.why}" aria-label="${words.why}" />`
  return html`<div class="inline">
    ${decisionForm(viewer, 'endpoint.switch', `${path}/disable`, why, words.disable, 'plain')}
    ${decisionForm(viewer, 'endpoint.test', `${path}/test`, html``, words.test, 'plain')}
  </div>`
}
