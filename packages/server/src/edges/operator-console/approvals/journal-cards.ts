import type { ShownEntry } from '../../../domain/books/index.ts'
import { groupedIban } from '../../../kernel/iban.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { age, minute } from '../../web/console/parts.ts'
import type { Lapsed } from '../lapsed-mark.ts'
import { lapsedMark } from '../lapsed-mark.ts'
import type { AccountName, MerchantNames } from '../names.ts'
import { entryLink } from '../names.ts'
import { unconfirmedMarks } from '../entered/origin.ts'
import { correctionNotes } from '../matching/correction-notes.ts'
import { DESK_WORDS } from '../matching/desk-words.ts'
import { outcomeList, transactionLink } from '../matching/outcome-list.ts'
import { accountWords } from '../matching/proposal-preview.ts'
import { WORDS as MATCHING_WORDS } from '../matching/words.ts'
import type { Viewer } from '../page.ts'
import type { DataOf } from '../reveal/personal-data.ts'
import { decisionForm } from '../../web/console/decision-form.ts'

/** Journal entries that another person has to approve. The approval is refused if anything of it has changed. */
export function journalCards(
  viewer: Viewer,
  shown: ShownEntry[],
  merchants: MerchantNames,
  accountName: AccountName,
  dataOf: DataOf,
  lapsed: Lapsed,
): Html {
  const { words } = viewer
  return html`<h2>${words.entries}</h2>
    ${
      shown.length === 0
        ? html`<p class="empty">${words.noEntries}</p>`
        : html`<div class="cards">
            ${shown.map((one) => card(viewer, one, merchants, accountName, dataOf, lapsed))}
          </div>`
    }`
}

function card(
  viewer: Viewer,
  shown: ShownEntry,
  merchants: MerchantNames,
  accountName: AccountName,
  dataOf: DataOf,
  lapsed: Lapsed,
): Html {
  const { words, now } = viewer
  const { entry, lines, isStale } = shown
  const { id, kind, reason, proposedBy, proposedAt } = entry
  return html`<article class="card" data-item="${id}">
    <div class="head">
      <b>${words.codes.journal[kind]}</b>
      <span class="mild">${minute(proposedAt)} · ${age(proposedAt, now, words.age)}</span>
    </div>
    <dl class="facts">
      <dt>${words.proposedBy}</dt>
      <dd>${proposedBy}${lapsedMark(viewer, lapsed.get(id))}: ${plainName(reason)}</dd>
      ${lineFact(viewer, shown, accountName, dataOf)} ${recipient(viewer, entry, lines, dataOf)}
      ${effectFacts(viewer, shown, merchants, accountName)}
    </dl>
    ${acts(viewer, entry, { isStale, isLapsed: lapsed.has(id) })}
  </article>`
}

export function lineFact(
  viewer: Viewer,
  { lines, unconfirmed, corrections }: ShownEntry,
  accountName: AccountName,
  dataOf: DataOf,
): Html {
  return html`<dt>${viewer.words.lines}</dt>
    <dd>
      ${lineItems(viewer, lines, accountName, dataOf)} ${unconfirmedMarks(viewer, unconfirmed)}
      ${correctionNotes(viewer, corrections)}
    </dd>`
}

/** What it books, and what becomes of lines, deposits and payouts. */
export function effectFacts(
  viewer: Viewer,
  { entry, accounts, subject }: ShownEntry,
  merchants: MerchantNames,
  accountName: AccountName,
): Html {
  // A warning for who decides.
  const isOfSender = subject.isOfSender && entry.state === 'proposed'
  return html`<dt>${viewer.words.effects}</dt>
    <dd>
      ${accounts.map(({ account, change }) => {
        const sign = change > 0n ? '+' : ''
        return html`<p>
          ${accountWords(viewer, account, { accountName, merchants })}: ${sign}${formatMoney(change, account.currency)}
        </p>`
      })}
    </dd>
    <dt>${DESK_WORDS[viewer.language].outcome}</dt>
    <dd>
      ${outcomeList(viewer, { seen: entry.details.seen, subject: { ...subject, isOfSender }, merchants })}
      ${saidTerms(viewer, entry, { subject, merchants })}
    </dd>`
}

function lineItems({ root }: Viewer, lines: ShownEntry['lines'], accountName: AccountName, dataOf: DataOf): Html[] {
  const numbers = new Set(lines.flatMap(({ bankReference }) => bankReference ?? []))
  return lines.map(({ id, direction, amount, currency, senderName, narrative, collectingAccountId }) => {
    const data = dataOf(`line:${id}`)
    const facts = [
      formatMoney(direction === 'debit' ? -amount : amount, currency),
      accountName(collectingAccountId) ?? '',
      data.name(senderName),
      data.text(narrative, [senderName], numbers),
    ]
    const told = facts.filter((text) => text !== '').join(' · ')
    return html`<p>${told} · <a class="id" href="${root}/matching/${id}">${id}</a></p>`
  })
}

/** What was said with the proposal, and does not follow from its bookings. */
function saidTerms(
  viewer: Viewer,
  { details: { terms, seen }, reverses }: ShownEntry['entry'],
  names: Parameters<typeof transactionLink>[1],
): Html {
  const { inputs } = MATCHING_WORDS[viewer.language]
  const { depositId, withdrawalId, notPayouts = [], settles, restOf, rest, charge } = terms
  const told = new Set([...seen.deposits.map(({ id }) => id), ...(seen.payout ?? '').split(', ')])
  const currency = seen.entries[0]?.transfers[0]?.from.currency ?? ''
  const transaction = (id: string | undefined) =>
    id !== undefined && !told.has(id) && transactionLink(viewer, names, id)
  const rows: [string, Html | string | false | undefined][] = [
    [inputs.deposit, transaction(depositId)],
    [inputs.withdrawal, transaction(withdrawalId)],
    ...notPayouts.map((id): [string, Html] => [inputs.notPayout, transactionLink(viewer, names, id)]),
    [inputs.settles, settles && entryLink(viewer, settles)],
    [inputs.restOf, restOf && entryLink(viewer, restOf)],
    [inputs.rest, rest && formatMoney(rest.amount, currency)],
    [inputs.charge, charge && formatMoney(charge.amount, currency)],
    [inputs.reverses, reverses === null ? undefined : entryLink(viewer, reverses)],
  ]
  const said = rows.filter(([, value]) => value !== undefined && value !== false)
  return html`${said.map(([label, value]) => html`<p>${label}: ${value ?? ''}</p>`)}`
}

/** Where a refund goes: if not back to the sender, in full, because the second person answers for it. */
function recipient(viewer: Viewer, entry: ShownEntry['entry'], lines: ShownEntry['lines'], dataOf: DataOf): Html {
  const { words } = viewer
  const { kind, details } = entry
  const { iban, name: holder = '' } = details.terms
  if (kind !== 'refund_unexplained') return html``
  if (iban === undefined) {
    const [line] = lines
    const data = dataOf(`line:${line?.id ?? ''}`)
    // The rest of a split has no line here; the plan says the account.
    const sender = [
      holder === '' ? data.name(line?.senderName ?? '') : plainName(holder),
      toSender(data, line, details),
    ]
    return html`<dt>${words.recipient}</dt>
      <dd>${sender.filter((text) => text !== '').join(' · ')} (${DESK_WORDS[viewer.language].toSender})</dd>`
  }
  const [line] = lines
  const name = holder === '' ? dataOf(`line:${line?.id ?? ''}`).name(line?.senderName ?? '') : plainName(holder)
  return html`<dt>${words.otherRecipient}</dt>
    <dd><b class="state bad">${name} · ${groupedIban(plainName(iban))}</b></dd>`
}

const toSender = (
  data: ReturnType<DataOf>,
  line: ShownEntry['lines'][number] | undefined,
  { seen }: ShownEntry['entry']['details'],
) => (line?.senderIban ? data.iban(line.senderIban) : (seen.payout ?? ''))

const whyField = ({ words }: Viewer) =>
  html`<label class="field">${words.takeBackWhy}<input name="why" required minlength="5" maxlength="200" /></label>`

/** Who proposed it may take it back. */
function ownForms(viewer: Viewer, id: string): Html {
  const { words } = viewer
  return html`<p class="acts mild">${words.ownProposal}</p>
    <div class="acts">
      ${decisionForm(viewer, 'journal.reject', `/journal/${id}/withdraw`, whyField(viewer), words.withdrawEntry, 'plain')}
    </div>`
}

/** What cannot be approved any more can be rejected. */
function acts(
  viewer: Viewer,
  { id, proposedBy }: ShownEntry['entry'],
  { isStale, isLapsed }: { isStale: boolean; isLapsed: boolean },
): Html {
  return html`${isStale && html`<p class="say bad">${viewer.words.staleEntry}</p>`}
  ${proposedBy === viewer.name ? ownForms(viewer, id) : forms(viewer, id, !isStale && !isLapsed)}`
}

function forms(viewer: Viewer, id: string, fits: boolean): Html {
  const { words } = viewer
  const why = whyField(viewer)
  return html`<div class="acts">
    ${fits && decisionForm(viewer, 'journal.approve', `/journal/${id}/approve`, html``, words.approve)}
    ${decisionForm(viewer, 'journal.reject', `/journal/${id}/reject`, why, words.reject, 'danger')}
  </div>`
}
