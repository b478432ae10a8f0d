import type { MerchantMonth } from '../../../domain/books/index.ts'
import type { WholeBalance } from '../../../domain/ledger/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { figure, monthParts } from '../../web/console/merchant-month/month.ts'
import { MONTH_WORDS } from '../../web/console/merchant-month/words.ts'
import type { Page, Viewer } from '../page.ts'

type Facts = {
  month: string
  day: string | null
  found: MerchantMonth
  balances: WholeBalance[]
}

export const EXPORTED = ['transactions', 'fees', 'balances'] as const

export function balancePage(viewer: Viewer, { month, day, found, balances }: Facts): Page {
  const { words: shared, root } = viewer
  const words = MONTH_WORDS[viewer.language]
  const main = html`<h1>${shared.balance}</h1>
    <p class="lead">${words.lead}</p>
    <dl class="strip" aria-label="${shared.balances}">
      ${balances.map(({ currency, available, held, inTransit }) => [
        figure(`${shared.available} (${currency})`, formatMoney(available, currency)),
        figure(`${shared.held} (${currency})`, formatMoney(held, currency)),
        figure(`${shared.inTransit} (${currency})`, formatMoney(inTransit, currency)),
      ])}
    </dl>
    ${monthParts(viewer, { path: '/balance', month, day, found })}
    <h2>${words.exports}</h2>
    <ul class="plain-list card">
      ${EXPORTED.map((kind) => exportItem(viewer, month, kind))}
      <li>
        <span>${words.statement}</span>
        <span><a href="${root}/balance/statement?month=${month}" target="_blank" rel="noopener">HTML</a></span>
      </li>
    </ul>`
  return { title: shared.balance, section: 'balance', main }
}

function exportItem({ language, root }: Viewer, month: string, kind: (typeof EXPORTED)[number]): Html {
  const label = MONTH_WORDS[language].kinds[kind]
  const link = (format: string) =>
    html`<a href="${root}/balance/export?month=${month}&kind=${kind}&format=${format}" aria-label="${label} ${format}"
      >${format.toUpperCase()}</a
    >`
  return html`<li><span>${label}</span> <span>${link('csv')} · ${link('xlsx')}</span></li>`
}
