import type { MerchantMoment, MerchantTimeline } from '../../../domain/overview/index.ts'
import type { EndpointHealth } from '../../../domain/webhooks/index.ts'
import { FAILURE_REASONS } from '../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { attemptList, deliveryText } from '../../web/console/callbacks/deliveries.ts'
import { noteWords, worded } from '../../web/console/codes/codes.ts'
import { maskedIban } from '../../web/console/masked.ts'
import { minute } from '../../web/console/parts.ts'
import { stateBadge } from '../../web/console/transaction-list.ts'
import type { Fact, Told } from '../../web/console/transaction-parts.ts'
import { factsAndTimeline, momentItem, refundTold } from '../../web/console/transaction-parts.ts'
import type { Page, Viewer } from '../page.ts'
import { refundCard } from '../refunds/refund-card.ts'

/** Shows nothing of collecting accounts, bank lines, the ledger or the operator's staff. `maker`: the user who asked for a refund. */
export function transactionPage(
  viewer: Viewer,
  timeline: MerchantTimeline,
  endpoints: EndpointHealth[],
  refund: { formId: string; duplicate: bigint },
  maker: (refundId: string) => string | null,
): Page {
  const { words } = viewer
  const isDeposit = timeline.kind === 'deposit'
  const subject = isDeposit ? timeline.deposit : timeline.withdrawal
  const kind = words[timeline.kind]
  const facts = isDeposit ? depositFacts(viewer, timeline.deposit) : withdrawalFacts(viewer, timeline.withdrawal)
  const moments = timeline.moments.map((moment) => momentItem(moment.at, told(viewer, moment, endpoints, maker)))
  const main = html`<h1>
      ${kind} ${formatMoney(subject.amount, subject.currency)} ${stateBadge(viewer, subject.status)}
    </h1>
    <p class="lead"><span class="id">${subject.id}</span></p>
    ${factsAndTimeline(words, facts, moments)}
    ${timeline.kind === 'deposit' && refundCard(viewer, timeline.deposit, refund)}`
  return { title: `${kind} ${subject.id.slice(-6)}`, section: isDeposit ? 'deposits' : 'withdrawals', main }
}

function depositFacts(viewer: Viewer, deposit: Extract<MerchantTimeline, { kind: 'deposit' }>['deposit']): Fact[] {
  const { words } = viewer
  const { amount, receivedAmount, refundedAmount, takenBackAmount, fee, customer, flags, reason } = deposit
  const money = (value: bigint) => formatMoney(value, deposit.currency)
  const notes = noteWords(words.codes, 'deposit', [...flags, reason ?? []].flat())
  return [
    [words.amount, money(amount)],
    [words.received, money(receivedAmount)],
    [words.fee, money(fee)],
    ...(deposit.status === 'completed' ? [[words.net, money(receivedAmount - fee)] satisfies Fact] : []),
    ...(refundedAmount > 0n ? [[words.refunded, money(refundedAmount)] satisfies Fact] : []),
    ...(takenBackAmount > 0n ? [[words.takenBack, money(takenBackAmount)] satisfies Fact] : []),
    [words.customer, plainName(customer.name)],
    [words.username, plainName(customer.username)],
    [words.code, deposit.referenceCode],
    [words.notes, notes || '–'],
    [words.expires, minute(deposit.expiresAt)],
    [words.processId, plainName(deposit.processId)],
  ]
}

function withdrawalFacts(
  viewer: Viewer,
  withdrawal: Extract<MerchantTimeline, { kind: 'withdrawal' }>['withdrawal'],
): Fact[] {
  const { words, root } = viewer
  const { state, stateReason, scheduledFor, failureReason, bankReference, refundOf } = withdrawal
  const money = (value: bigint) => formatMoney(value, withdrawal.currency)
  const notes = [
    ...(failureReason ? [reasonText(viewer, failureReason)] : []),
    ...(state === 'returned' ? [words.returned] : []),
    ...(withdrawal.settlement ? [words.settlement] : []),
    ...(stateReason === 'unconfirmed' ? [words.codes.stateReasons.unconfirmed] : []),
  ]
  return [
    [words.amount, money(withdrawal.amount)],
    [words.fee, money(withdrawal.fee)],
    [words.recipient, plainName(withdrawal.accountName)],
    [words.iban, maskedIban(withdrawal.iban)],
    [words.username, plainName(withdrawal.userName)],
    [words.notes, notes.join(', ') || '–'],
    // Other times are only those of the next try.
    ...(stateReason === 'eft_closed' && scheduledFor ? [[words.sendsAt, minute(scheduledFor)] satisfies Fact] : []),
    ...(bankReference === null ? [] : [[words.bankReference, plainName(bankReference)] satisfies Fact]),
    ...(refundOf === null
      ? []
      : [[words.refundOf, html`<a class="id" href="${root}/transactions/${refundOf}">${refundOf}</a>`] satisfies Fact]),
    [words.processId, plainName(withdrawal.processId)],
  ]
}

function reasonText({ words, language }: Viewer, reason: string): string {
  const failure = Object.entries(FAILURE_REASONS).find(([code]) => code === reason)?.[1]
  return failure?.[language] ?? worded(words.codes.depositReasons, reason)
}

function told(
  viewer: Viewer,
  moment: MerchantMoment,
  endpoints: EndpointHealth[],
  maker: (refundId: string) => string | null,
): Told {
  const { words } = viewer
  const { moments, codes } = words
  switch (moment.kind) {
    case 'created':
    case 'claimed':
      return { title: moments[moment.kind], detail: null }
    case 'status': {
      const { from, to, reason } = moment
      if (from === to) return { title: words.returned, detail: null }
      const detail = reason === null ? null : reasonText(viewer, reason)
      return { title: moments.status(worded(codes.statuses, from), worded(codes.statuses, to)), detail }
    }
    case 'refund': {
      const { id, refundReason } = moment.refund
      const facts = [maker(id), plainName(refundReason ?? '')].filter((text) => text !== null && text !== '')
      return refundTold(viewer, moment.refund, facts.join(': '))
    }
    case 'callback': {
      const { event } = moment
      const detail: Html = html`${deliveryText(viewer, event, endpoints)} ${attemptList(viewer, event.attempts)}`
      return { title: `${moments.callback} ${event.type}`, detail }
    }
  }
}

/** Of anything else that has an id. */
export function noSuchPage({ words }: Viewer): Page {
  const main = html`<h1>${words.notFoundTitle}</h1>
    <p>${words.notFoundText}</p>`
  return { title: words.notFoundTitle, section: null, main }
}

/** The same for an id of another merchant and for one that does not exist. */
export function noTransactionPage({ words }: Viewer): Page {
  const main = html`<h1>${words.notFoundTitle}</h1>
    <p>${words.noSuchTransaction}</p>`
  return { title: words.notFoundTitle, section: null, main }
}
