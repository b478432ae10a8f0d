import type { MerchantMonth } from '../../../domain/books/index.ts'
import type { Balance } from '../../../domain/ledger/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { dataTable } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import { BALANCE_WORDS } from './words.ts'

type Account = MerchantMonth['currencies'][number]
type Entry = MerchantMonth['entries'][number]
type Facts = {
  month: string
  day: string | null
  found: MerchantMonth
  balances: (Balance & { currency: string })[]
}

export const EXPORTED = ['transactions', 'fees', 'balances'] as const
export const MOST_SHOWN = 200
const PARTS = ['deposits', 'withdrawals', 'returns', 'other', 'fees'] as const
const shownDay = (day: string) => day.split('-').toReversed().join('.')

export function balancePage(viewer: Viewer, { month, day, found, balances }: Facts): Page {
  const { words: shared, root } = viewer
  const words = BALANCE_WORDS[viewer.language]
  const main = html`<h1>${shared.balance}</h1>
    <p class="lead">${words.lead}</p>
    <dl class="strip" aria-label="${shared.balances}">
      ${balances.map(({ currency, available, held }) => [
        figure(`${shared.available} (${currency})`, formatMoney(available, currency)),
        figure(`${shared.held} (${currency})`, formatMoney(held, currency)),
      ])}
    </dl>
    <form class="filters spaced" action="${root}/balance">
      <label class="field">${words.month}<input type="month" name="month" value="${month}" /></label>
      <button class="button small">${shared.show}</button>
    </form>
    ${found.currencies.map((account) => accountPart(viewer, account, found.entries, { month, day }))}
    <h2>${words.exports}</h2>
    <ul class="plain-list card">
      ${EXPORTED.map((kind) => exportItem(viewer, month, kind))}
      <li>
        <span>${words.statement}</span>
        <span><a href="${root}/balance/statement?month=${month}">HTML</a></span>
      </li>
    </ul>`
  return { title: shared.balance, section: 'balance', main }
}

function figure(label: string, amount: string): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd>${amount}</dd>
  </div>`
}

function exportItem({ language, root }: Viewer, month: string, kind: (typeof EXPORTED)[number]): Html {
  const label = BALANCE_WORDS[language].kinds[kind]
  const link = (format: string) =>
    html`<a href="${root}/balance/export?month=${month}&kind=${kind}&format=${format}" aria-label="${label} ${format}"
      >${format.toUpperCase()}</a
    >`
  return html`<li><span>${label}</span> <span>${link('csv')} · ${link('xlsx')}</span></li>`
}

/** Opening, what moved, closing; then each day with its closing balance. */
function accountPart(
  viewer: Viewer,
  { balance, days }: Account,
  entries: Entry[],
  { month, day }: Pick<Facts, 'month' | 'day'>,
): Html {
  const words = BALANCE_WORDS[viewer.language]
  const money = (amount: bigint) => formatMoney(amount, balance.currency)
  const its = entries.filter(({ currency }) => currency === balance.currency)
  return html`<dl class="strip sums">
      ${figure(`${words.opening} (${balance.currency})`, money(balance.opening))}
      ${PARTS.filter((part) => balance[part] !== 0n).map((part) => figure(words[part], money(balance[part])))}
      ${figure(`${words.closing} (${balance.currency})`, money(balance.closing))}
    </dl>
    ${days.length === 0 ? html`<p class="empty">${words.noDays}</p>` : daysTable(viewer, { balance, days }, month)}
    ${day !== null && its.length > 0 && movements(viewer, day, its, balance.currency)}`
}

function daysTable(viewer: Viewer, { balance, days }: Account, month: string): Html {
  const words = BALANCE_WORDS[viewer.language]
  const money = (amount: bigint) => html`${formatMoney(amount, balance.currency)}`
  return html`<h2>${words.days}</h2>
    ${dataTable(
      words.days,
      [{ label: words.day }, ...[words.amount, words.fee, words.atEnd].map((label) => ({ label, isMoney: true }))],
      days.toReversed().map(({ day, amount, fee, closing }) => {
        const href = `${viewer.root}/balance?month=${month}&day=${day}#movements`
        return {
          href,
          cells: [html`<a href="${href}">${shownDay(day)}</a>`, money(amount), money(-fee), money(closing)],
        }
      }),
    )}`
}

function movements(viewer: Viewer, day: string, entries: Entry[], currency: string): Html {
  const words = BALANCE_WORDS[viewer.language]
  const money = (amount: bigint) => html`${formatMoney(amount, currency)}`
  const title = words.movements(shownDay(day))
  return html`<h2 id="movements">${title}</h2>
    ${dataTable(
      title,
      [
        { label: words.event },
        ...[words.amount, words.fee, words.net].map((label) => ({ label, isMoney: true })),
        { label: words.reference },
      ],
      entries.slice(0, MOST_SHOWN).map(({ kind, net, fee, subjectId, processId }) => ({
        href: null,
        cells: [
          html`${words.events[kind] ?? kind}`,
          money(net + fee),
          money(-fee),
          money(net),
          processId === null
            ? html`<span class="id">${plainName(subjectId)}</span>`
            : html`<a class="id" href="${viewer.root}/transactions/${subjectId}">${plainName(processId)}</a>`,
        ],
      })),
    )}
    ${entries.length > MOST_SHOWN && html`<p class="hint">${words.shortened(MOST_SHOWN)}</p>`}`
}
