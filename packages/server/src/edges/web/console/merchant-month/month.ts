import type { MerchantMonth } from '../../../../domain/books/index.ts'
import { isDay, isMonth, istanbul } from '../../../../kernel/istanbul.ts'
import { formatMoney } from '../../../../kernel/money.ts'
import type { Html } from '../../html.ts'
import { html, plainName } from '../../html.ts'
import { worded } from '../codes/codes.ts'
import { dataTable } from '../parts.ts'
import type { Viewer as AnyViewer } from '../routes.ts'
import type { SharedWords } from '../words-tr.ts'
import { MONTH_WORDS } from './words.ts'

type Viewer = AnyViewer<SharedWords>
type Account = MerchantMonth['currencies'][number]
type Entry = MerchantMonth['entries'][number]
/** `path`: of the page that shows it. */
type Shown = { path: string; month: string; day: string | null; found: MerchantMonth }

const MOST_SHOWN = 200
const PARTS = ['deposits', 'withdrawals', 'returns', 'other', 'fees'] as const
/** 17.11.2026. */
export const shownDay = (day: string) => day.split('-').toReversed().join('.')

type Asked = { query: Record<string, unknown>; viewer: { now: Date } }

/** The month that an address asks for, else this one, and a day of it. One movement more than are shown. */
export function monthWanted({ query: { month, day }, viewer: { now } }: Asked) {
  return {
    month: typeof month === 'string' && isMonth(month) ? month : istanbul(now).day.slice(0, 7),
    day: typeof day === 'string' && isDay(day) ? day : null,
    ...{ limit: MOST_SHOWN + 1, now },
  }
}

/** A choice of the month; per currency its sums, its days, and the movements of one of them. */
export function monthParts(viewer: Viewer, shown: Shown): Html {
  const words = MONTH_WORDS[viewer.language]
  const { path, month, found } = shown
  return html`<form class="filters spaced" action="${viewer.root}${path}">
      <label class="field">${words.month}<input type="month" name="month" value="${month}" /></label>
      <button class="button small">${viewer.words.show}</button>
    </form>
    ${found.currencies.map((account) => accountPart(viewer, account, shown))}`
}

export function figure(label: string, amount: string): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd>${amount}</dd>
  </div>`
}

/** Opening, what moved, closing; then each day with its closing balance. */
function accountPart(viewer: Viewer, { balance, days }: Account, shown: Shown): Html {
  const { day, month, found } = shown
  const words = MONTH_WORDS[viewer.language]
  const money = (amount: bigint) => formatMoney(amount, balance.currency)
  const closing = month === istanbul(viewer.now).day.slice(0, 7) ? words.closingNow : words.closing
  const its = found.entries.filter(({ currency }) => currency === balance.currency)
  return html`<dl class="strip sums">
      ${figure(`${words.opening} (${balance.currency})`, money(balance.opening))}
      ${PARTS.filter((part) => balance[part] !== 0n).map((part) => figure(words[part], money(balance[part])))}
      ${figure(`${closing} (${balance.currency})`, money(balance.closing))}
    </dl>
    ${days.length === 0 ? html`<p class="empty">${words.noDays}</p>` : daysTable(viewer, { balance, days }, shown)}
    ${day !== null && its.length > 0 && movements(viewer, day, its, balance.currency)}`
}

function daysTable(viewer: Viewer, { balance, days }: Account, { path, month }: Shown): Html {
  const words = MONTH_WORDS[viewer.language]
  const money = (amount: bigint) => html`${formatMoney(amount, balance.currency)}`
  return html`<h2>${words.days}</h2>
    ${dataTable(
      words.days,
      [{ label: words.day }, ...[words.amount, words.fee, words.atEnd].map((label) => ({ label, isMoney: true }))],
      days.toReversed().map(({ day, amount, fee, closing }) => {
        const href = `${viewer.root}${path}?month=${month}&day=${day}#movements`
        return {
          href,
          cells: [html`<a href="${href}">${shownDay(day)}</a>`, money(amount), money(-fee), money(closing)],
        }
      }),
    )}`
}

function movements(viewer: Viewer, day: string, entries: Entry[], currency: string): Html {
  const words = MONTH_WORDS[viewer.language]
  const money = (amount: bigint) => html`${formatMoney(amount, currency)}`
  const title = words.movements(shownDay(day))
  return html`<h2 id="movements">${title}</h2>
    ${dataTable(
      title,
      [
        { label: words.event },
        ...[words.amount, words.fee, words.net].map((label) => ({ label, isMoney: true })),
        { label: words.reference },
      ],
      entries.slice(0, MOST_SHOWN).map(({ kind, net, fee, subjectId, processId }) => ({
        href: null,
        cells: [
          html`${words.events[kind] ?? worded(viewer.words.codes.entries, kind)}`,
          money(net + fee),
          money(-fee),
          money(net),
          processId === null
            ? html`<span class="id">${plainName(subjectId)}</span>`
            : html`<a class="id" href="${viewer.root}/transactions/${subjectId}">${plainName(processId)}</a>`,
        ],
      })),
    )}
    ${entries.length > MOST_SHOWN && html`<p class="hint">${words.shortened(MOST_SHOWN)}</p>`}`
}
