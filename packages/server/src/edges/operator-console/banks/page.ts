import type { listBanks } from '../../../domain/banks/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { cardTable } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import { moneyField, settingForm, whyField } from '../setting-form.ts'
import type { AccountFacts } from './account-cards.ts'
import { accountCards, connectionTable } from './account-cards.ts'
import { WORDS } from './words.ts'

type Banks = Awaited<ReturnType<typeof listBanks>>

/** `chosen`: the bank whose limits the form shows. */
export type BankFacts = AccountFacts & {
  banks: Banks
  chosen: string | null
  fastCap: bigint | null
  eftIsOpen: boolean
}

export function banksPage(viewer: Viewer, facts: BankFacts): Page {
  const words = WORDS[viewer.language]
  const { fastCap, eftIsOpen } = facts
  const main = html`<h1>${viewer.words.banks}</h1>
    <p class="lead">${words.lead}</p>
    <dl class="strip" aria-label="${words.rails}">
      <div>
        <dt>${words.fastCap}</dt>
        <dd>${fastCap === null ? words.noCap : formatMoney(fastCap)}</dd>
      </div>
      <div>
        <dt>${words.eftNow}</dt>
        <dd>${eftIsOpen ? words.open : words.closed}</dd>
      </div>
    </dl>
    <h2>${words.connections}</h2>
    ${connectionTable(viewer, facts)}
    <h2>${words.accounts}</h2>
    ${accountCards(viewer, facts)}
    <h2 id="banks">${words.banks}</h2>
    <section class="card">${limitsForm(viewer, facts)}</section>
    ${bankTables(viewer, facts)}`
  return { title: viewer.words.banks, section: 'banks', main }
}

/** Of one bank, so that its limits are in the form. */
function limitsForm(viewer: Viewer, { banks, chosen }: BankFacts): Html {
  const words = WORDS[viewer.language]
  const bank = banks.find(({ id }) => id === chosen) ?? banks[0]
  if (!bank) return html``
  const range = bank.limits.find(({ currency }) => currency === 'TRY')
  const fields = html`<input type="hidden" name="bank" value="${bank.id}" />
    ${moneyField(words.least, 'least', range?.minAmount ?? null)}
    ${moneyField(words.most, 'most', range?.maxAmount ?? null)} ${whyField(words.why)}`
  return html`<h3>${words.limits}: ${bank.name}</h3>
    <p class="hint">${words.chooseBank}</p>
    ${settingForm(viewer, { action: 'bank.limits', path: '/banks/limits', label: words.propose, fields })}`
}

/** Those that are off are many, and folded. */
function bankTables(viewer: Viewer, { banks, chosen }: BankFacts): Html {
  const [on, off] = [banks.filter(({ enabled }) => enabled), banks.filter(({ enabled }) => !enabled)]
  const isOpen = off.some(({ id }) => id === chosen)
  return html`${bankTable(viewer, on)}
    <details ${isOpen && html`open`}>
      <summary>${WORDS[viewer.language].offBanks(off.length)}</summary>
      ${bankTable(viewer, off)}
    </details>`
}

function bankTable(viewer: Viewer, banks: Banks): Html {
  const { root, language, words: shared } = viewer
  const words = WORDS[language]
  const columns = [
    { label: words.bank },
    { label: words.code },
    { label: words.range, isMoney: true },
    { label: words.accountCount, isMoney: true },
    { label: shared.status },
    { label: words.acts },
  ]
  const rows = banks.map(({ id, code, name, enabled, limits, accounts }) => {
    const range = limits.map(
      ({ currency, minAmount, maxAmount }) =>
        `${formatMoney(minAmount, currency)} – ${formatMoney(maxAmount, currency)}`,
    )
    const fields = html`<input type="hidden" name="bank" value="${id}" />`
    const [path, label] = enabled ? ['/banks/off', words.disable] : ['/banks/on', words.enable]
    return {
      href: null,
      cells: [
        html`<a href="${root}/banks?bank=${id}#banks">${name}</a>`,
        html`${code}`,
        html`${range.join(' · ') || words.noRange}`,
        html`${accounts}`,
        html`<span class="state ${enabled ? 'good' : ''}">${enabled ? words.on : words.off}</span>`,
        decisionForm(viewer, 'bank.switch', path, fields, label, 'plain'),
      ],
    }
  })
  return cardTable(words.banks, columns, rows)
}
