import type { ShownProposal } from '../../../domain/proposals/index.ts'
import type { PayoutRules } from '../../../domain/merchants/index.ts'
import type { PaidTo, Withdrawal } from '../../../domain/withdrawals/index.ts'
import { seenToApprove } from '../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { liveList, livePart } from '../../web/console/live-part.ts'
import { age, minute } from '../../web/console/parts.ts'
import type { MerchantNames } from '../names.ts'
import { merchantName } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import type { Lapsed } from '../proposals/lapsed.ts'
import { lapsedMark } from '../proposals/lapsed.ts'
import { revealForm } from '../reveal/form.ts'
import type { DataOf } from '../reveal/personal-data.ts'
import { decisionForm } from '../../web/console/decision-form.ts'

/**
 * `approvals`: that wait for a second one; more than one only if someone has written one in SQL. `rules`: those of the merchant now. `paid`: what it has paid to the IBAN.
 * `toIban`: how many withdrawals to the IBAN are pending, this one too, and under how many names.
 */
export type ToApprove = {
  withdrawal: Withdrawal
  approvals: ShownProposal[]
  available: bigint
  rules: PayoutRules | null
  paid: PaidTo | null
  toIban: { count: number; names: number }
}

/** Sections of the page, as tiles of the first page lead to them. */
const SECTIONS = ['withdrawals', 'proposals'] as const

/** `others`: the other sections, in order. `ended`: what was decided about cards that may be on the screen. */
export function approvalsPage(
  viewer: Viewer,
  waiting: ToApprove[],
  lapsed: Lapsed,
  merchants: MerchantNames,
  dataOf: DataOf,
  others: Html[],
  ended: Html,
): Page {
  const { words } = viewer
  const withdrawals = html`<h2>${words.withdrawals}</h2>
    ${
      waiting.length === 0
        ? html`<p class="empty">${words.noApprovals}</p>`
        : html`<div class="cards">${waiting.map((one) => approvalCard(viewer, one, lapsed, merchants, dataOf))}</div>`
    }`
  const kinds = [withdrawals, ...others].map((one, place) => html`<section id="${SECTIONS[place]}">${one}</section>`)
  const main = html`<h1>${words.approvals}</h1>
    <p class="lead">${words.approvalsLead}</p>
    ${livePart('ended', ended)} ${liveList(viewer, 'approvals', html`<div class="to-decide">${kinds}</div>`)}`
  return { title: words.approvals, section: 'approvals', main }
}

function approvalCard(
  viewer: Viewer,
  { withdrawal, approvals, available, rules, paid, toIban }: ToApprove,
  lapsed: Lapsed,
  merchants: MerchantNames,
  dataOf: DataOf,
): Html {
  const { words, root, now } = viewer
  const { id, amount, currency, iban, accountName, merchantId, processId, stateReason, createdAt } = withdrawal
  const data = dataOf(`withdrawal:${id}`)
  return html`<article class="card" data-item="${id}">
    <div class="head">
      <span class="amount">${formatMoney(amount, currency)}</span>
      <span class="mild">${minute(createdAt)} · ${age(createdAt, now, words.age)}</span>
    </div>
    <dl class="facts">
      <dt>${words.recipient}</dt>
      <dd>
        ${data.name(accountName)}, ${data.iban(iban)}${paid === null && html` · <b>${words.firstTime}</b>`}
        ${paid && html`<p class="mild">${words.paidTo(paid.count, formatMoney(paid.amount, currency))} ${minute(paid.last)}</p>`}
        ${sameIban(viewer, toIban)}
      </dd>
      <dt>${words.merchant}</dt>
      <dd>${merchantName(words, merchants, merchantId)}</dd>
      <dt>${words.processId}</dt>
      <dd>${plainName(processId)}</dd>
      <dt>${words.rule}</dt>
      <dd>${stateReason === null ? '–' : words.codes.stateReasons[stateReason]} ${ruleFigures(withdrawal, rules)}</dd>
      <dt>${words.balanceAfter}</dt>
      <dd>${formatMoney(available, currency)}</dd>
      <dt>${words.saidYes}</dt>
      <dd>${approvals.length === 0 ? words.noOneYet : approvals.map((one) => approver(viewer, one, lapsed))}</dd>
      <dt>${words.id}</dt>
      <dd><a class="id" href="${root}/transactions/${id}">${id}</a></dd>
    </dl>
    ${revealForm(viewer, data, `/withdrawals/${id}/reveal`)} ${forms(viewer, withdrawal, approvals, lapsed)}
  </article>`
}

/** The figures of the rule that asks for approval. */
function ruleFigures({ stateReason, amount, currency }: Withdrawal, rules: PayoutRules | null): string {
  const money = (limit: bigint | null) => (limit === null ? [] : [formatMoney(limit, currency)])
  const count = (limit: number | null) => (limit === null ? [] : [`${limit} ×`])
  if (!rules) return ''
  const figures = {
    amount: money(rules.approvalThreshold).map((limit) => `${formatMoney(amount, currency)} ≥ ${limit}`),
    merchant_day: [...money(rules.dailyAmount), ...count(rules.dailyCount)],
    iban_day: [...money(rules.dailyIbanAmount), ...count(rules.dailyIbanCount)],
  }
  const own = figures[stateReason as keyof typeof figures] ?? []
  return own.length > 0 ? `(${own.join(', ')})` : ''
}

function approver(viewer: Viewer, { id, isForged, proposedBy, proposedAt }: ShownProposal, lapsed: Lapsed): Html {
  const since = html`<span class="mild">${minute(proposedAt)} · ${age(proposedAt, viewer.now, viewer.words.age)}</span>`
  return html`<p>${proposedBy}${lapsedMark(viewer, isForged ? 'noMark' : lapsed.get(id))} ${since}</p>`
}

/** Names are masked on the cards: no one would see that they differ. */
function sameIban({ words }: Viewer, { count, names }: ToApprove['toIban']): Html | false {
  if (count < 2) return false
  return names < 2
    ? html`<p class="mild">${words.pendingToIban(count)}</p>`
    : html`<p>${words.pendingToIban(count)}: <b class="state bad">${words.differentNames(names)}</b></p>`
}

const reasonField = ({ words }: Viewer, name: string) =>
  html`<label class="field"
    >${words.takeBackWhy}<input name="${name}" required minlength="${MIN_REASON_LENGTH}" maxlength="200"
  /></label>`

/** Who gave an approval may take it back. One that does not count any more is closed before another is given. */
function forms(viewer: Viewer, withdrawal: Withdrawal, approvals: ShownProposal[], lapsed: Lapsed): Html {
  const { words, name } = viewer
  const ended = approvals.filter(({ id, isStale, isForged }) => isStale || isForged || lapsed.has(id))
  const own = approvals.find(({ proposedBy, isForged }) => proposedBy === name && !isForged)
  const isOver = own ? ended.includes(own) : ended.length > 0
  return html`${isOver && html`<p class="say bad">${words.countsNoMore}</p>`}
    ${own && !isOver && html`<p class="acts mild">${words.youApproved}</p>`}
    <div class="acts">${own ? takeBack(viewer, own) : decisions(viewer, withdrawal, ended)}</div>`
}

const takeBack = (viewer: Viewer, { id }: ShownProposal) =>
  decisionForm(
    viewer,
    'proposal.reject',
    `/proposals/${id}/reject`,
    reasonField(viewer, 'why'),
    viewer.words.takeApprovalBack,
    'plain',
  )

function decisions(viewer: Viewer, withdrawal: Withdrawal, ended: ShownProposal[]): Html {
  const { words } = viewer
  const path = `/withdrawals/${withdrawal.id}`
  const seen = html`<input type="hidden" name="seen" value="${seenToApprove(withdrawal)}" />`
  const [why, note] = ['why', 'note'].map((field) => reasonField(viewer, field)) as [Html, Html]
  return html`${ended.map(({ id }) => decisionForm(viewer, 'withdrawal.approve', `/proposals/${id}/reject`, why, words.rejectApproval))}
  ${ended.length === 0 && decisionForm(viewer, 'withdrawal.approve', `${path}/approve`, seen, words.approve)}
  ${decisionForm(viewer, 'withdrawal.reject', `${path}/reject`, note, words.reject, 'danger')}`
}
