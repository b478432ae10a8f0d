import type { MerchantMonth } from '../../../domain/books/index.ts'
import type { WholeBalance } from '../../../domain/ledger/index.ts'
import type { SettlementPreview } from '../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { maskedIban } from '../../web/console/masked.ts'
import { figure, monthParts } from '../../web/console/merchant-month/month.ts'
import { MONTH_WORDS } from '../../web/console/merchant-month/words.ts'
import { settlementFacts, settlementList, settlementNow } from '../../web/console/settlement/settlement-parts.ts'
import { SETTLEMENT_WORDS } from '../../web/console/settlement/words.ts'
import type { Page, Viewer } from '../page.ts'
import type { People } from '../people.ts'
import { personName } from '../people.ts'

type Facts = {
  month: string
  day: string | null
  found: MerchantMonth
  balances: WholeBalance[]
  settlement: SettlementPreview
  people: People
}

export const EXPORTED = ['transactions', 'fees', 'balances'] as const

export function balancePage(viewer: Viewer, { month, day, found, balances, settlement, people }: Facts): Page {
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
    ${settlementPart(viewer, settlement, people)} ${monthParts(viewer, { path: '/balance', month, day, found })}
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

const NO_ACCOUNT = {
  tr: 'Hakediş hesabınız kayıtlı değil. Ödeme kuruluşunuza bildirin; hesabı orada iki kişi kaydeder.',
  en: 'No account of yours is registered. Tell your payment institution: two people register it there.',
}

/** Only who may ask for a settlement sees what would leave now. */
function settlementPart(viewer: Viewer, settlement: SettlementPreview, people: People): Html {
  const words = SETTLEMENT_WORDS[viewer.language]
  const look = { iban: maskedIban, noAccount: NO_ACCOUNT[viewer.language] }
  const by = (who: string) => (who.startsWith('merchant:') ? personName(people, who) : viewer.words.theOperator)
  return html`<div class="columns below">
    <section class="card" aria-labelledby="settlement">
      <h2 id="settlement" class="first">${words.title}</h2>
      ${settlementFacts(viewer, settlement, look)}
      ${viewer.may('settlement.request') && settlementNow(viewer, settlement, look, '/balance/settle')}
    </section>
    <section class="card" aria-labelledby="settlements">
      <h2 id="settlements" class="first">${words.last}</h2>
      ${settlementList(viewer, settlement.settlements, by)}
    </section>
  </div>`
}

function exportItem({ language, root }: Viewer, month: string, kind: (typeof EXPORTED)[number]): Html {
  const label = MONTH_WORDS[language].kinds[kind]
  const link = (format: string) =>
    html`<a href="${root}/balance/export?month=${month}&kind=${kind}&format=${format}" aria-label="${label} ${format}"
      >${format.toUpperCase()}</a
    >`
  return html`<li><span>${label}</span> <span>${link('csv')} · ${link('xlsx')}</span></li>`
}
