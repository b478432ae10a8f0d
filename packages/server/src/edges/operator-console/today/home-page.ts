import type { DayTotals, Work, WorkName } from '../../../domain/overview/index.ts'
import { WORK_GROUPS } from '../../../domain/overview/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { livePart } from '../../web/console/live-part.ts'
import { age, dataTable, minute } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'

export type HomeFacts = {
  work: Work[]
  money: [today: DayTotals, weekAgo: DayTotals]
  feeds: Feed[]
}

/** `hasLines`: the bank booked some for us today. */
type Feed = { bank: string | null; source: string; readAt: Date | null; hasLines: boolean }

/** A bank's API is read every few seconds. What is not read for so long stays in sight. */
const LATE_MS = 15 * 60_000

/** Where each pile is worked on. */
const PATHS: Partial<Record<WorkName, string>> = {
  withdrawals_to_approve: '/approvals#withdrawals',
  proposals_to_approve: '/approvals#proposals',
  unknown_payouts: '/payouts',
  payouts_to_send: '/payouts/by-hand',
  payouts_without_debit: '/payouts/unseen',
  returns_without_credit: '/payouts/unseen#credits',
  unexplained_differences: '/accounts',
  unread_lines: '/unread',
  entered_not_shown: '/statements/enter#not-shown',
  failing_endpoints: '/callbacks?only=failing',
  suspense: '/matching?kind=suspense',
  credits_to_review: '/matching?kind=credits',
  debits_to_explain: '/matching?kind=debits',
  days_to_close: '/books',
  closed_days_changed: '/books',
  accepted_differences: '/accounts',
}

export function homePage(viewer: Viewer, { work, money, feeds }: HomeFacts): Page {
  const { words, now } = viewer
  const parts = html`<p class="lead">${minute(now)}</p>
    ${moneyStrip(viewer, money)}
    ${WORK_GROUPS.map(
      (group) =>
        html`<h2>${words.groups[group]}</h2>
          <div class="tiles">${work.filter((one) => one.group === group).map((one) => tile(viewer, one))}</div>`,
    )}
    <h2>${words.feeds}</h2>
    ${feedsPart(viewer, feeds)}`
  const main = html`<h1>${words.home}</h1>
    ${livePart('home', parts)}`
  return { title: words.home, section: 'home', main }
}

/** Those that someone should look at, then some with lines today; the others are folded. */
function feedsPart(viewer: Viewer, feeds: Feed[]): Html {
  const { words, now } = viewer
  if (feeds.length === 0) return html`<p class="empty">${words.noFeeds}</p>`
  const isLate = ({ readAt }: Feed) => readAt === null || now.getTime() - readAt.getTime() > LATE_MS
  const rank = (feed: Feed) => (isLate(feed) ? 0 : feed.hasLines ? 1 : 2)
  const sorted = feeds.toSorted((a, b) => rank(a) - rank(b))
  const late = sorted.filter(isLate).length
  const withLines = sorted.filter((feed) => rank(feed) < 2).length || MOST_SHOWN
  const shown = sorted.slice(0, Math.max(late, Math.min(MOST_SHOWN, withLines)))
  const others = sorted.slice(shown.length)
  if (others.length <= FEW) return feedsTable(viewer, sorted)
  return html`${feedsTable(viewer, shown)}
    <details>
      <summary>${words.otherFeeds(others.length)}</summary>
      ${feedsTable(viewer, others)}
    </details>`
}

/** So few are not worth a click; so many fit beside the rest of the page. */
const FEW = 3
const MOST_SHOWN = 6

function feedsTable({ words, now }: Viewer, feeds: Feed[]): Html {
  return dataTable(
    words.feeds,
    [{ label: words.feedBank }, { label: words.feed }, { label: words.lastRead }, { label: words.lag }],
    feeds.map(({ bank, source, readAt }) => ({
      href: null,
      cells: [
        html`${bank ?? '–'}`,
        html`${source}`,
        readAt ? minute(readAt) : html`${words.neverRead}`,
        html`${readAt ? age(readAt, now, words.age) : '–'}`,
      ],
    })),
  )
}

function moneyStrip({ words, root }: Viewer, [today, before]: HomeFacts['money']): Html {
  const lira = (amount: bigint) => formatMoney(amount)
  const share = ({ count, automatic }: DayTotals) =>
    count === 0 ? '–' : words.percent(Math.floor((automatic * 100) / count))
  const rows: [string, string, bigint, bigint][] = [
    [words.incoming, '/transactions?kind=deposit', today.credits, before.credits],
    [words.outgoing, '/transactions?kind=withdrawal', today.debits, before.debits],
    [words.net, `/books/${today.day}`, today.credits - today.debits, before.credits - before.debits],
  ]
  return html`<dl class="strip" aria-label="${words.moneyToday}">
    ${rows.map(
      ([label, path, now, then]) =>
        html`<div>
          <dt><a href="${root}${path}">${label}</a></dt>
          <dd>${lira(now)}</dd>
          <dd><small>${words.weekAgo(lira(then))}</small></dd>
        </div>`,
    )}
    <div>
      <dt>${words.automaticShare}</dt>
      <dd>${share(today)}</dd>
      <dd><small>${words.weekAgo(share(before))}</small></dd>
    </div>
  </dl>`
}

function tile(viewer: Viewer, { name, group, count, amounts, oldest, events = 0, isCalm = false }: Work): Html {
  const { words, root, now } = viewer
  const path = PATHS[name]
  const look = count === 0 ? 'none' : group === 'broken' && !isCalm ? 'alarm' : ''
  const inside = html`<span>${words.work[name]}</span>
    <span class="number">${count === 0 ? words.nothing : count}</span>
    ${amounts.map(({ currency, amount }) => html`<span class="sum">${formatMoney(amount, currency)}</span>`)}
    ${events > 0 && html`<span class="sum">${words.eventsWaiting(events)}</span>`}
    ${oldest && html`<span class="age">${words.oldest(age(oldest, now, words.age))}</span>`}`
  return path === undefined
    ? html`<div class="tile ${look}">${inside}</div>`
    : html`<a class="tile ${look}" href="${root}${path}">${inside}</a>`
}
