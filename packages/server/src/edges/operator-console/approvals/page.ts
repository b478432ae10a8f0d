import { createHash } from 'node:crypto'
import type { PayoutRules } from '../../../domain/merchants/index.ts'
import type { Approval, PaidTo, Withdrawal } from '../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { liveList, livePart } from '../../web/console/live-part.ts'
import { age, minute } from '../../web/console/parts.ts'
import { lapsedMark } from '../lapsed-mark.ts'
import type { MerchantNames } from '../names.ts'
import { merchantName } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import { revealForm } from '../reveal/form.ts'
import type { DataOf } from '../reveal/personal-data.ts'
import { decisionForm } from '../../web/console/decision-form.ts'

/**
 * `words`: the newest of each person; `counts`: the person may approve now. `rules`: those of the merchant now. `paid`: what it has paid to the IBAN.
 * `toIban`: how many withdrawals to the IBAN are pending, this one too, and under how many names.
 */
export type ToApprove = {
  withdrawal: Withdrawal
  words: (Approval & { counts: boolean })[]
  available: bigint
  rules: PayoutRules | null
  paid: PaidTo | null
  toIban: { count: number; names: number }
}

/** What a person sees of a withdrawal. An approval is bound to it: after any change it must be given again. */
export function seenHash({
  id,
  merchantId,
  amount,
  fee,
  currency,
  iban,
  accountName,
  stageReason,
}: Withdrawal): string {
  const seen = [id, merchantId, String(amount), String(fee), currency, iban, accountName, stageReason]
  return createHash('sha256').update(JSON.stringify(seen)).digest('base64url')
}

/** Sections of the page, as tiles of the first page lead to them. */
const SECTIONS = ['withdrawals', 'changes'] as const

/** `others`: the other sections, in order. `ended`: what was decided about cards that may be on the screen. */
export function approvalsPage(
  viewer: Viewer,
  waiting: ToApprove[],
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
        : html`<div class="cards">${waiting.map((one) => approvalCard(viewer, one, merchants, dataOf))}</div>`
    }`
  const kinds = [withdrawals, ...others].map((one, place) => html`<section id="${SECTIONS[place]}">${one}</section>`)
  const main = html`<h1>${words.approvals}</h1>
    <p class="lead">${words.approvalsLead}</p>
    ${livePart('ended', ended)} ${liveList(viewer, 'approvals', html`<div class="to-decide">${kinds}</div>`)}`
  return { title: words.approvals, section: 'approvals', main }
}

function approvalCard(
  viewer: Viewer,
  { withdrawal, words: said, available, rules, paid, toIban }: ToApprove,
  merchants: MerchantNames,
  dataOf: DataOf,
): Html {
  const { words, root, now, name } = viewer
  const { id, amount, currency, iban, accountName, merchantId, processId, stageReason, createdAt } = withdrawal
  const data = dataOf(`withdrawal:${id}`)
  const yes = said.filter(({ decision }) => decision === 'approve')
  const back = said.filter(({ decision }) => decision === 'withdrawn')
  const again = toGiveAgain(yes)
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
      <dd>${stageReason === null ? '–' : words.codes.stageReasons[stageReason]} ${ruleFigures(withdrawal, rules)}</dd>
      <dt>${words.balanceAfter}</dt>
      <dd>${formatMoney(available, currency)}</dd>
      <dt>${words.saidYes}</dt>
      <dd>
        ${yes.length === 0 ? words.noOneYet : yes.map((one) => html`<p>${one.operator}${!one.counts && lapsedMark(viewer, 'noLongerMay')}${one === again && html` <b class="state bad">${words.notCounted}</b>`}</p>`)}
      </dd>
      ${
        back.length > 0 &&
        html`<dt>${words.tookBack}</dt>
          <dd>${back.map(({ operator, note }) => html`<p>${operator}: ${plainName(note ?? '')}</p>`)}</dd>`
      }
      <dt>${words.id}</dt>
      <dd><a class="id" href="${root}/transactions/${id}">${id}</a></dd>
    </dl>
    ${again && html`<p class="say bad">${words.giveAgain(again.operator)}</p>`}
    ${revealForm(viewer, data, `/withdrawals/${id}/reveal`)}
    ${yes.some(({ operator }) => operator === name) ? ownForms(viewer, id, again === undefined) : forms(viewer, withdrawal)}
  </article>`
}

/** The figures of the rule that asks for approval. */
function ruleFigures({ stageReason, amount, currency }: Withdrawal, rules: PayoutRules | null): string {
  const money = (limit: bigint | null) => (limit === null ? [] : [formatMoney(limit, currency)])
  const count = (limit: number | null) => (limit === null ? [] : [`${limit} ×`])
  if (!rules) return ''
  const figures = {
    amount: money(rules.approvalThreshold).map((limit) => `${formatMoney(amount, currency)} ≥ ${limit}`),
    merchant_day: [...money(rules.dailyAmount), ...count(rules.dailyCount)],
    iban_day: [...money(rules.dailyIbanAmount), ...count(rules.dailyIbanCount)],
  }
  const own = figures[stageReason as keyof typeof figures] ?? []
  return own.length > 0 ? `(${own.join(', ')})` : ''
}

/**
 * Approvals are counted when one is given. Two people may approve and it waits all the same: one of them had lost the right by then and
 * has it again. Who approved first gives it again, so that it is counted.
 */
function toGiveAgain(approvals: ToApprove['words']): ToApprove['words'][number] | undefined {
  const counting = approvals.filter(({ counts }) => counts)
  return counting.length < 2 ? undefined : counting.toSorted((a, b) => a.decidedAt.getTime() - b.decidedAt.getTime())[0]
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

/** Who approved it may take that back until another person has approved it, too. */
function ownForms(viewer: Viewer, id: string, needsAnother: boolean): Html {
  const { words } = viewer
  const why = reasonField(viewer, 'why')
  return html`${needsAnother && html`<p class="acts mild">${words.youApproved}</p>`}
    <div class="acts">
      ${decisionForm(viewer, 'withdrawal.unapprove', `/withdrawals/${id}/unapprove`, why, words.unapprove, 'plain')}
    </div>`
}

function forms(viewer: Viewer, withdrawal: Withdrawal): Html {
  const { words } = viewer
  const seen = html`<input type="hidden" name="seen" value="${seenHash(withdrawal)}" />`
  const note = html`${seen}${reasonField(viewer, 'note')}`
  const path = `/withdrawals/${withdrawal.id}`
  return html`<div class="acts">
    ${decisionForm(viewer, 'withdrawal.approve', `${path}/approve`, seen, words.approve)}
    ${decisionForm(viewer, 'withdrawal.reject', `${path}/reject`, note, words.reject, 'danger')}
  </div>`
}
