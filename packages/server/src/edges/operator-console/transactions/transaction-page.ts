import type { Said } from '../../../platform/refusal.ts'
import { NO_MERCHANT } from '../../../domain/ledger/index.ts'
import { isManual } from '../../../domain/connections/index.ts'
import type { Payout } from '../../../domain/withdrawals/index.ts'
import { wasNotSent } from '../../../domain/withdrawals/index.ts'
import type { Timeline } from '../../../domain/overview/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { noteWords, worded } from '../../web/console/codes/codes.ts'
import { minute } from '../../web/console/parts.ts'
import type { AccountName, MerchantNames } from '../names.ts'
import { entryLink, merchantName } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import type { Fact } from '../../web/console/transaction-parts.ts'
import { factsAndTimeline, momentItem } from '../../web/console/transaction-parts.ts'
import { namedLines } from '../payouts/named-lines.ts'
import { revealForm } from '../reveal/form.ts'
import type { PersonalData } from '../reveal/personal-data.ts'
import { teller } from './moments.ts'
import { WORDS } from './words.ts'
import { stateBadge } from '../../web/console/transaction-list.ts'

/** One transaction on one page: its facts, and everything that happened, oldest first. */
export function transactionPage(
  viewer: Viewer,
  timeline: Timeline,
  facts: { merchants: MerchantNames; accountName: AccountName; data: PersonalData; lines: Said[] },
): Page {
  const { words } = viewer
  const { merchants, accountName, data, lines } = facts
  const isDeposit = timeline.kind === 'deposit'
  const subject = isDeposit ? timeline.deposit : timeline.withdrawal
  const kind = isDeposit ? words.deposit : words.withdrawal
  const known = isDeposit
    ? depositFacts(viewer, timeline.deposit, accountName, data)
    : [
        ...withdrawalFacts(viewer, timeline, accountName, data),
        ...(lines.length > 0 ? [[words.onStatement, namedLines(viewer, lines)] satisfies Fact] : []),
      ]
  const neverPaid = !isDeposit && wasNeverPaid(timeline.payout)
  const byHand = !isDeposit && isByHand(timeline.payout)
  // No bank was asked.
  const moments = timeline.moments.filter((one) => !byHand || one.kind !== 'call' || one.call.kind !== 'find')
  const told = teller(viewer, { merchantId: subject.merchantId, data, neverPaid, byHand, moments })
  const main = html`<h1>
      ${kind} ${formatMoney(subject.amount, subject.currency)}
      ${neverPaid ? html`<span class="state bad">${WORDS[viewer.language].neverPaid}</span>` : stateBadge(viewer, subject.status)}
    </h1>
    <p class="lead"><span class="id">${subject.id}</span> · ${merchantName(words, merchants, subject.merchantId)}</p>
    ${revealForm(viewer, data, `/transactions/${subject.id}/reveal`)}
    ${factsAndTimeline(
      words,
      known,
      moments.map((moment) => momentItem(moment.at, told(moment))),
    )}`
  return { title: `${kind} ${subject.id.slice(-6)}`, section: 'transactions', main }
}

function depositFacts(
  { words }: Viewer,
  deposit: Extract<Timeline, { kind: 'deposit' }>['deposit'],
  accountName: AccountName,
  data: PersonalData,
): Fact[] {
  const money = (amount: bigint) => formatMoney(amount, deposit.currency)
  return [
    [words.amount, money(deposit.amount)],
    [words.received, money(deposit.receivedAmount)],
    ...(deposit.refundedAmount > 0n ? [[words.refunded, money(deposit.refundedAmount)] satisfies Fact] : []),
    ...(deposit.takenBackAmount > 0n ? [[words.takenBack, money(deposit.takenBackAmount)] satisfies Fact] : []),
    [words.fee, money(deposit.fee)],
    [words.customer, data.name(deposit.customer.name)],
    [words.code, deposit.referenceCode],
    [words.account, accountName(deposit.collectingAccountId) ?? words.noAccountYet],
    [words.notes, noteWords(words.codes, 'deposit', [...deposit.flags, deposit.reason ?? []].flat()) || '–'],
    [words.expires, minute(deposit.expiresAt)],
    [words.processId, plainName(deposit.processId)],
  ]
}

function withdrawalFacts(
  viewer: Viewer,
  { withdrawal, payout, moments }: Extract<Timeline, { kind: 'withdrawal' }>,
  accountName: AccountName,
  data: PersonalData,
): Fact[] {
  const { words } = viewer
  const money = (amount: bigint) => formatMoney(amount, withdrawal.currency)
  const { state, stateReason, failureReason, firstTimeIban } = withdrawal
  const notes = noteWords(words.codes, 'withdrawal', [state, stateReason ?? [], failureReason ?? []].flat())
  return [
    [words.amount, money(withdrawal.amount)],
    [words.fee, money(withdrawal.fee)],
    [words.recipient, data.name(withdrawal.accountName)],
    [
      words.iban,
      [data.iban(withdrawal.iban), firstTimeIban && html`<br /><span class="mild">${words.firstTime}</span>`],
    ],
    [words.notes, payoutNote(viewer, payout) ?? notes],
    [words.sentFrom, accountName(withdrawal.sourceAccountId) ?? '–'],
    [words.payout, payout ? payoutWords(viewer, payout) : words.noPayout],
    [words.bankReference, payout?.bankReference ?? '–'],
    ...(withdrawal.merchantId === NO_MERCHANT
      ? ofRefund(viewer, withdrawal.processId, moments)
      : [[words.processId, plainName(withdrawal.processId)] satisfies Fact]),
  ]
}

/** Our own refunds have the number of their journal entry, which names the lines. */
function ofRefund(viewer: Viewer, journalId: string, moments: Timeline['moments']): Fact[] {
  const entry = moments.find((moment) => moment.kind === 'journal' && moment.entry.id === journalId)
  const lineIds = entry?.kind === 'journal' ? entry.entry.details.terms.lineIds : []
  return [
    [viewer.words.entryOfRefund, entryLink(viewer, journalId)],
    ...lineIds.map((id): Fact => [
      WORDS[viewer.language].refundedLine,
      html`<a class="id" href="${viewer.root}/matching/${id}">${id}</a>`,
    ]),
  ]
}

/** By decision of two people. Its state is that of a return, but nothing had left. */
const wasNeverPaid = (payout: Payout | null) => payout?.state === 'returned' && wasNotSent(payout)

const isByHand = (payout: Payout | null) => payout !== null && isManual(payout.connection)
const waitsByHand = (payout: Payout | null) => isByHand(payout) && payout?.state === 'asking'

/** What its state does not tell. */
function payoutNote({ root, language }: Viewer, payout: Payout | null): Html | null {
  if (wasNeverPaid(payout)) return html`${WORDS[language].neverPaid}`
  return waitsByHand(payout) ? html`<a href="${root}/payouts/by-hand">${WORDS[language].waitsByHand}</a>` : null
}

function payoutWords({ language, words }: Viewer, payout: Payout): string {
  const { rails, withdrawalStates, callOutcomes } = words.codes
  const { rail, connection, state } = payout
  const shown = waitsByHand(payout) ? WORDS[language].waitsByHand : withdrawalStates[state]
  return `${worded(rails, rail)}, ${connection}, ${wasNeverPaid(payout) ? callOutcomes.never_paid : shown}`
}

export function noTransactionPage({ words }: Viewer): Page {
  const main: Html = html`<h1>${words.notFoundTitle}</h1>
    <p>${words.noSuchTransaction}</p>`
  return { title: words.notFoundTitle, section: 'transactions', main }
}
