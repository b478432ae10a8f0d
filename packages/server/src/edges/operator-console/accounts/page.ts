import type { AccountOverview } from '../../../domain/overview/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { Page, Viewer } from '../page.ts'
import { decisionForm } from '../../web/console/decision-form.ts'

export function accountsPage(viewer: Viewer, accounts: AccountOverview[]): Page {
  const { words } = viewer
  const main = html`<h1>${words.accounts}</h1>
    <p class="lead">${words.accountsLead}</p>
    <div class="cards">${accounts.map((account) => card(viewer, account))}</div>`
  return { title: words.accounts, section: 'accounts', main }
}

function card(viewer: Viewer, account: AccountOverview): Html {
  const { words } = viewer
  const { bankName, title, iban, currency, state, stoppedBy, connection, booked, unexplained, open } = account
  const money = (amount: bigint) => formatMoney(amount, currency)
  const differs = unexplained !== null && unexplained !== 0n
  return html`<article class="card" data-item="${account.id}">
    <div class="head">
      <b>${bankName} · <span class="id">${iban.match(/.{1,4}/g)?.join(' ')}</span></b>
      <span class="state ${state === 'active' ? 'good' : state === 'blocked' ? 'bad' : 'busy'}"
        >${words.accountStates[state]}</span
      >
    </div>
    <dl class="facts">
      <dt>${words.holder}</dt>
      <dd>${title}</dd>
      <dt>${words.booked}</dt>
      <dd>${money(booked)}</dd>
      <dt>${words.difference}</dt>
      <dd>
        ${unexplained === null ? words.notProven : differs ? html`<b class="state bad">${money(unexplained)}</b>` : money(0n)}
      </dd>
      <dt>${words.receivedToday}</dt>
      <dd>${usage(viewer, account)}</dd>
      <dt>${words.openCustomers}</dt>
      <dd>${open}</dd>
      <dt>${words.connection}</dt>
      <dd>${connection ?? '–'}${stoppedBy !== null && html` · <b>${words.payoutsStopped}</b>`}</dd>
    </dl>
    ${stateForms(viewer, account)}
  </article>`
}

/** Bars only where there is a limit. */
function usage({ words }: Viewer, account: AccountOverview): Html {
  const { currency, receivedToday, paymentsToday, dailyAmountLimit, dailyCountLimit } = account
  const money = (amount: bigint) => formatMoney(amount, currency)
  const bar = (label: string, used: number, limit: number) =>
    html`<meter
      aria-label="${label}"
      min="0"
      max="${limit}"
      high="${Math.floor(limit * 0.9)}"
      value="${Math.min(used, limit)}"
    ></meter>`
  return html`${money(receivedToday)}
  ${
    dailyAmountLimit !== null &&
    html`/ ${money(dailyAmountLimit)} ${bar(words.receivedToday, Number(receivedToday), Number(dailyAmountLimit))}`
  }
  · ${words.payments(paymentsToday)}
  ${dailyCountLimit !== null && html`/ ${dailyCountLimit} ${bar(words.payments(paymentsToday), paymentsToday, dailyCountLimit)}`}`
}

/** What may follow each state, the gentlest first. */
const NEXT = {
  active: ['paused', 'draining', 'blocked'],
  paused: ['active', 'draining', 'blocked'],
  draining: ['active', 'blocked'],
  blocked: ['active'],
} as const

function stateForms(viewer: Viewer, { id, state, open }: AccountOverview): Html {
  const { words } = viewer
  const seen = html`<input type="hidden" name="state" value="${state}" />`
  return html`<div class="acts">
      ${NEXT[state].map((next) =>
        decisionForm(
          viewer,
          'account.state',
          `/accounts/${id}/${next}`,
          seen,
          words.accountActs[next],
          next === 'blocked' ? 'danger' : 'plain',
        ),
      )}
    </div>
    ${state !== 'blocked' && open > 0 && html`<p class="hint">${words.blockMoves(open)}</p>`}`
}
