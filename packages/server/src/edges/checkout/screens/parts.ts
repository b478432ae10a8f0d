import { payableUntil } from '../../../domain/deposits/index.ts'
import type { Html, Part } from '../../web/html.ts'
import { html, webAddress } from '../../web/html.ts'
import { minuteIn, moneyIn } from '../../web/money-and-time.ts'
import { headingOf } from '../titles.ts'
import type { View } from '../view.ts'
import { secondsLeft } from '../view.ts'

/** The countdown shows only near the end; before that, the deadline's time is more useful. */
const COUNTDOWN_SECONDS = 300

export function money(view: View, amount: bigint): string {
  return moneyIn(view.language, amount, view.deposit.currency)
}

/** A time as the customer reads it. */
export function minute({ language }: View, date: Date): string {
  return minuteIn(language, date)
}

/** The top of the sheet: the amount, and the deadline if it still applies. */
export function head(view: View, label: string, amount: bigint, withDeadline = false): Html {
  return html`<div class="head">
    <p class="label">${label}</p>
    <p class="amount">${money(view, amount)}</p>
    ${order(view)} ${withDeadline && deadline(view)}
  </div>`
}

function order({ words, order: { number, description } }: View): Part {
  if (number === null && description === null) return null
  return html`<p class="order">
    ${number !== null && html`${words.order} <bdi>${number}</bdi>`}${number !== null && description !== null && ' · '}${description !== null && html`<bdi>${description}</bdi>`}
  </p>`
}

/** The script fills in the minutes, and near the end the countdown; its line has the same height in both. */
function deadline(view: View): Html {
  const { words, deposit } = view
  const until = payableUntil(deposit)
  const near = secondsLeft(view) <= COUNTDOWN_SECONDS
  return html`<p class="deadline">
      ${words.deadline}: <time datetime="${until.toISOString()}">${minute(view, until)}</time>
      <span class="zone">${words.istanbul}</span>
    </p>
    <p
      class="countdown ${near && 'near'}"
      id="countdown"
      data-from="${COUNTDOWN_SECONDS}"
      data-label="${words.left}"
      data-minutes="${words.minutesLeft}"
    >
      ${near && words.lastMinutes}
    </p>`
}

export function title(view: View, mark?: Html): Html {
  return html`<h1 id="title" tabindex="-1">${mark}${headingOf(view)}</h1>`
}

/** The bold first line carries the meaning; the bar beside it is decoration. */
export function notice(heading: string, text: Part): Html {
  return html`<div class="notice">
    <h2>${heading}</h2>
    <p>${text}</p>
  </div>`
}

/** Inserts untrusted names into our text. <bdi> isolates each, so that its text direction does not affect ours. */
export function sentence(write: (...names: string[]) => string, ...names: string[]): Part {
  // One mark for each name, as languages put them in different places.
  const marked = write(...names.map((_, index) => `\u0000${index}\u0000`)).split('\u0000')
  return marked.map((part, index) => (index % 2 === 0 ? part : html`<bdi>${names[Number(part)]}</bdi>`))
}

export function form({ path, query }: View, action: string, inside: Part): Html {
  return html`<form method="post" action="${path}/${action}${query}">${inside}</form>`
}

/** Every page has one in its footer, too; the styles hide that one beside this button. */
export function returnLink({ deposit, words, brand }: View): Part {
  const address = webAddress(deposit.returnUrl)
  return (
    address &&
    html`<a class="button back" href="${address}"><span>${sentence(words.returnTo, brand.displayName)}</span></a>`
  )
}

export function actions(...parts: Part[]): Part {
  return parts.some(Boolean) && html`<div class="actions">${parts}</div>`
}

export function facts(rows: [label: string, value: Part][]): Html {
  return html`<dl class="facts">
    ${rows.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}
