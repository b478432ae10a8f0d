import type { ShownEntry } from '../../../domain/books/index.ts'
import { groupedIban } from '../../../kernel/iban.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
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

/** What an entry that waits for approval would book, and to whom its money goes. */
export function proposedEntry(
  viewer: Viewer,
  shown: ShownEntry,
  merchants: MerchantNames,
  accountName: AccountName,
  dataOf: DataOf,
): Html {
  return html`<dl class="facts spaced">
    ${lineFact(viewer, shown, accountName, dataOf)} ${recipient(viewer, shown, dataOf)}
    ${effectFacts(viewer, shown, merchants, accountName)}
  </dl>`
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
  { reverses, details, isOpen, accounts, subject }: ShownEntry,
  merchants: MerchantNames,
  accountName: AccountName,
): Html {
  // A warning for who decides.
  const isOfSender = subject.isOfSender && isOpen
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
      ${outcomeList(viewer, { seen: details.seen, subject: { ...subject, isOfSender }, merchants })}
      ${saidTerms(viewer, { details, reverses }, { subject, merchants })}
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
  { details: { terms, seen }, reverses }: Pick<ShownEntry, 'details' | 'reverses'>,
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
function recipient(viewer: Viewer, { kind, details, lines }: ShownEntry, dataOf: DataOf): Html {
  const { words } = viewer
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
  { seen }: ShownEntry['details'],
) => (line?.senderIban ? data.iban(line.senderIban) : (seen.payout ?? ''))
