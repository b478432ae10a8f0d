import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { copyButton } from './copy-button.ts'
import { minute } from './parts.ts'
import type { Viewer } from './routes.ts'
import type { SharedWords } from './words-tr.ts'

export type ShownOnce = { title: string; lead: string; values: [label: string, value: string | Date][] }

/** Secrets, in the response to the form that made them. No other page shows them. */
export function shownOnce(
  { root, words }: Viewer<SharedWords>,
  back: { href: string; label: string },
  { title, lead, values }: ShownOnce,
): { title: string; main: Html } {
  const shown = (value: string | Date) =>
    value instanceof Date
      ? html`<dd>${minute(value)}</dd>`
      : html`<dd class="copied-value"><code>${value}</code> ${copyButton(words, value)}</dd>`
  const main = html`<h1>${title}</h1>
    <p class="lead">${lead}</p>
    <section class="card">
      <dl class="facts secrets">
        ${values.map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              ${shown(value)}`,
        )}
      </dl>
    </section>
    <p class="more"><a href="${root}${back.href}">${back.label}</a></p>`
  return { title, main }
}
