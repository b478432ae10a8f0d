import type { DaysToClose } from '../../../domain/books/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { age, dataTable, minute } from '../../web/console/parts.ts'
import type { Lapsed } from '../lapsed-mark.ts'
import { lapsedMark } from '../lapsed-mark.ts'
import type { Viewer } from '../page.ts'
import { amountOf } from './figure-names.ts'
import { dayText } from './list-page.ts'
import { WORDS } from './words.ts'

type Account = { iban: string; bankName: string; currency: string }
type Proposal = DaysToClose['proposals'][number]

/** Days that one person proposed to close or to reopen, with the figures of the proposal. The day's page has the proof. */
export function dayProposals(viewer: Viewer, proposals: Proposal[], accounts: Account[], lapsed: Lapsed): Html {
  const words = WORDS[viewer.language]
  return html`<h2>${words.dayProposals}</h2>
    ${
      proposals.length === 0
        ? html`<p class="empty">${words.noDayProposals}</p>`
        : html`<div class="cards">${proposals.map((one) => card(viewer, one, accounts, lapsed))}</div>`
    }`
}

function card(viewer: Viewer, proposal: Proposal, accounts: Account[], lapsed: Lapsed): Html {
  const words = WORDS[viewer.language]
  const { root, now, words: shared, name } = viewer
  const { id, day, action, decidedAt, figuresHash, equal } = proposal
  const proposers = [proposal, ...equal]
  const isOwn = proposers.every(({ operator }) => operator === name)
  const href = `${root}/books/${day}`
  return html`<article class="card proof" data-item="${id}">
    <div class="head">
      <b>${dayText(day)} · ${action === 'close' ? words.closeProposal : words.reopenProposal}</b>
      <span class="mild">${minute(decidedAt)} · ${age(decidedAt, now, shared.age)}</span>
    </div>
    <dl class="facts">
      <dt>${shared.proposedBy}</dt>
      <dd>
        ${proposers.map(
          (one) =>
            html`<div>
              ${one.operator}${lapsedMark(viewer, lapsed.get(one.id))}${one.reason !== null && `: ${plainName(one.reason)}`}
            </div>`,
        )}
      </dd>
      ${
        action === 'close' &&
        html`<dt>${words.figures}</dt>
          <dd><span class="id">${figuresHash}</span></dd>`
      }
    </dl>
    ${action === 'close' && figures(viewer, proposal, accounts)}
    <p class="acts">
      ${isOwn && html`<span class="mild">${words.ownProposal}</span> `}<a
        class="button small ${isOwn && 'plain'}"
        href="${href}"
        >${words.reviewDay}</a
      >
    </p>
  </article>`
}

const NAMES = ['opening', 'credits', 'debits', 'closing', 'ledger', 'difference'] as const

/** A row for each account that has money or lines, with the signs of the day's page. */
function figures(viewer: Viewer, { figures: all }: Proposal, accounts: Account[]): Html {
  const words = WORDS[viewer.language]
  const rows = accounts.map(({ iban, bankName, currency }) => {
    const of = (name: string) => all[`${iban} ${name}`] ?? 'null'
    const open = Object.entries(all).find(([name]) => name.startsWith(`${iban} unexplained`))
    const hasBalance = of('closing') !== 'null' || of('carried') !== 'null'
    const closing = of('closing') === 'null' ? of('carried') : of('closing')
    const difference = hasBalance
      ? String(BigInt(closing) - BigInt(of('ledger') === 'null' ? 0 : of('ledger')))
      : 'null'
    const debits = of('debits') === 'null' ? 'null' : String(-BigInt(of('debits')))
    const unexplained = open?.[1] ?? (hasBalance ? '0' : 'null')
    const values = [of('opening'), of('credits'), debits, closing, of('ledger'), difference, unexplained]
    return { iban, bankName, currency, values, hasBalance }
  })
  const used = rows.filter(({ values }) => values.some((value) => value !== '0' && value !== 'null'))
  const without = used.filter(({ hasBalance }) => !hasBalance).length
  return html`${without > 0 && html`<p class="note">${words.withoutBalance(without, used.length)}</p>`}
  ${table(viewer, used)}`
}

type Row = Account & { values: string[] }

function table({ language }: Viewer, rows: Row[]): Html {
  const words = WORDS[language]
  return dataTable(
    words.figures,
    [
      { label: words.account },
      ...NAMES.map((name) => ({ label: words[name], isMoney: true })),
      { label: words.unexplained, isMoney: true },
    ],
    rows.map(({ iban, bankName, currency, values }) => ({
      href: null,
      cells: [
        html`${bankName} …${iban.slice(-4)}`,
        ...values.map((value) => html`${amountOf(words, currency, value)}`),
      ],
    })),
  )
}
