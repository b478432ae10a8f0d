import type { KindName, ShownProposal } from '../../../domain/proposals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { differences } from '../../web/console/proposals/differences.ts'
import { PROPOSAL_WORDS } from '../../web/console/proposals/words.ts'
import { cardTable, minute } from '../../web/console/parts.ts'
import { proposalCard } from '../proposals/cards.ts'
import type { Page, Viewer } from '../page.ts'
import { endpointCard, keyCard, networkCard, userCard } from './access-cards.ts'
import type { MerchantFacts } from './facts.ts'
import { matchingCard } from './matching-card.ts'
import { feeCard, freezeCard, limitCard } from './money-cards.ts'
import { settlementCard } from './settlement-card.ts'
import { WORDS } from './words.ts'

export function merchantPage(viewer: Viewer, facts: MerchantFacts): Page {
  const words = WORDS[viewer.language]
  const { root } = viewer
  const { merchant, balances, changes } = facts
  const name = plainName(merchant.name)
  const open = changes.filter(({ state }) => state === 'open')
  const names = new Map([[merchant.id, merchant.name]])
  const cards = [
    keyCard,
    networkCard,
    feeCard,
    limitCard,
    matchingCard,
    endpointCard,
    settlementCard,
    userCard,
    freezeCard,
  ]
  const main = html`<h1>${name}</h1>
    <p class="lead">
      <span class="state ${merchant.frozen ? 'bad' : 'good'}">${merchant.frozen ? words.frozen : words.active}</span>
      <span class="id">${merchant.id}</span> · ${minute(merchant.createdAt)}
    </p>
    <dl class="strip">
      ${balances.map(({ currency, available, held, inTransit }) => [
        figure(words.balance, formatMoney(available, currency)),
        figure(words.held, formatMoney(held, currency)),
        figure(words.inTransit, formatMoney(inTransit, currency)),
      ])}
    </dl>
    <p class="links">
      <a href="${root}/transactions?kind=deposit&merchant=${merchant.id}&last=30">${words.deposits}</a>
      <a href="${root}/transactions?kind=withdrawal&merchant=${merchant.id}&last=30">${words.withdrawals}</a>
      <a href="${root}/merchants/${merchant.id}/movements">${words.movements}</a>
    </p>
    ${
      open.length > 0 &&
      html`<h2>${words.waiting}</h2>
        <div class="duo">${open.map((one) => proposalCard(viewer, one, names))}</div>`
    }
    <h2>${words.settings}</h2>
    <div class="columns">${cards.map((card) => card(viewer, facts))}</div>
    <h2>${words.history}</h2>
    ${history(
      viewer,
      changes.filter(({ state }) => state !== 'open'),
    )}`
  return { title: name, section: 'merchants', main }
}

const figure = (label: string, value: string) =>
  html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`

function history(viewer: Viewer, changes: ShownProposal[]): Html {
  const words = WORDS[viewer.language]
  if (changes.length === 0) return html`<p class="empty">${words.noHistory}</p>`
  const { kinds, states } = PROPOSAL_WORDS[viewer.language]
  const columns = [words.what, words.values, viewer.words.status, words.who, words.decided, words.when].map(
    (label) => ({ label }),
  )
  const rows = changes.map(({ kind, rows: values, state, proposedBy, proposedAt, decidedBy }) => ({
    href: null,
    cells: [
      html`${kinds[kind as KindName] ?? kind}`,
      differences(viewer.language, values),
      html`<span class="state ${state === 'applied' ? 'good' : ''}">${states[state]}</span>`,
      html`${proposedBy}`,
      html`${decidedBy ?? '–'}`,
      minute(proposedAt),
    ],
  }))
  return cardTable(words.history, columns, rows)
}
