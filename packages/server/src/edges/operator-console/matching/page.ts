import type { StoredLine } from '../../../domain/statements/index.ts'
import { OPEN_KINDS } from '../../../domain/statements/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { lineReason } from '../../web/console/codes/codes.ts'
import { liveList, livePart } from '../../web/console/live-part.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Page, Viewer } from '../page.ts'
import { masked } from '../reveal/personal-data.ts'
import { RULES_PATH } from '../rules/page.ts'
import { RULE_WORDS } from '../rules/words.ts'
import { bookedAge } from './booked-time.ts'
import type { Desk } from './desk.ts'
import { addressFor, isFiltered } from './filter.ts'
import { DESK_WORDS } from './desk-words.ts'
import { WORDS } from './words.ts'

/** The list beside one line. `isList`: no line was asked for, so that a phone shows the list alone. */
export function deskPage(viewer: Viewer, desk: Desk, current: string | null, pane: Html, isList: boolean): Page {
  const words = WORDS[viewer.language]
  const main = html`<div class="desk ${isList ? 'at-list' : 'at-line'}">
    <section class="queue" aria-labelledby="queue">
      <h1 id="queue">${words.title}</h1>
      <p class="mild"><a href="${viewer.root}${RULES_PATH}">${RULE_WORDS[viewer.language].title}</a></p>
      ${livePart('count', html`${desk.count !== '0' && html`<p class="mild">${words.count(desk.count)}</p>`}`)}
      ${filterForm(viewer, desk)} ${liveList(viewer, 'queue', queue(viewer, desk, current))}
    </section>
    <div class="work-on">
      <p class="to-list"><a href="${viewer.root}/matching${addressFor(desk.filter)}">${words.toList}</a></p>
      ${pane}
    </div>
  </div>`
  // The first line of the list may be another by the time the script asks.
  const at = `/matching${current === null ? '' : `/${current}`}${addressFor(desk.filter)}`
  return { title: words.title, section: 'matching', main, at }
}

function queue(viewer: Viewer, desk: Desk, current: string | null): Html {
  const words = WORDS[viewer.language]
  const { filter, lines, hasMore } = desk
  const last = lines.at(-1)
  if (lines.length === 0)
    return html`<p class="empty">
      ${isFiltered(filter) ? words.emptyFiltered : words.empty}
      ${isFiltered(filter) && html`<br /><a href="${viewer.root}/matching">${words.allLines}</a>`}
    </p>`
  return html`<ol class="lines" aria-label="${words.lines}">
      ${lines.map((line) => queued(viewer, desk, line, line.id === current))}
    </ol>
    ${
      hasMore &&
      last &&
      html`<p class="more">
        <a href="${viewer.root}/matching${addressFor({ ...filter, after: last.id })}">${words.more}</a>
      </p>`
    }`
}

function queued(viewer: Viewer, desk: Desk, line: StoredLine, isCurrent: boolean): Html {
  const { id, reason, senderName, narrative, collectingAccountId } = line
  const data = masked(viewer)
  const facts = [data.name(senderName), data.text(narrative, [senderName], desk.numbers)].filter((text) => text !== '')
  return html`<li data-item="${id}">
    <a href="${viewer.root}/matching/${id}${addressFor(desk.filter)}" ${isCurrent && html`aria-current="true"`}>
      <span class="top"
        ><b class="amount">${signed(line)}</b> <span class="mild">${bookedAge(viewer, line)}</span></span
      >
      <span class="cut">${facts.join(' · ')}</span>
      <span class="mild cut"
        >${desk.accountName(collectingAccountId)}${reason && ` · ${lineReason(viewer.words.codes, reason)}`}</span
      >
      ${desk.unconfirmed.has(id) && html`<span><span class="state bad">${DESK_WORDS[viewer.language].unconfirmed}</span></span>`}
      ${desk.waiting.has(id) && html`<span><span class="state busy">${DESK_WORDS[viewer.language].waits}</span></span>`}
    </a>
  </li>`
}

/** Outgoing money has a minus sign. */
export function signed({ direction, amount, currency }: StoredLine): string {
  return formatMoney(direction === 'debit' ? -amount : amount, currency)
}

function filterForm(viewer: Viewer, { filter, accounts }: Desk): Html {
  const { filters, kinds, directions } = WORDS[viewer.language]
  const choice = (name: string, label: string, chosen: string | null, choices: [string, string][]) =>
    html`<label class="field"
      >${label}
      <select name="${name}">
        ${option('', filters.any, chosen === null)}
        ${choices.map(([value, text]) => option(value, text, value === chosen))}
      </select>
    </label>`
  return html`<details class="narrow" ${isFiltered(filter) && html`open`}>
    <summary>${filters.show}</summary>
    <form class="filters" action="${viewer.root}/matching">
      ${choice(
        'kind',
        filters.kind,
        filter.kind,
        OPEN_KINDS.map((kind) => [kind, kinds[kind]]),
      )}
      ${choice('direction', filters.direction, filter.direction, Object.entries(directions))}
      ${choice(
        'account',
        filters.account,
        filter.accountId,
        accounts.map(({ id, name }) => [id, plainName(name)]),
      )}
      <label class="field"
        >${filters.amount}<input
          name="amount"
          value="${filter.text}"
          inputmode="decimal"
          maxlength="30"
          placeholder="${filters.amountHint}"
      /></label>
      <button class="button small">${filters.show}</button>
    </form>
  </details>`
}
