import type { PaymentLink } from '../../../domain/deposits/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { copyButton } from '../../web/console/copy-button.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { cardTable, minute } from '../../web/console/parts.ts'
import { qrCode } from '../../web/console/qr-code.ts'
import { option, stateBadge } from '../../web/console/transaction-list.ts'
import type { Page, Viewer } from '../page.ts'
import { LINK_WORDS } from './words.ts'

export const LINKS_PER_PAGE = 50

type ListFacts = {
  links: PaymentLink[]
  formId: string
  currencies: readonly string[]
  given: (name: string) => string
}

export function linksPage(viewer: Viewer, { links, formId, currencies, given }: ListFacts): Page {
  const words = LINK_WORDS[viewer.language]
  const shown = links.slice(0, LINKS_PER_PAGE)
  const last = links.length > LINKS_PER_PAGE ? shown.at(-1)?.id : undefined
  const main = html`<h1>${viewer.words.links}</h1>
    <p class="lead">${words.lead}</p>
    <section class="card" aria-labelledby="make">
      <h2 id="make" class="first">${words.make}</h2>
      ${decisionForm(viewer, 'link.make', '/links', formFields(viewer, formId, currencies, given), words.make)}
    </section>
    <h2>${words.made}</h2>
    ${shown.length === 0 ? html`<p class="empty">${words.none}</p>` : table(viewer, shown)}
    ${last !== undefined && html`<p class="more"><a href="?before=${last}">${viewer.words.older}</a></p>`}`
  return { title: viewer.words.links, section: 'links', main }
}

/** What was typed stays if it is refused. `formId` makes one deposit of a form that is sent twice. */
function formFields(
  { language, words: shared }: Viewer,
  formId: string,
  currencies: readonly string[],
  given: ListFacts['given'],
): Html {
  const words = LINK_WORDS[language]
  const chosen = given('currency') || currencies[0]
  return html`<input type="hidden" name="id" value="${formId}" />
    <div class="fields">
      <label class="field"
        >${shared.amount}
        <input
          name="amount"
          required
          maxlength="20"
          inputmode="decimal"
          value="${given('amount')}"
          autocomplete="off"
        />
        <span class="hint">${words.amountHint}</span></label
      >
      ${
        currencies.length > 1 &&
        html`<label class="field"
          >${shared.currency}
          <select name="currency">
            ${currencies.map((one) => option(one, one, one === chosen))}
          </select></label
        >`
      }
      <label class="field"
        >${shared.customer} <input name="name" required maxlength="140" value="${given('name')}" autocomplete="off"
      /></label>
      <label class="field"
        >${`${words.customerId} (${words.optional})`}
        <input name="customer" maxlength="100" value="${given('customer')}" autocomplete="off"
      /></label>
      <label class="field"
        >${`${words.note} (${words.optional})`}
        <input name="note" maxlength="200" value="${given('note')}" autocomplete="off" />
        <span class="hint">${words.noteHint}</span></label
      >
    </div>`
}

function table(viewer: Viewer, links: PaymentLink[]): Html {
  const { words: shared, root } = viewer
  const words = LINK_WORDS[viewer.language]
  const columns = [shared.customer, shared.amount, shared.status, words.note, words.madeAt]
  return cardTable(
    words.made,
    columns.map((label, at) => ({ label, isMoney: at === 1 })),
    links.map(({ id, madeAt, deposit }) => {
      const href = `${root}/links/${id}`
      const cells = [
        html`<a href="${href}">${deposit ? plainName(deposit.customer.name) : words.title}</a>`,
        html`${deposit ? formatMoney(deposit.amount, deposit.currency) : '–'}`,
        deposit ? stateBadge(viewer, deposit.status) : html`<span class="state bad">${words.notMade}</span>`,
        html`${noteOf(deposit) || '–'}`,
        minute(madeAt),
      ]
      return { href, cells }
    }),
  )
}

function noteOf(deposit: PaymentLink['deposit']): string {
  const { note } = (deposit?.metadata ?? {}) as { note?: unknown }
  return typeof note === 'string' ? plainName(note) : ''
}

export function linkPage(viewer: Viewer, { deposit }: PaymentLink, url: string | null): Page {
  const { words: shared, root } = viewer
  const words = LINK_WORDS[viewer.language]
  const back = html`<p class="lead"><a href="${root}/links">${words.all}</a></p>`
  const amount = deposit ? formatMoney(deposit.amount, deposit.currency) : ''
  const main = deposit
    ? html`<h1>${words.title} ${amount} ${stateBadge(viewer, deposit.status)}</h1>
        ${back}
        <div class="pair">
          <section class="card centred">${url !== null && qrCode(url, words.qr)}</section>
          <section class="card">
            ${
              url !== null &&
              html`<p class="hint">${words.address}</p>
                <p class="copied-value"><code>${url}</code></p>
                <div class="acts">
                  ${copyButton(viewer.words, url)} <a class="button small plain" href="${url}">${words.open}</a>
                </div>`
            }
            <dl class="facts spaced">
              <dt>${shared.customer}</dt>
              <dd>${plainName(deposit.customer.name)}</dd>
              <dt>${words.note}</dt>
              <dd>${noteOf(deposit) || '–'}</dd>
              <dt>${shared.expires}</dt>
              <dd>${minute(deposit.expiresAt)}</dd>
              <dt>${shared.processId}</dt>
              <dd class="id">${deposit.processId}</dd>
            </dl>
            <p class="more"><a href="${root}/transactions/${deposit.id}">${words.transaction}</a></p>
          </section>
        </div>`
    : html`<h1>${words.title} <span class="state bad">${words.notMade}</span></h1>
        ${back}
        <p>${words.notMadeText}</p>`
  return { title: `${words.title} ${amount}`.trim(), section: 'links', main }
}
