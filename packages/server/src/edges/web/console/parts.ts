import type { Html } from '../html.ts'
import { html } from '../html.ts'

const MINUTE = new Intl.DateTimeFormat('tr-TR', {
  timeZone: 'Europe/Istanbul',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const CLOCK = new Intl.DateTimeFormat('tr-TR', {
  timeZone: 'Europe/Istanbul',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** 15.11.2026 14:32, Istanbul time. */
export function minute(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${minuteText(at)}</time>`
}

export function minuteText(at: Date): string {
  return MINUTE.format(at)
}

/** 15.11 14:32:07, Istanbul time; the year is in the title. */
export function second(at: Date): Html {
  return html`<time datetime="${at.toISOString()}" title="${MINUTE.format(at)}"
    >${`${MINUTE.format(at).slice(0, 5)} ${CLOCK.format(at)}`}</time
  >`
}

/** 14:32, Istanbul time. */
export function clockTime(at: Date): string {
  return CLOCK.format(at).slice(0, 5)
}

export type AgeWords = { minutes: string; hours: string; days: string; now: string }

/** "3 sa", "2 g": the largest unit. */
export function age(since: Date, now: Date, words: AgeWords): string {
  const minutes = Math.floor((now.getTime() - since.getTime()) / 60_000)
  if (minutes < 1) return words.now
  if (minutes < 60) return `${minutes} ${words.minutes}`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} ${words.hours}`
  return `${Math.floor(minutes / (24 * 60))} ${words.days}`
}

type Column = { label: string; isMoney?: boolean }

type Row = { href: string | null; cells: Html[] }

/** A table whose second column, an amount, is beside the name on a phone, without its label. */
export function cardTable(caption: string, columns: Column[], rows: Row[]): Html {
  return dataTable(caption, columns, rows, 'leading')
}

/**
 * Rows of cells; a row is a link target for the keyboard if it has `data-href`. On a phone a row is a card, each cell with its
 * label: nothing of it is beside the screen.
 */
export function dataTable(caption: string, columns: Column[], rows: Row[], look = ''): Html {
  const label = (at: number) => at > 0 && columns[at]?.label && html` data-label="${columns[at].label}"`
  const className = (at: number) => (columns[at]?.isMoney ? 'money' : at === 0 ? 'name' : '')
  return html`<div class="wide">
    <table class="as-cards ${look}">
      <caption class="quiet">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ label, isMoney }) =>
            label === '' ? html`<td></td>` : html`<th scope="col" class="${isMoney && 'money'}">${label}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ href, cells }) =>
            html`<tr ${href !== null && html`data-href="${href}"`}>
              ${cells.map((cell, at) => html`<td class="${className(at)}" ${label(at)}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
