import { say } from '../../../acts/refusals/say.ts'
import type { FilePreview, Finding } from '../../../domain/statements/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { dataTable } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { WORDS } from './words.ts'

const LOOKS = { refused: 'bad', problem: 'bad', note: '' } as const

/** A text is in the language of the page already. */
export type ShownFinding = Omit<Finding, 'what'> & { what: Said | string }

/** The worst first. `isCompared`: the balances of all statements were compared with ours. */
export function findingsList({ language }: Viewer, findings: ShownFinding[], isCompared = false): Html {
  const words = WORDS[language]
  if (findings.length === 0) return html`<p class="say fine">${isCompared ? words.allFits : words.nothingFound}</p>`
  const order = ['refused', 'problem', 'note']
  const sorted = findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  return html`<ul class="findings">
    ${sorted.map((one) => {
      const { severity, what } = one
      return html`<li>
        <span class="state ${LOOKS[severity]}">${words.severity[severity]}</span>
        <div>
          <b>${words.checks[findingName(one)]}</b>
          <p>${plainName(typeof what === 'string' ? what : say(language, what))}</p>
        </div>
      </li>`
    })}
  </ul>`
}

export const findingName = ({ check, missing, found }: ShownFinding) =>
  check ?? (missing ? 'missing' : found ? 'found' : 'other')

const day = (text: string) => text.split('-').toReversed().join('.')

export function periodText({ fromDay, toDay }: { fromDay: string | null; toDay: string | null }): string {
  if (fromDay === null || toDay === null) return '–'
  return fromDay === toDay ? day(fromDay) : `${day(fromDay)} – ${day(toDay)}`
}

type StatementRow = {
  account: string
  currency: string
  fromDay: string | null
  toDay: string | null
  lines: number
  opening: bigint | null
  credits: bigint
  debits: bigint
  closing: bigint | null
}

export function statementsTable({ language }: Viewer, rows: StatementRow[]): Html {
  const words = WORDS[language]
  if (rows.length === 0) return html`<p class="empty">–</p>`
  const sums = [words.lineCount, words.opening, words.credits, words.debits, words.closing]
  return dataTable(
    words.statements,
    [{ label: words.account }, { label: words.period }, ...sums.map((label) => ({ label, isMoney: true }))],
    rows.map(({ account, currency, lines, opening, credits, debits, closing, ...period }) => {
      const money = (amount: bigint | null) => html`${amount === null ? '–' : formatMoney(amount, currency)}`
      return {
        href: null,
        cells: [
          html`${account}`,
          html`${periodText(period)}`,
          html`${lines}`,
          money(opening),
          money(credits),
          money(-debits),
          money(closing),
        ],
      }
    }),
  )
}

type CountName = keyof (typeof WORDS)['tr']['counts']

/** Of `more` only those that are not zero. */
export function countsStrip({ language }: Viewer, counts: [CountName, number][], more: [CountName, number][]): Html {
  const words = WORDS[language]
  return html`<dl class="strip">
    ${[...counts, ...more.filter(([, count]) => count > 0)].map(
      ([name, count]) =>
        html`<div>
          <dt>${words.counts[name]}</dt>
          <dd>${count}</dd>
        </div>`,
    )}
  </dl>`
}

/** What an import would do: how many lines, what the checks found, and the statements. */
export function previewFigures(viewer: Viewer, { counts, findings, statements }: FilePreview): Html {
  const words = WORDS[viewer.language]
  const { lines, pending, unread, suspected, known } = counts
  const rows = statements.map(({ account, ...one }) => ({
    ...one,
    account: account ? `${account.bankName} …${account.iban.slice(-4)}` : words.notOurs,
    currency: account?.currency ?? 'TRY',
  }))
  return html`${countsStrip(
      viewer,
      [
        ['new', counts.new],
        ['known', known],
        ['lines', lines],
      ],
      [
        ['suspected', suspected],
        ['unread', unread],
        ['pending', pending],
      ],
    )}
    <h2>${words.checksTitle}</h2>
    ${findingsList(
      viewer,
      findings,
      statements.every((one) => one.isCompared && one.opening !== null),
    )}
    <h2>${words.statements}</h2>
    ${statementsTable(viewer, rows)}`
}

export function sizeText(bytes: number): string {
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'kB'] : [bytes / 1024 / 1024, 'MB']
  return `${value.toFixed(1).replace('.', ',')} ${unit}`
}
