import { formatMoney } from '../../../kernel/money.ts'
import type { Html, Part } from '../../web/html.ts'
import { html, webAddress } from '../../web/html.ts'
import { minuteOf } from '../formats.ts'
import type { View } from '../view.ts'
import { secondsLeft } from '../view.ts'

/** The countdown shows only near the end; before that, the deadline's time is more useful. */
const COUNTDOWN_SECONDS = 300

export function money(view: View, amount: bigint): string {
  return formatMoney(amount, view.deposit.currency)
}

/** The top of the sheet: the amount, and the deadline if it still applies. */
export function head(view: View, label: string, amount: bigint, withDeadline = false): Html {
  return html`<div class="head">
    <p class="label">${label}</p>
    <p class="amount">${money(view, amount)}</p>
    ${withDeadline && deadline(view)}
  </div>`
}

function deadline(view: View): Html {
  const { words, deposit } = view
  const seconds = secondsLeft(view)
  const near = seconds <= COUNTDOWN_SECONDS
  return html`<p class="deadline">
      ${words.deadline}: <time datetime="${deposit.expiresAt.toISOString()}">${minuteOf(deposit.expiresAt)}</time>
    </p>
    <p
      class="countdown"
      id="countdown"
      data-from="${COUNTDOWN_SECONDS}"
      data-label="${words.left}"
      ${!near && html`hidden`}
    >
      ${near && words.lastMinutes}
    </p>`
}

export function title(text: Part): Html {
  return html`<h1 id="title" tabindex="-1">${text}</h1>`
}

/** The bold first line carries the meaning; the bar beside it is decoration. */
export function notice(heading: string, text: Part): Html {
  return html`<div class="notice">
    <h2>${heading}</h2>
    <p>${text}</p>
  </div>`
}

/** Inserts an untrusted name into our text. <bdi> isolates it, so that its text direction does not affect ours. */
export function sentence(write: (name: string) => string, name: string): Part {
  const [before = '', after = ''] = write('\u0000').split('\u0000')
  return html`${before}<bdi>${name}</bdi>${after}`
}

export function form({ path, query }: View, action: string, inside: Part): Html {
  return html`<form method="post" action="${path}/${action}${query}">${inside}</form>`
}

export function returnLink({ deposit, words, brand }: View): Part {
  const address = webAddress(deposit.returnUrl)
  return (
    address && html`<a class="button" href="${address}"><span>${sentence(words.returnTo, brand.displayName)}</span></a>`
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
