import type { FoundTransaction } from '../../../domain/overview/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { maskedIban } from '../../web/console/masked.ts'
import { cardTable, minute } from '../../web/console/parts.ts'
import { stateBadge } from '../../web/console/transaction-list.ts'
import type { Page, Viewer } from '../page.ts'
import type { Words } from '../words-tr.ts'

export function searchPage(
  viewer: Viewer,
  text: string,
  { found, more }: { found: FoundTransaction[]; more: boolean },
): Page {
  const { words } = viewer
  const lead = found.length > 0 ? words.found(found.length) : text === '' ? words.searchLead : words.noResult(text)
  const main = html`<h1>${words.search}</h1>
    <p class="lead">${lead}</p>
    ${found.length > 0 ? table(viewer, found) : searchable(words)}
    ${more && html`<p class="more">${words.thereAreMore}</p>`}`
  return { title: words.search, section: null, main, search: text }
}

/** Names are shown as in the lists. */
function table(viewer: Viewer, found: FoundTransaction[]): Html {
  const { words, root } = viewer
  const labels = [words.kind, words.status, words.created, words.processId, words.id]
  return cardTable(
    words.search,
    [{ label: words.who }, { label: words.amount, isMoney: true }, ...labels.map((label) => ({ label }))],
    found.map((one) => ({
      href: `${root}/transactions/${one.id}`,
      cells: [
        html`${plainName(one.name)} ${foundBy(words, one)}`,
        html`${formatMoney(one.amount, one.currency)}`,
        html`${words[one.kind]}`,
        stateBadge(viewer, one.status),
        minute(one.createdAt),
        html`${plainName(one.processId)}`,
        html`<a class="id" href="${root}/transactions/${one.id}">${one.id}</a>`,
      ],
    })),
  )
}

/** By what that the row does not show. */
function foundBy({ iban, code }: Words, { matched }: FoundTransaction): Html | false {
  const [, by, value = ''] = /(?:^|, )(IBAN|code) (\w+)/.exec(matched) ?? []
  if (by === undefined) return false
  return html`<span class="line mild">${by === 'IBAN' ? `${iban} ${maskedIban(value)}` : `${code} ${value}`}</span>`
}

function searchable({ searchable, searchableBy }: Words): Html {
  return html`<section class="card">
    <h2 class="first">${searchable}</h2>
    <dl class="facts examples">
      ${searchableBy.map(
        ([what, example, note]) =>
          html`<dt>${what}</dt>
            <dd>${example}</dd>
            <dd class="mild">${note}</dd>`,
      )}
    </dl>
  </section>`
}
