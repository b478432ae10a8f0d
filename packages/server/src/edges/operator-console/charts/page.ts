import type { BankPayouts, ChartPoint, Charts } from '../../../domain/overview/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Chart, ChartRow, Figure } from '../../web/console/charts/chart.ts'
import { chartCard } from '../../web/console/charts/chart.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { Page, Viewer } from '../page.ts'
import type { ChartRange } from './range.ts'
import { MAX_DAYS, rangeText } from './range.ts'
import type { ChartWords } from './words.ts'
import { WORDS } from './words.ts'

const LAST = [1, 7, 30]

export function chartsPage(viewer: Viewer, range: ChartRange, { points, payouts }: Charts): Page {
  const words = WORDS[viewer.language]
  const title = viewer.words.charts
  const hasLines = points.some(({ credits, debits }) => credits > 0n || debits > 0n)
  const [shown, byHour] = [hasLines ? points : [], points.some(({ at }) => at.includes('T'))]
  const charts = [moneyChart(words, shown), outcomesChart(viewer, shown), speedChart(words, shown)]
  const main = html`<h1>${title}</h1>
    <p class="lead">${rangeText(range)} · ${words.lead} ${byHour && words.wholeDays}</p>
    ${range.isCut && html`<p class="say" role="status">${words.cut(MAX_DAYS)}</p>`} ${rangeForm(viewer, range)}
    <p class="hint" data-drawn hidden>${words.hint}</p>
    <div class="charts">
      ${charts.map((chart) => chartCard(chart, { table: words.table, empty: words.nothing }))}
      ${chartCard(payoutsChart(viewer, payouts), { table: words.table, empty: words.noPayouts })}
    </div>`
  return { title, section: 'charts', main, withCharts: true }
}

function rangeForm({ words: shared, language, root, now }: Viewer, { from, to, last }: ChartRange): Html {
  const words = WORDS[language]
  const [first, until, today] = [from.slice(0, 10), to.slice(0, 10), istanbul(now).day]
  return html`<nav aria-label="${words.range}">
      <ul class="kinds">
        ${LAST.map(
          (days) =>
            html`<li>
              <a href="${root}/charts?last=${days}" ${days === last && html`aria-current="page"`}
                >${shared.lastDays(days)}</a
              >
            </li>`,
        )}
      </ul>
    </nav>
    <form class="filters" action="${root}/charts">
      <label class="field">${shared.from}<input type="date" name="from" value="${first}" max="${today}" /></label>
      <label class="field">${shared.to}<input type="date" name="to" value="${until}" max="${today}" /></label>
      <button class="button small">${shared.show}</button>
      <a class="to-transactions" href="${root}/transactions?from=${first}&to=${until}">${words.openList}</a>
    </form>`
}

/** 17.11.2026 09:00 on a table, 09:00 or 17.11 on an axis. Midnight names its day. */
function rowOf({ at }: ChartPoint, figures: Figure[]): ChartRow {
  const [day = '', hour] = at.split('T')
  const [year, month, date] = day.split('-')
  const short = `${date}.${month}`
  const tick = hour === undefined || hour === '00' ? short : `${hour}:00`
  return {
    ...{ label: `${short}.${year}${hour === undefined ? '' : ` ${hour}:00`}`, tick },
    ...{ from: at, to: at, figures },
  }
}

const headOf = (words: ChartWords, points: ChartPoint[]) => (points[0]?.at.includes('T') ? words.hour : words.day)
const drawn = (...labels: string[]) => labels.map((label) => ({ label, drawn: true }))
const counted = (count: number): Figure => ({ text: String(count), value: count })

function moneyChart(words: ChartWords, points: ChartPoint[]): Chart {
  const money = (amount: bigint): Figure => ({ text: formatMoney(amount), value: Number(amount) / 100 })
  return {
    ...{ id: 'money', kind: 'columns', title: words.money, head: headOf(words, points) },
    series: [...drawn(words.incoming, words.outgoing), { label: words.net, drawn: false }],
    rows: points.map((point) =>
      rowOf(point, [money(point.credits), money(point.debits), money(point.credits - point.debits)]),
    ),
  }
}

const share = ({ words }: Viewer, part: number, whole: number): Figure => {
  return { text: whole === 0 ? '–' : words.percent(Math.floor((part * 100) / whole)), value: null }
}

function outcomesChart(viewer: Viewer, points: ChartPoint[]): Chart {
  const words = WORDS[viewer.language]
  return {
    ...{ id: 'outcomes', kind: 'stack', title: words.outcomes, head: headOf(words, points) },
    series: [
      ...drawn(words.automatic, words.byHand, words.suspense, words.open),
      ...[{ label: words.share, drawn: false }],
    ],
    rows: points.map((point) => {
      const { automatic, byHand, suspense } = point
      const open = point.review + point.waiting
      const counts = [automatic, byHand, suspense, open]
      const all = counts.reduce((sum, one) => sum + one, 0)
      return rowOf(point, [...counts.map(counted), share(viewer, automatic, all)])
    }),
  }
}

function speedChart(words: ChartWords, points: ChartPoint[]): Chart {
  const { seconds: s, minutes: m, hours: h, days: d } = words.units
  const tenths = (count: number) => count.toFixed(1).replace('.', words.decimalMark)
  const time = (seconds: number) => {
    if (seconds < 60) return `${seconds.toFixed(0)} ${s}`
    if (seconds < 3600) return `${tenths(seconds / 60)} ${m}`
    return seconds < 172_800 ? `${tenths(seconds / 3600)} ${h}` : `${tenths(seconds / 86_400)} ${d}`
  }
  // A logarithm needs more than zero.
  const figure = (seconds: number | undefined): Figure =>
    seconds === undefined ? { text: '–', value: null } : { text: time(seconds), value: Math.max(1, seconds) }
  const rows = points.map((point) =>
    rowOf(
      point,
      [0, 1, 2].map((at) => figure(point.secondsToMatch?.[at])),
    ),
  )
  const hasAny = points.some(({ secondsToMatch }) => secondsToMatch !== null)
  return {
    ...{ id: 'speed', kind: 'lines', title: words.speed, lead: words.speedLead, head: headOf(words, points) },
    ...{ series: drawn(words.p50, words.p90, words.p99), rows: hasAny ? rows : [] },
  }
}

function payoutsChart(viewer: Viewer, payouts: BankPayouts[]): Chart {
  const words = WORDS[viewer.language]
  return {
    ...{ id: 'payouts', kind: 'stack', title: words.payouts, lead: words.payoutsLead, head: words.bank },
    series: [
      ...drawn(words.completed, words.returned, words.rejected, words.unfinished),
      { label: words.success, drawn: false },
    ],
    rows: payouts.map(({ bank, completed, returned, rejected, open }) => ({
      ...{ label: bank, tick: bank },
      figures: [
        ...[completed, returned, rejected, open].map(counted),
        share(viewer, completed, completed + returned + rejected),
      ],
    })),
  }
}
