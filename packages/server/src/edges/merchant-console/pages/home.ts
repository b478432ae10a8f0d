import type { WholeBalance } from '../../../domain/ledger/index.ts'
import type { TodaysTotals } from '../../../domain/overview/index.ts'
import type { EndpointHealth } from '../../../domain/webhooks/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { livePart } from '../../web/console/live-part.ts'
import { age, dataTable, minute } from '../../web/console/parts.ts'
import { stateBadge } from '../../web/console/transaction-list.ts'
import type { Page, Viewer } from '../page.ts'

export type HomeFacts = {
  balances: WholeBalance[]
  totals: TodaysTotals
  endpoints: EndpointHealth[]
  /** Instructions that another person has to approve. */
  waiting: number
  /** Changes of addresses that another person has to approve. */
  changes: number
  /** New API secrets; `by` is null if the operator made it, whose people are not shown. */
  rotations: { by: string | null; at: Date }[]
}

export function homePage(viewer: Viewer, { balances, totals, endpoints, ...facts }: HomeFacts): Page {
  const { words, now } = viewer
  const { waiting, changes, rotations } = facts
  const parts = html`<p class="lead">${minute(now)}</p>
    ${rotations.map(
      ({ by, at }) =>
        html`<p class="say">${words.rotated}: ${by ?? words.theOperator} · ${minute(at)}. ${words.rotatedHint}</p>`,
    )}
    ${waiting > 0 && html`<p class="say"><a href="${viewer.root}/instructions">${words.waitingInstructions(waiting)}</a></p>`}
    ${changes > 0 && html`<p class="say"><a href="${viewer.root}/developer">${words.waitingChanges(changes)}</a></p>`}
    <dl class="strip" aria-label="${words.balances}">
      ${balances.map(({ currency, available, held, inTransit }) => [
        figure(`${words.available} (${currency})`, formatMoney(available, currency)),
        figure(`${words.held} (${currency})`, formatMoney(held, currency)),
        figure(`${words.inTransit} (${currency})`, formatMoney(inTransit, currency)),
      ])}
    </dl>
    ${totalsTable(viewer, 'deposits', totals.deposits)} ${totalsTable(viewer, 'withdrawals', totals.withdrawals)}
    <h2>${words.endpoints}</h2>
    ${endpoints.length === 0 ? html`<p class="empty">${words.noEndpoints}</p>` : endpointsTable(viewer, endpoints)}`
  const main = html`<h1>${words.home}</h1>
    ${livePart('home', parts)}`
  return { title: words.home, section: 'home', main }
}

function figure(label: string, amount: string): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd>${amount}</dd>
  </div>`
}

/** Each status opens its list. */
function totalsTable(viewer: Viewer, kind: keyof TodaysTotals, totals: TodaysTotals[typeof kind]): Html {
  const { words, root } = viewer
  const title = words.today[kind]
  const columns = [{ label: words.status }, { label: words.count, isMoney: true }, { label: words.sum, isMoney: true }]
  const rows = totals.map(({ status, currency, count, amount }) => {
    const href = `${root}/${kind}?status=${status}`
    const cells = [
      html`<a href="${href}">${stateBadge(viewer, status)}</a>`,
      html`${count}`,
      html`${formatMoney(amount, currency)}`,
    ]
    return { href, cells }
  })
  return html`<h2>${title}</h2>
    ${rows.length === 0 ? html`<p class="empty">${words.noneToday}</p>` : dataTable(title, columns, rows)}`
}

function endpointsTable(viewer: Viewer, endpoints: EndpointHealth[]): Html {
  const { words } = viewer
  return dataTable(
    words.endpoints,
    [{ label: words.endpoint }, { label: words.health }, { label: words.inQueue, isMoney: true }],
    endpoints.map((endpoint) => ({
      href: null,
      cells: [
        html`${endpoint.url === null ? words.noUrl : plainName(endpoint.url)}
        ${endpoint.description !== '' && html`<br /><span class="mild">${plainName(endpoint.description)}</span>`}`,
        healthBadge(viewer, endpoint),
        html`${endpoint.waiting}`,
      ],
    })),
  )
}

export function healthBadge({ words, now }: Viewer, { state, url, failingSince }: EndpointHealth): Html {
  if (state !== 'enabled') return html`<span class="state bad">${words.disabled}</span>`
  if (url === null) return html`<span class="state">${words.noUrl}</span>`
  if (failingSince) return html`<span class="state bad">${words.failingSince(age(failingSince, now, words.age))}</span>`
  return html`<span class="state good">${words.healthy}</span>`
}
