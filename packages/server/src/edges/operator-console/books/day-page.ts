import type { AccountProof, DayReport } from '../../../domain/books/index.ts'
import { isUsed, ledgerTotals, proofOf, withoutBalance } from '../../../domain/books/index.ts'
import type { LineTotal } from '../../../domain/statements/index.ts'
import { addDays } from '../../../kernel/istanbul.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { age, dataTable, minute } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import { accountCard } from './account-card.ts'
import { DAY_WORDS } from './day-words.ts'
import { equation } from './equation.ts'
import { dayBadge, dayText, weekday } from './list-page.ts'
import type { DayFacts } from './sign-off.ts'
import { signOff } from './sign-off.ts'
import { sinceClose } from './since-close.ts'
import { WORDS } from './words.ts'

/** The proof of a day, on one page of paper. */
export function dayPage(viewer: Viewer, facts: DayFacts): Page {
  const { language, root } = viewer
  const words = WORDS[language]
  const { report, bookDay, institution } = facts
  const { day, accounts } = report
  const used = accounts.filter(isUsed)
  const unproven = withoutBalance(accounts.map(proofOf)).without
  const title = `${dayText(day)} ${weekday(viewer, day)}`
  const main = html`<p class="mild no-print">
      <a href="${root}/books">${words.title}</a> · <a href="${root}/books/${addDays(day, -1)}">${words.previous}</a> ·
      <a href="${root}/books/${addDays(day, 1)}">${words.following}</a>
    </p>
    <div class="print-only letterhead">
      <b>${plainName(institution)}</b>
      <p>${DAY_WORDS[language].paperTitle}</p>
    </div>
    <h1>${title}</h1>
    <p class="lead day-head">
      <span>${dayBadge(viewer, bookDay)} · ${digests(viewer, report)}</span>
      <a class="no-print" href="#sign-off">${DAY_WORDS[language].goToSignOff}</a>
      <button type="button" class="link no-print" data-print hidden>${words.print}</button>
    </p>
    ${unexplained(viewer, used)}
    ${unproven > 0 && html`<p class="note">${words.withoutBalance(unproven, used.length)}</p>`}
    ${sinceClose(viewer, report)}
    ${
      used.length === 0
        ? html`<p class="empty">${words.noAccounts}</p>`
        : html`<div class="cards ${report.closedWith && 'below'}">
            ${used.map((account) => accountCard(viewer, account, facts.lines.get(account.collectingAccountId)))}
            ${totals(viewer, used)}
          </div>`
    }
    ${openItems(viewer, report.open)} ${balances(viewer, report)} ${signOff(viewer, facts)}`
  return { title: `${words.title} ${title}`, section: 'books', main }
}

/** A sum of one account would only repeat it. */
function totals(viewer: Viewer, accounts: AccountProof[]): Html[] {
  return [...Map.groupBy(accounts, ({ currency }) => currency)]
    .filter(([, its]) => its.length > 1)
    .map(
      ([currency, its]) =>
        html`<section class="card proof totals">
          <div class="head"><b>${DAY_WORDS[viewer.language].allAccounts(its.length)}</b></div>
          ${equation(viewer, its, currency)}
        </section>`,
    )
}

/** The sum of each currency, and the accounts that it is of. */
function unexplained({ language }: Viewer, accounts: AccountProof[]): Html | false {
  const words = WORDS[language]
  const open = accounts.filter((one) => one.unexplained !== 0n)
  if (open.length === 0) return false
  const sums = [...Map.groupBy(open, ({ currency }) => currency)].map(([currency, its]) =>
    formatMoney(
      its.reduce((sum, one) => sum + one.unexplained, 0n),
      currency,
    ),
  )
  const links = open.map(
    ({ collectingAccountId, bankName, currency, unexplained: amount }, at) =>
      html`${at > 0 && ' · '}<a href="#account-${collectingAccountId}"
          >${bankName} ${formatMoney(amount, currency)}</a
        >`,
  )
  return html`<p class="say bad on-paper"><b>${words.unexplainedSum(sums.join(' + '))}</b> ${links}</p>`
}

/** Of a closed day the digest that two people signed, and beside it today's if it differs. */
function digests({ language }: Viewer, { hash, closedWith }: DayReport): Html {
  const words = WORDS[language]
  const digest = (text: string) => html`<span class="id">${text}</span>`
  if (!closedWith) return html`${words.figures} ${digest(hash)}`
  return html`${words.closedWith} ${digest(closedWith.hash)}
  ${closedWith.hash !== hash && html`· ${words.nowFigures} ${digest(hash)}`}`
}

/** Where each is worked on. */
const PATHS: Record<keyof DayReport['open'], string> = {
  suspense: '/matching?kind=suspense',
  rests: '/matching',
  credits: '/matching?kind=credits',
  debits: '/matching?kind=debits',
  receivables: '/matching',
  unknownPayouts: '/payouts',
}

function openItems(viewer: Viewer, open: DayReport['open']): Html {
  const words = WORDS[viewer.language]
  const names = Object.keys(PATHS) as (keyof DayReport['open'])[]
  const tiles = names.flatMap((name) => open[name].map((total) => tile(viewer, name, total)))
  return html`<h2>${words.openItems} <span class="mild">${minute(viewer.now)}</span></h2>
    ${tiles.length === 0 ? html`<p class="mild">${words.nothingOpen}</p>` : html`<div class="tiles">${tiles}</div>`}`
}

function tile(viewer: Viewer, name: keyof DayReport['open'], { count, amount, currency, oldest }: LineTotal): Html {
  const { root, now, words: shared } = viewer
  return html`<a class="tile" href="${root}${PATHS[name]}">
    <span>${WORDS[viewer.language].open[name]}</span>
    <span class="number">${count}</span>
    <span class="sum">${formatMoney(amount, currency)}</span>
    <span class="age">${shared.oldest(age(oldest, now, shared.age))}</span>
  </a>`
}

function balances({ language }: Viewer, report: DayReport): Html {
  const words = WORDS[language]
  return html`<h2>${words.balances}</h2>
    ${ledgerTotals(report.balances).map(({ currency, owed, result, together, cash }) => {
      const row = (label: string, amount: bigint, look: 'sum' | '' = '') => ({
        href: null,
        cells: look ? [html`<b>${label}</b>`, html`<b>${money(amount)}</b>`] : [html`${label}`, html`${money(amount)}`],
      })
      const money = (amount: bigint) => formatMoney(amount, currency)
      const group = (label: string, kinds: typeof owed) => [
        ...kinds
          .filter(({ total }) => total !== 0n)
          .map(({ kind, total }) => row(words.kinds[kind] ?? kind.replaceAll('_', ' '), total)),
        row(
          label,
          kinds.reduce((sum, { total }) => sum + total, 0n),
          'sum',
        ),
      ]
      return html`${dataTable(
        words.balances,
        [{ label: words.account }, { label: words.amount, isMoney: true }],
        [
          ...group(words.owed, owed),
          ...(result.length > 0 ? group(words.result, result) : []),
          row(words.cash, cash, 'sum'),
        ],
      )}
      ${owed.some(({ kind, total }) => kind === 'suspense' && total < 0n) && html`<p class="mild below">${words.explainedEarly}</p>`}
      ${cash !== together && html`<p class="say bad below">${words.cashDiffers}</p>`}`
    })}`
}
