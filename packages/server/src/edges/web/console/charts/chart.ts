import type { Html } from '../../html.ts'
import { html } from '../../html.ts'

/** `columns`: the second series goes down. `stack`: one on the other. `lines`: seconds, on a logarithmic scale. */
type ChartKind = 'columns' | 'stack' | 'lines'

/** A figure as it is read, and as it is drawn; null: there is none. */
export type Figure = { text: string; value: number | null }

/** `tick`: on the axis. `from`, `to`: what a selection of the row asks for; none: nothing can be selected. */
export type ChartRow = { label: string; tick: string; from?: string; to?: string; figures: Figure[] }

export type Chart = {
  /** Of its heading. */
  id: string
  kind: ChartKind
  title: string
  lead?: string
  /** Label of the first column. */
  head: string
  /** Drawn ones first; the others are only in the table. */
  series: { label: string; drawn: boolean }[]
  rows: ChartRow[]
}

type ChartWords = { table: string; empty: string }

/** A chart and the table that it is drawn from. Without the script the table is all there is. */
export function chartCard({ id, kind, title, lead, head, series, rows }: Chart, { table, empty }: ChartWords): Html {
  const drawn = series.filter((one) => one.drawn)
  if (rows.length === 0)
    return html`<section class="card chart" aria-labelledby="${id}">
      <h2 id="${id}" class="first">${title}</h2>
      <p class="empty">${empty}</p>
    </section>`
  return html`<section class="card chart" aria-labelledby="${id}" data-chart="${kind}" data-series="${drawn.length}">
    <h2 id="${id}" class="first">${title}</h2>
    ${lead !== undefined && html`<p class="hint">${lead}</p>`}
    <div data-drawn hidden>
      <ul class="legend">
        ${drawn.map(({ label }, at) => html`<li><span class="swatch ${kind} n${at + 1}"></span>${label}</li>`)}
      </ul>
      <div class="plot" role="img" aria-labelledby="${id}"></div>
      <p class="readout mild"></p>
    </div>
    <details open>
      <summary>${table}</summary>
      <div class="wide" tabindex="0" role="region" aria-label="${title}">
        <table>
          <caption class="quiet">
            ${title}
          </caption>
          <thead>
            <tr>
              <th scope="col">${head}</th>
              ${series.map(({ label }) => html`<th scope="col" class="money">${label}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(tableRow)}
          </tbody>
        </table>
      </div>
    </details>
  </section>`
}

function tableRow({ label, tick, from, to, figures }: ChartRow): Html {
  const range = from !== undefined && html` data-from="${from}" data-to="${to}"`
  return html`<tr data-tick="${tick}" ${range}>
    <th scope="row">${label}</th>
    ${figures.map(({ text, value }) => html`<td class="money" data-value="${value === null ? '' : value}">${text}</td>`)}
  </tr>`
}
