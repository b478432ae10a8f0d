import { createHash } from 'node:crypto'
import type { MerchantStatement } from '../../domain/books/index.ts'
import { formatMoney } from '../../kernel/money.ts'
import { minute } from './console/parts.ts'
import type { Html } from './html.ts'
import { drawn, html, plainName, render } from './html.ts'
import type { StatementLanguage } from './merchant-statement-words.ts'
import { STATEMENT_WORDS } from './merchant-statement-words.ts'

type Words = (typeof STATEMENT_WORDS)[StatementLanguage]
type Account = MerchantStatement['currencies'][number]

/** A page without any address in it: it can be sent, stored and printed (A4). */
export function statementPage(
  statement: MerchantStatement,
  language: StatementLanguage,
  { operator, at }: { operator: string; at: Date },
): string {
  const words = STATEMENT_WORDS[language]
  const { merchant, from, to, currencies, detailed } = statement
  const period = `${dayOf(from, language)} – ${dayOf(to, language)}`
  const page = html`<html lang="${language}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${words.title} · ${plainName(merchant.name)} · ${from.slice(0, 7)}</title>
      ${drawn(`<style>${CSS}</style>`)}
    </head>
    <body>
      <header>
        <p class="operator">${plainName(operator)}</p>
        <h1>${words.title}</h1>
        <dl>
          <div>
            <dt>${words.merchant}</dt>
            <dd>${plainName(merchant.name)}</dd>
          </div>
          <div>
            <dt>${words.number}</dt>
            <dd class="id">${merchant.id}</dd>
          </div>
          <div>
            <dt>${words.period}</dt>
            <dd>${period}</dd>
          </div>
        </dl>
      </header>
      ${currencies.map((account) => accountPart(account, words, language))}
      ${currencies.length === 0 && html`<p class="none">${words.none}</p>`}
      <footer>${detailed ? '' : `${words.shortened} `}${words.note} ${words.made}: ${minute(at)}</footer>
    </body>
  </html>`
  return `<!doctype html>\n${render(page)}\n`
}

function accountPart({ balance, days }: Account, words: Words, language: StatementLanguage): Html {
  const money = (amount: bigint) => formatMoney(amount, balance.currency)
  const parts = (['deposits', 'withdrawals', 'returns', 'other', 'fees'] as const).filter(
    (name) => balance[name] !== 0n,
  )
  const sum = (name: string, amount: bigint, kind = '') =>
    html`<div class="${kind}">
      <dt>${name}</dt>
      <dd>${money(amount)}</dd>
    </div>`
  return html`<main>
    <dl class="sums">
      ${sum(words.opening, balance.opening, 'end')} ${parts.map((name) => sum(words[name], balance[name]))}
      ${sum(words.closing, balance.closing, 'end')}
    </dl>
    ${days.length === 0 && html`<p class="none">${words.none}</p>`}
    ${
      days.length > 0 &&
      html`<table>
        <thead>
          <tr>
            <th>${words.movement}</th>
            <th>${words.reference}</th>
            <th>${words.amount}</th>
            <th>${words.fee}</th>
            <th>${words.net}</th>
          </tr>
        </thead>
        ${days.map((day) => dayPart(day, words, language, money))}
      </table>`
    }
  </main>`
}

function dayPart(
  day: Account['days'][number],
  words: Words,
  language: StatementLanguage,
  money: (amount: bigint) => string,
): Html {
  return html`<tbody>
    <tr class="day">
      <th colspan="2">${dayOf(day.day, language)}</th>
      <td>${money(day.amount)}</td>
      <td>${money(-day.fee)}</td>
      <td>${money(day.amount - day.fee)}</td>
    </tr>
    ${day.entries.map(
      ({ kind, aboutDay, processId, subjectId, net, fee }) =>
        html`<tr>
          <td>
            ${words.events[kind] ?? words.other}${aboutDay !== null && html`<small>${words.about} ${dayOf(aboutDay, language)}</small>`}
          </td>
          <td class="id">${processId ?? ''}<small>${subjectId}</small></td>
          <td>${money(net + fee)}</td>
          <td>${fee === 0n ? '' : money(-fee)}</td>
          <td>${money(net)}</td>
        </tr>`,
    )}
    <tr class="balance">
      <td colspan="4">${words.balance}</td>
      <td>${money(day.closing)}</td>
    </tr>
  </tbody>`
}

function dayOf(day: string, language: StatementLanguage): string {
  const options = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(language === 'tr' ? 'tr-TR' : 'en-GB', options).format(new Date(`${day}T00:00:00Z`))
}

const CSS = `
@page { size: A4; margin: 16mm 15mm 18mm; }
* { box-sizing: border-box; }
html { background: #eef0f3; }
body { width: 210mm; max-width: 100%; min-height: 297mm; margin: 24px auto; padding: 18mm 16mm; background: #fff; color: #1b2430;
  font: 13px/1.45 "IBM Plex Sans", "Segoe UI", "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums; }
header { padding-bottom: 18px; border-bottom: 2px solid #1b2430; }
.operator { margin: 0 0 20px; font-weight: 600; color: #44505f; }
h1 { margin: 0 0 16px; font-size: 27px; line-height: 1.15; letter-spacing: -0.01em; }
dl { margin: 0; }
header dl { display: flex; flex-wrap: wrap; gap: 10px 40px; }
dt { color: #5b6776; font-size: 11.5px; }
dd { margin: 0; }
header dd { font-weight: 600; }
.id { overflow-wrap: anywhere; }
.sums { margin: 22px 0 26px; padding: 6px 18px; background: #f5f7f9; border-radius: 8px; break-inside: avoid; }
.sums div { display: flex; justify-content: space-between; align-items: baseline; padding: 6px 0; }
.sums div + div { border-top: 1px solid #e1e6eb; }
.sums dt { font-size: 13px; }
.sums .end dt, .sums .end dd { color: #1b2430; font-weight: 700; }
.sums .end:last-child dd { font-size: 17px; }
table { width: 100%; border-collapse: collapse; }
thead th { padding: 0 0 7px 10px; color: #5b6776; font-size: 11.5px; font-weight: 500; text-align: right; }
th:first-child, td:first-child { padding-left: 0; text-align: left; }
thead th:nth-child(2), td:nth-child(2):not(:last-child).id { text-align: left; }
td { padding: 6px 0 6px 10px; text-align: right; vertical-align: top; white-space: nowrap; }
td.id { max-width: 62mm; font-size: 12px; white-space: normal; }
tbody tr { border-top: 1px solid #edf0f3; break-inside: avoid; }
tr.day { border-top: 1px solid #1b2430; break-after: avoid; }
tr.day th, tr.day td { padding: 9px 0 6px 10px; font-weight: 700; vertical-align: baseline; }
tr.day th { padding-left: 0; }
tr.balance td { padding-bottom: 18px; color: #5b6776; text-align: right; }
tr.balance td:last-child { color: #1b2430; font-weight: 600; }
small { display: block; color: #5b6776; font-size: 10.5px; }
.none { margin: 28px 0; color: #5b6776; }
footer { margin-top: 26px; padding-top: 12px; border-top: 1px solid #e1e6eb; color: #5b6776; font-size: 11px; }
thead { display: table-header-group; }
@media print { html { background: none; } body { width: auto; min-height: 0; margin: 0; padding: 0; }
  .sums { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
`

/** Where a browser shows it: its own style, no code, nothing from elsewhere. */
export const STATEMENT_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(CSS).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox',
].join('; ')
