import type { Html, Part } from '../html.ts'
import { html } from '../html.ts'
import { second } from './parts.ts'
import type { SharedWords } from './words-tr.ts'

export type Fact = [label: string, value: Part]

/** What one moment of a timeline says. */
export type Told = { title: string; detail: Part; look?: 'money' | 'people' }

export function momentItem(at: Date, { title, detail, look }: Told): Html {
  return html`<li class="${look ?? ''}">
    ${second(at)}
    <div>
      <p><b>${title}</b></p>
      ${detail && html`<p class="mild">${detail}</p>`}
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
