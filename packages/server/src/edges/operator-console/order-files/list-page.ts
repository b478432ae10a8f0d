import { say } from '../../../acts/refusals/say.ts'
import type { Batch, BatchState, OverdueBatches } from '../../../domain/withdrawals/index.ts'
import { BATCH_STATES } from '../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { livePart } from '../../web/console/live-part.ts'
import { age, cardTable, minute } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import type { AccountName } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import { ORDER_FILES, ORDER_WORDS } from './words.ts'

export const PAGE_SIZE = 50
/** More than that is one cause, and is mended on the machines. */
const MAX_ATTENTION = 20

/** `batches` has one too many if others follow. `before`: they are older than this one. */
type Facts = {
  batches: Batch[]
  overdue: OverdueBatches
  state: BatchState | undefined
  before: string | undefined
}

export function batchesPage(viewer: Viewer, facts: Facts, accountName: AccountName): Page {
  const { root, words: shared } = viewer
  const words = ORDER_WORDS[viewer.language]
  const { state, before, batches } = facts
  const shown = batches.slice(0, PAGE_SIZE)
  const last = batches.length > PAGE_SIZE ? shown.at(-1)?.id : undefined
  const chosen = state === undefined ? {} : { state }
  const address = (more: Record<string, string>) => new URLSearchParams({ ...chosen, ...more }).toString()
  const parts = html`${before === undefined && attention(viewer, facts.overdue)}
  ${shown.length === 0 ? html`<p class="empty">${words.none}</p>` : table(viewer, shown, accountName)}
  ${last !== undefined && html`<p class="more"><a href="?${address({ before: last })}">${shared.older}</a></p>`}`
  const main = html`<p class="mild"><a href="${root}/payouts">${shared.payouts}</a></p>
    <h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    <p class="links"><a href="${root}${ORDER_FILES}/reports">${words.unfitting}</a></p>
    <form class="filters below" action="${root}${ORDER_FILES}">
      <label class="field"
        >${shared.status}
        <select name="state">
          ${option('', words.all, state === undefined)}
          ${BATCH_STATES.map((one) => option(one, words.states[one], one === state))}
        </select>
      </label>
      <button class="button small">${shared.show}</button>
    </form>
    ${livePart('orders', parts)}`
  const at = `${ORDER_FILES}?${address(before === undefined ? {} : { before })}`
  return { title: words.title, section: 'payouts', main, at }
}

const LOOKS: Record<BatchState, string> = {
  ...{ cut: 'busy', staged: 'busy', released: 'busy', cancelling: 'busy' },
  ...{ fetched: 'good', cancelled: '' },
}

export function stateOf({ language }: Viewer, { state }: Batch): Html {
  return html`<span class="state ${LOOKS[state]}">${ORDER_WORDS[language].states[state]}</span>`
}

/** What a person must look after, each once. */
function attention(viewer: Viewer, { held, stopped, unfetched, silent }: OverdueBatches): Html {
  const words = ORDER_WORDS[viewer.language]
  const why = new Map<string, { batch: Batch; text: string }>()
  const add = (batches: Batch[], text: (batch: Batch) => string) => {
    for (const batch of batches) if (!why.has(batch.id)) why.set(batch.id, { batch, text: text(batch) })
  }
  add([...stopped, ...held], ({ problem }) => (problem === null ? '' : say(viewer.language, problem)))
  add(unfetched, () => words.unfetched)
  add(silent, () => words.silent)
  if (why.size === 0) return html``
  const rows = [...why.values()].slice(0, MAX_ATTENTION)
  return html`<h2 class="first">${words.attention} (${why.size})</h2>
    <ul class="findings">
      ${rows.map(
        ({ batch, text }) =>
          html`<li>
            <span class="mild">${age(batch.createdAt, viewer.now, viewer.words.age)}</span>
            <div>
              <a href="${viewer.root}${ORDER_FILES}/${batch.id}">${plainName(batch.fileName)}</a>
              <p>${plainName(text)}</p>
            </div>
          </li>`,
      )}
    </ul>
    <h2>${words.title}</h2>`
}

function table(viewer: Viewer, batches: Batch[], accountName: AccountName): Html {
  const { root, language, words: shared } = viewer
  const words = ORDER_WORDS[language]
  const columns = [
    { label: words.file },
    { label: shared.amount, isMoney: true },
    ...[shared.status, words.connection, shared.account].map((label) => ({ label })),
    { label: words.orders, isMoney: true },
    ...[words.made, words.problem].map((label) => ({ label })),
  ]
  const rows = batches.map((batch) => {
    const { id, fileName, amount, currency, connection, sourceAccountId, orders, createdAt, problem } = batch
    const href = `${root}${ORDER_FILES}/${id}`
    return {
      href,
      cells: [
        html`<a href="${href}">${plainName(fileName)}</a>`,
        html`${formatMoney(amount, currency)}`,
        stateOf(viewer, batch),
        html`${connection}`,
        html`${accountName(sourceAccountId) ?? '–'}`,
        html`${orders}`,
        minute(createdAt),
        problem === null ? html`–` : html`<span class="wrong">${plainName(say(language, problem))}</span>`,
      ],
    }
  })
  return cardTable(words.title, columns, rows)
}
