import type { BookDay, Days } from '../../../domain/books/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { dataTable, minute } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import { WORDS } from './words.ts'

/** 16.11.2026 */
export const dayText = (day: string) => day.split('-').toReversed().join('.')

const LOOKS = { running: '', open: 'busy', proposed: 'busy', closed: 'good', reopening: 'busy' } as const

export function dayBadge({ language }: Viewer, { state }: BookDay): Html {
  return html`<span class="state ${LOOKS[state]}">${WORDS[language].states[state]}</span>`
}

/** `unexplained`: of the last day that was checked, over all accounts. */
type Facts = Days & { unexplained: { day: string; amount: bigint } | null }

export function booksPage(viewer: Viewer, { days, unexplained, last }: Facts, exportForm: Html): Page {
  const { language, root, words: shared } = viewer
  const words = WORDS[language]
  const oldest = days.at(-1)?.day ?? ''
  const hasOlder = (last !== null && last < oldest) || days.some(({ events }) => events.length > 0)
  const main = html`<h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    <form class="filters" action="${root}/books">
      <label class="field">${words.day}<input type="date" name="day" required /></label>
      <button class="button small plain">${words.goToDay}</button>
    </form>
    ${table(viewer, days, unexplained)}
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
      const open = unexplained?.day === day ? unexplained.amount : null
      return {
        href: `${root}/books/${day}`,
        cells: [
          html`<a href="${root}/books/${day}">${dayText(day)}</a> <span class="mild">${weekday(viewer, day)}</span>`,
          dayBadge(viewer, one),
          html`${newest && html`${newest.operator} <span class="mild">${minute(newest.decidedAt)}</span>`}`,
          open === null || open === 0n
            ? html`${open === null ? words.none : formatMoney(0n)}`
            : html`<b class="state bad">${formatMoney(open)}</b>`,
        ],
      }
    }),
  )
}

export function weekday({ language }: Viewer, day: string): string {
  return WORDS[language].weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? ''
}
