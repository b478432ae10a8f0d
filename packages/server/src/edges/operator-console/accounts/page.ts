import { isRecorded } from '../../../domain/banks/index.ts'
import { isManual } from '../../../domain/connections/index.ts'
import type { AccountOverview } from '../../../domain/overview/index.ts'
import { groupedIban } from '../../../kernel/iban.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { Page, Viewer } from '../page.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, dataTable, minute } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'

/** `done`: the account whose state was changed last. */
export type AccountsWanted = { bank: string; state: string; done: string }

export function accountsPage(viewer: Viewer, wanted: AccountsWanted, accounts: AccountOverview[]): Page {
  const { words } = viewer
  const isWanted = ({ bankName, state }: AccountOverview) =>
    (wanted.bank === '' || bankName === wanted.bank) && (wanted.state === '' || state === wanted.state)
  const shown = accounts.filter(isWanted)
  const [busy, quiet] = [shown.filter((one) => !isQuiet(one)), shown.filter(isQuiet)]
  const cards = (some: AccountOverview[]) => html`<div class="cards">${some.map((one) => card(viewer, one))}</div>`
  const done = accounts.find(({ id }) => id === wanted.done)
  const main = html`<h1>${words.accounts}</h1>
    ${done && html`<p class="mild last">${done.bankName} · <span class="id">${groupedIban(done.iban)}</span>: ${stateMark(viewer, done)}</p>`}
    <p class="lead">${words.accountsLead}</p>
    ${totals(viewer, shown)} ${accounts.length > 0 && filterForm(viewer, wanted, accounts)}
    ${shown.length === 0 && html`<p class="empty">${accounts.length === 0 ? words.noAccountsYet : words.noAccounts}</p>`}
    ${busy.length > 0 && cards(busy)}
    ${
      quiet.length > 0 &&
      html`<details class="folded" ${busy.length === 0 && html`open`}>
        <summary>${words.quietAccounts(quiet.length)}</summary>
        ${cards(quiet)}
      </details>`
    }`
  return { title: words.accounts, section: 'accounts', main }
}

/** Nothing is on it, nothing is expected, and nothing is wrong. */
function isQuiet({ booked, unexplained, accepted, receivedToday, open, stoppedBy }: AccountOverview): boolean {
  return (
    booked === 0n &&
    (unexplained ?? 0n) === 0n &&
    accepted === 0n &&
    receivedToday === 0n &&
    open === 0 &&
    stoppedBy === null
  )
}

/** What the ledger has on the accounts that are shown: of each currency, and of each bank. */
function totals({ words }: Viewer, accounts: AccountOverview[]): Html {
  const sum = (some: AccountOverview[]) => some.reduce((total, { booked }) => total + booked, 0n)
  const byCurrency = [...Map.groupBy(accounts, ({ currency }) => currency)]
  const byBank = [...Map.groupBy(accounts, ({ bankName, currency }) => `${bankName} (${currency})`)]
  const rows = byBank.filter(([, its]) => sum(its) !== 0n).toSorted(([, a], [, b]) => (sum(a) < sum(b) ? 1 : -1))
  return html`<dl class="strip" aria-label="${words.booked}">
      ${byCurrency.map(
        ([currency, its]) =>
          html`<div>
            <dt>${words.totalOf(currency)}</dt>
            <dd>${formatMoney(sum(its), currency)}</dd>
            <dd><small>${words.accountCount(its.length)}</small></dd>
          </div>`,
      )}
    </dl>
    ${
      rows.length > 0 &&
      html`<details class="folded">
        <summary>${words.byBank}</summary>
        ${dataTable(
          words.byBank,
          [{ label: words.feedBank }, { label: words.booked, isMoney: true }],
          rows.map(([bank, its]) => ({
            href: null,
            cells: [html`${bank}`, html`${formatMoney(sum(its), its[0]?.currency)}`],
          })),
        )}
      </details>`
    }`
}

function filterForm({ words, root }: Viewer, { bank, state }: AccountsWanted, accounts: AccountOverview[]): Html {
  const banks = [...new Set(accounts.map(({ bankName }) => bankName))].toSorted((a, b) => a.localeCompare(b, 'tr'))
  return html`<form class="filters spaced" action="${root}/accounts">
    <label class="field"
      >${words.feedBank}
      <select name="bank">
        ${option('', words.anyStatus, bank === '')} ${banks.map((one) => option(one, one, one === bank))}
      </select>
    </label>
    <label class="field"
      >${words.status}
      <select name="state">
        ${option('', words.anyStatus, state === '')}
        ${Object.entries(words.accountStates).map(([one, label]) => option(one, label, one === state))}
      </select>
    </label>
    <button class="button small">${words.show}</button>
  </form>`
}

/** 17.11 */
const dayAndMonth = (day: string) => day.slice(5).split('-').toReversed().join('.')

function card(viewer: Viewer, account: AccountOverview): Html {
  const { words, root, now } = viewer
  const { bankName, title, iban, currency, stoppedBy, connection, booked, open, newestLineAt, readAt } = account
  const money = (amount: bigint) => formatMoney(amount, currency)
  return html`<article class="card" id="account-${account.id}" data-item="${account.id}">
    <div class="head">
      <b>${bankName} · <span class="id whole">${groupedIban(iban)}</span></b>
      ${stateMark(viewer, account)}
    </div>
    <p class="hint">
      ${title} ·
      ${connection ?? '–'}${readAt && !isManual(connection ?? '') && html` · ${words.readAgo(age(readAt, now, words.age))}`}${stoppedBy !== null && html` · <b>${words.accountStops[stoppedBy]}</b>`}
    </p>
    <dl class="account-figures">
      ${pair(
        words.booked,
        html`${money(booked)}
          <a href="${root}/books/${istanbul(now).day}#account-${account.id}">${words.movementsToday}</a>`,
      )}
      ${pair(words.bankBalance, bankBalance(viewer, account))} ${pair(words.difference, difference(viewer, account))}
      ${pair(words.receivedToday, usage(viewer, account))} ${pair(words.openCustomers, html`${open}`)}
      ${pair(words.newestLine, newestLineAt ? html`${minute(newestLineAt)} <small>${age(newestLineAt, now, words.age)}</small>` : html`–`)}
    </dl>
    ${stateForms(viewer, account)}
  </article>`
}

const pair = (label: string, value: Html) =>
  html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`

const stateMark = ({ words }: Viewer, { state }: AccountOverview) =>
  html`<span class="state ${state === 'active' ? 'good' : state === 'blocked' ? 'bad' : 'busy'}"
    >${words.accountStates[state]}</span
  >`

/** Of the day that was checked: the last that the bank gave, with the lines since. */
function bankBalance(
  { words }: Viewer,
  { bankBalance: amount, balanceDay, provenDay, currency }: AccountOverview,
): Html {
  if (provenDay === null) return html`${words.notProven}`
  if (amount === null || balanceDay === null) return html`${words.noBalance}`
  const since = balanceDay < provenDay && `, ${words.reckonedFrom(dayAndMonth(balanceDay))}`
  return html`${formatMoney(amount, currency)} (${dayAndMonth(provenDay)}${since})`
}

/** Of that balance and the ledger of its day, and whether lines and entries explain it. */
function difference({ words }: Viewer, account: AccountOverview): Html {
  const { unexplained, accepted, difference: found, currency } = account
  const money = (amount: bigint) => formatMoney(amount, currency)
  // What is not explained has no sign: it is the sum of several. The difference has, as on the page of the day.
  if (unexplained !== null && unexplained !== 0n) {
    const isAll = found === unexplained || found === -unexplained
    const rest = found !== null && !isAll && `, ${money(unexplained)}`
    return html`<b class="state bad">${words.differs(money(found ?? unexplained))}</b>${rest} ${words.unexplained}`
  }
  if (found === null) return html`–`
  if (accepted !== 0n) return html`<b class="state busy">${words.differs(money(found))}</b> ${words.accepted}`
  return found === 0n ? html`${money(0n)}` : html`${money(found)}, ${words.explained}`
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

type State = AccountOverview['state']

/** To block takes a reason, since it also stops payouts; the others are one click, and harmless. */
function stateForms(viewer: Viewer, account: AccountOverview): Html {
  const { words } = viewer
  const { id, state, open } = account
  const offered: readonly State[] = isRecorded(account) ? NEXT[state] : ['blocked']
  const seen = html`<input type="hidden" name="state" value="${state}" />`
  const form = (next: State, fields: Html, look: string) =>
    decisionForm(viewer, 'account.state', `/accounts/${id}/${next}`, fields, words.accountActs[next], look)
  const why = html`<label class="field"
    >${words.blockWhy}<input name="why" required minlength="${MIN_REASON_LENGTH}" maxlength="200"
  /></label>`
  return html`<div class="acts">
    ${offered.filter((next) => next !== 'blocked').map((next) => form(next, seen, 'plain'))}
    ${
      offered.includes('blocked') &&
      html`<details class="beside">
        <summary>${words.accountActs.blocked}</summary>
        <p class="hint">${words.blockEffect} ${open > 0 && words.blockMoves(open)}</p>
        <div class="acts">${form('blocked', html`${seen} ${why}`, 'danger')}</div>
      </details>`
    }
  </div>`
}
