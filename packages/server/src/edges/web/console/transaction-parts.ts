import type { Withdrawal } from '../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html, Part } from '../html.ts'
import { html } from '../html.ts'
import { second } from './parts.ts'
import type { SharedWords } from './words-tr.ts'

export type Fact = [label: string, value: Part]

/** What one moment of a timeline says. */
export type Told = { title: string; detail: Part; look?: 'money' | 'people' }

/** A refund of a deposit, as far as it has come. `facts`: who made it, and why. */
export function refundTold(
  { words, root }: { words: SharedWords; root: string },
  refund: Withdrawal,
  facts: string,
): Told {
  const { id, state, status, amount, currency } = refund
  const isOver = state === 'failed' || state === 'returned'
  const how = isOver ? 'failed' : status === 'completed' ? 'made' : 'underWay'
  const link = html`<a class="id" href="${root}/transactions/${id}">${id}</a>`
  const detail = facts === '' ? link : html`${facts} · ${link}`
  return { title: words.refund[how](formatMoney(amount, currency)), detail, look: 'money' }
}

export function momentItem(at: Date, { title, detail, look }: Told): Html {
  return html`<li class="${look ?? ''}">
    ${second(at)}
    <div>
      <p><b>${title}</b></p>
      ${detail && html`<div class="mild">${detail}</div>`}
    </div>
  </li>`
}

/** Facts beside the timeline. */
export function factsAndTimeline(words: SharedWords, facts: Fact[], moments: Html[]): Html {
  return html`<div class="pair">
    <section class="card" aria-labelledby="facts">
      <h2 id="facts" class="first">${words.facts}</h2>
      <dl class="facts">
        ${facts.map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
    </section>
    <section class="card" aria-labelledby="timeline">
      <h2 id="timeline" class="first">${words.timeline}</h2>
      <ol class="moments">
        ${moments}
      </ol>
    </section>
  </div>`
}
