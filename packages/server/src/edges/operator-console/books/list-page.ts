import type { BookDay, Days } from '../../../domain/books/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { dataTable, minute } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import { CLOSE_WORDS } from './close-words.ts'
import { JOURNAL_WORDS } from './journal-words.ts'
import { WORDS } from './words.ts'

/** 16.11.2026 */
export const dayText = (day: string) => day.split('-').toReversed().join('.')

const LOOKS = { before: '', running: '', open: 'busy', proposed: 'busy', closed: 'good', reopening: 'busy' } as const

export function dayBadge({ language }: Viewer, { state }: BookDay): Html {
  return html`<span class="state ${LOOKS[state]}">${WORDS[language].states[state]}</span>`
}

/** `unexplained`: of the last day that was checked, as of `at`, over all accounts; of those in use, `without` had no balance to compare with. */
type Facts = Days & { unexplained: { day: string; at: Date; amount: bigint; without: number; used: number } | null }

export function booksPage(viewer: Viewer, { days, unexplained, last }: Facts, exportForm: Html): Page {
  const { language, root, words: shared } = viewer
  const words = WORDS[language]
  const oldest = days.at(-1)?.day ?? ''
  const hasOlder = (last !== null && last < oldest) || days.some(({ events }) => events.length > 0)
  const main = html`<h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    <p class="more"><a href="${root}/books/journal">${JOURNAL_WORDS[language].title}</a></p>
    <form class="filters" action="${root}/books">
      <label class="field">${words.day}<input type="date" name="day" required /></label>
      <button class="button small plain">${words.goToDay}</button>
    </form>
    ${table(
      viewer,
      days.filter(({ state }) => state !== 'before'),
      unexplained,
    )}
    ${hasOlder && html`<p class="more"><a href="?before=${oldest}">${shared.older}</a></p>`}
    <h2>${words.exportsTitle}</h2>
    <p class="lead">${words.exportsLead}</p>
    ${exportForm}`
  return { title: words.title, section: 'books', main }
}

function table(viewer: Viewer, days: BookDay[], unexplained: Facts['unexplained']): Html {
  const { language, root } = viewer
  const words = WORDS[language]
  return dataTable(
    words.title,
    [{ label: words.day }, { label: words.state }, { label: words.who }, { label: words.unexplained, isMoney: true }],
    days.map((one) => {
      const { day, events } = one
      const [newest] = events
      const checked = unexplained?.day === day ? unexplained : null
      return {
        href: `${root}/books/${day}`,
        cells: [
          html`<a href="${root}/books/${day}">${dayText(day)}</a> <span class="mild">${weekday(viewer, day)}</span>`,
          html`${dayBadge(viewer, one)} ${one.isChanged && html`<span class="state busy">${words.changedSince}</span>`}`,
          html`${newest && whoDecided(viewer, newest)}`,
          unexplainedCell(viewer, one, checked),
        ],
      }
    }),
  )
}

/** Who proposed, and who agreed. */
function whoDecided(
  { language }: Viewer,
  { action, proposedBy, operator, decidedAt }: BookDay['events'][number],
): Html {
  const { did } = CLOSE_WORDS[language]
  return html`${`${did.proposed} ${proposedBy} · ${did[action]} ${operator}`}
    <span class="mild">${minute(decidedAt)}</span>`
}

/** Nothing unexplained is proven only where the bank gave balances. */
function unexplainedCell({ language }: Viewer, { closedWith }: BookDay, checked: Facts['unexplained']): Html {
  const words = WORDS[language]
  // What is checked after the close is not what two people saw.
  if (closedWith) return closedCell(language, closedWith)
  if (!checked) return html`<span class="mild">${CLOSE_WORDS[language].notChecked}</span>`
  const { at, amount, without, used } = checked
  const asOf = html`<span class="mild">· ${words.asOf} ${minute(at)}</span>`
  if (amount !== 0n) return html`<b class="state bad">${formatMoney(amount)}</b> ${asOf}`
  const found = without > 0 ? html`<span class="mild">${words.withoutBalance(without, used)}</span>` : formatMoney(0n)
  return html`${found} ${asOf}`
}

function closedCell(
  language: Viewer['language'],
  { at, accepted, without, used }: NonNullable<BookDay['closedWith']>,
): Html {
  const asOf = html`<span class="mild">· ${CLOSE_WORDS[language].closedAt} ${minute(at)}</span>`
  const amount =
    accepted === 0n
      ? html`${formatMoney(0n)}`
      : html`<b>${CLOSE_WORDS[language].acceptedAtClose(formatMoney(accepted))}</b>`
  return html`${amount}
  ${without > 0 && html`<span class="mild">· ${WORDS[language].withoutBalance(without, used)}</span>`} ${asOf}`
}

export function weekday({ language }: Viewer, day: string): string {
  return WORDS[language].weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? ''
}
