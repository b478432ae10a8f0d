import type { entriesBefore, openReceivables, openRests, ShownEntry } from '../../../domain/books/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { age, dataTable, minute } from '../../web/console/parts.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { effectFacts, lineFact } from '../approvals/entry-facts.ts'
import { WORDS as MATCHING_WORDS } from '../matching/words.ts'
import type { AccountName, MerchantNames } from '../names.ts'
import { entryLink } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import { masked } from '../reveal/personal-data.ts'
import { JOURNAL_WORDS } from './journal-words.ts'

type Entry = Awaited<ReturnType<typeof entriesBefore>>[number]
type Receivable = Awaited<ReturnType<typeof openReceivables>>[number]
type Rest = Awaited<ReturnType<typeof openRests>>[number]

/** `older`: before which entry the next page begins. */
type List = {
  entries: Entry[]
  older: string | null
  receivables: Receivable[]
  rests: Rest[]
  accountName: AccountName
}

/** What is owed and what is left over are on the first page only. */
export function journalPage(viewer: Viewer, { entries, older, ...open }: List): Page {
  const words = JOURNAL_WORDS[viewer.language]
  const main = html`<p class="mild"><a href="${viewer.root}/books">${viewer.words.books}</a></p>
    <h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    ${receivablesTable(viewer, open)} ${restsTable(viewer, open)}
    ${open.receivables.length + open.rests.length > 0 && html`<h2>${words.title}</h2>`}
    ${entries.length === 0 ? html`<p class="empty">${words.none}</p>` : entriesTable(viewer, entries)}
    ${older !== null && html`<p class="more"><a href="?before=${older}">${viewer.words.older}</a></p>`}`
  return { title: words.title, section: 'books', main }
}

function entriesTable(viewer: Viewer, entries: Entry[]): Html {
  const words = JOURNAL_WORDS[viewer.language]
  return dataTable(
    words.title,
    [words.when, words.kind, viewer.words.proposedBy, words.approvedBy, words.state].map((label) => ({ label })),
    entries.map((entry) => {
      const { id, kind, postedAt, approvedBy } = entry
      const href = `${viewer.root}/books/journal/${id}`
      return {
        href,
        cells: [
          html`<a href="${href}">${minute(postedAt)}</a>`,
          html`${viewer.words.codes.journal[kind]}`,
          html`${whoOf(viewer, entry)}`,
          html`${approvedBy ?? '–'}`,
          stateOf(viewer, entry),
        ],
      }
    }),
  )
}

function stateOf({ language }: Viewer, { reversedAt }: Entry): Html {
  const words = JOURNAL_WORDS[language]
  if (reversedAt !== null) return html`<span class="state">${words.reversed}</span>`
  return html`<span class="state good">${words.posted}</span>`
}

function receivablesTable(
  viewer: Viewer,
  { receivables, accountName }: Pick<List, 'receivables' | 'accountName'>,
): Html {
  if (receivables.length === 0) return html``
  const words = JOURNAL_WORDS[viewer.language]
  return html`<h2>${words.receivables}</h2>
    <p class="lead">${words.receivablesLead}</p>
    ${dataTable(
      words.receivables,
      [
        { label: words.entry },
        { label: words.account },
        { label: words.left, isMoney: true },
        { label: words.owed, isMoney: true },
        ...[words.since, words.why, words.line].map((label) => ({ label })),
      ],
      receivables.map(({ entryId, lineId, account, amount, open, since, reason }) => ({
        href: null,
        cells: [
          entryLink(viewer, entryId),
          html`${accountName(account.subject ?? null) ?? '–'}`,
          html`${formatMoney(amount, account.currency)}`,
          html`${formatMoney(open, account.currency)}`,
          html`${age(since, viewer.now, viewer.words.age)}`,
          html`${plainName(reason)}`,
          lineLink(viewer, lineId),
        ],
      })),
    )}`
}

function restsTable(viewer: Viewer, { rests, accountName }: Pick<List, 'rests' | 'accountName'>): Html {
  if (rests.length === 0) return html``
  const words = JOURNAL_WORDS[viewer.language]
  const data = masked(viewer)
  const refund = (restOf: string) => new URLSearchParams({ entry: 'refund_unexplained.of_rest', restOf }).toString()
  return html`<h2>${words.rests}</h2>
    <p class="lead">${words.restsLead}</p>
    ${dataTable(
      words.rests,
      [
        { label: words.entry },
        { label: words.account },
        { label: words.sender },
        { label: words.rest, isMoney: true },
        { label: words.line },
        { label: '' },
      ],
      rests.map(({ entryId, line, amount }) => ({
        href: null,
        cells: [
          entryLink(viewer, entryId),
          html`${accountName(line.collectingAccountId) ?? '–'}`,
          html`${data.name(line.senderName) || '–'}`,
          html`${formatMoney(amount, line.currency)}`,
          lineLink(viewer, line.id),
          html`<a href="${viewer.root}/matching/entry?${refund(entryId)}">${words.refundRest}</a>`,
        ],
      })),
    )}`
}

const lineLink = ({ root }: Viewer, id: string) => html`<a class="id" href="${root}/matching/${id}">${id}</a>`

type Named = { merchants: MerchantNames; accountName: AccountName; refund: string | null }

const whoOf = ({ language }: Viewer, { proposedBy, reason }: Entry) =>
  proposedBy === null ? JOURNAL_WORDS[language].nobody : html`${proposedBy}: ${plainName(reason)}`

/** One entry: who proposed and approved it, what it booked, and how it is taken back. Personal data is masked; the page of a line shows it. */
export function entryPage(
  viewer: Viewer,
  shown: ShownEntry & { entry: Entry },
  { merchants, accountName, refund }: Named,
): Page {
  const { words: shared, root } = viewer
  const words = JOURNAL_WORDS[viewer.language]
  const { entry } = shown
  const { id, kind, reason, proposedBy, proposedAt, approvedBy, postedAt, reversedAt } = entry
  const title = shared.codes.journal[kind]
  const reverse = new URLSearchParams({ entry: 'reversal', reverses: id }).toString()
  const main = html`<p class="mild"><a href="${root}/books/journal">${words.title}</a></p>
    <h1>${title}</h1>
    <article class="card">
      <div class="head">
        <span>${stateOf(viewer, entry)}</span>
        <span class="mild">${minute(postedAt)} · ${age(postedAt, viewer.now, shared.age)}</span>
      </div>
      <dl class="facts">
        <dt>${approvedBy === null ? words.bookedBy : shared.proposedBy}</dt>
        <dd>
          ${proposedBy === null ? words.nobody : html`${proposedBy}, ${minute(proposedAt)}: ${plainName(reason)}`}
        </dd>
        ${
          approvedBy !== null &&
          html`<dt>${words.approvedBy}</dt>
            <dd>${approvedBy}, ${minute(postedAt)}</dd>`
        }
        ${shown.lines.length > 0 && lineFact(viewer, shown, accountName, () => masked(viewer))}
        ${effectFacts(viewer, shown, merchants, accountName)}
        ${
          refund !== null &&
          html`<dt>${words.refund}</dt>
            <dd><a class="id" href="${root}/transactions/${refund}">${refund}</a></dd>`
        }
        <dt>${words.entry}</dt>
        <dd><span class="id">${id}</span></dd>
      </dl>
      <p class="more">
        ${reversedAt === null && html`<a href="${root}/matching/entry?${reverse}">${MATCHING_WORDS[viewer.language].reverse}</a> · `}
        <a href="${root}/audit?${new URLSearchParams({ subject: `journal:${id}` }).toString()}">${words.audit}</a>
      </p>
    </article>`
  return { title, section: 'books', main }
}
