import type { DoubtDecision, Payout } from '../../../domain/payouts/index.ts'
import type { PayoutCall, Withdrawal } from '../../../domain/withdrawals/index.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { worded } from '../../web/console/codes/codes.ts'
import { responseText } from '../../web/console/refusals/translate.ts'
import { liveList } from '../../web/console/live-part.ts'
import { age, minute, second } from '../../web/console/parts.ts'
import type { AccountName, MerchantNames } from '../names.ts'
import { merchantName } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import { revealForm } from '../reveal/form.ts'
import type { DataOf } from '../reveal/personal-data.ts'
import { decisionForm } from '../../web/console/decision-form.ts'

export type UnknownPayout = {
  payout: Payout
  withdrawal: Withdrawal
  calls: (PayoutCall & { calledAt: Date })[]
  /** About the current sending only. */
  statements: DoubtDecision[]
  /** Lines that name it or may be its debit. */
  lines: string[]
}

/** The newest calls say what matters; the transaction's page has all. */
const MAX_CALLS = 5

export function payoutsPage(
  viewer: Viewer,
  unknown: UnknownPayout[],
  merchants: MerchantNames,
  accountName: AccountName,
  dataOf: DataOf,
): Page {
  const { words } = viewer
  const parts = html`${
    unknown.length === 0
      ? html`<p class="empty">${words.noPayouts}</p>`
      : html`<div class="cards">${unknown.map((one) => card(viewer, one, merchants, accountName, dataOf))}</div>
          <h2>${words.checklist}</h2>
          <ol class="steps">
            ${words.checks.map((text) => html`<li>${text}</li>`)}
          </ol>`
  }`
  const main = html`<h1>${words.payouts}</h1>
    <p class="lead">${words.payoutsLead}</p>
    ${liveList(viewer, 'payouts', parts)}`
  return { title: words.payouts, section: 'payouts', main }
}

function card(
  viewer: Viewer,
  one: UnknownPayout,
  merchants: MerchantNames,
  accountName: AccountName,
  dataOf: DataOf,
): Html {
  const { words, root, now } = viewer
  const { payout, withdrawal, lines } = one
  const { withdrawalId: id, amount, currency, iban, createdAt, nextAt, reason, rail, connection } = payout
  const data = dataOf(`withdrawal:${id}`)
  return html`<article class="card" data-item="${id}">
    <div class="head">
      <span class="amount">${formatMoney(amount, currency)}</span>
      <span class="mild">${minute(createdAt)} · ${age(createdAt, now, words.age)}</span>
    </div>
    <dl class="facts">
      <dt>${words.recipient}</dt>
      <dd>${data.name(payout.accountName)}, ${data.iban(iban)}</dd>
      <dt>${words.merchant}</dt>
      <dd>${merchantName(words, merchants, withdrawal.merchantId)}</dd>
      <dt>${words.sentFrom}</dt>
      <dd>${accountName(payout.sourceAccountId) ?? '–'} · ${worded(words.codes.rails, rail)} · ${connection}</dd>
      <dt>${words.why}</dt>
      <dd>${whyWords(viewer, withdrawal.stageReason ?? reason)}</dd>
      <dt>${words.nextAsked}</dt>
      <dd>${minute(nextAt)}</dd>
      <dt>${words.calls}</dt>
      <dd>${callList(viewer, one)}</dd>
      ${
        lines.length > 0 &&
        html`<dt>${words.onStatement}</dt>
          <dd>${lines.map((line) => html`<p>${responseText(viewer.language, words.codes, line)}</p>`)}</dd>`
      }
      <dt>${words.id}</dt>
      <dd><a class="id" href="${root}/transactions/${id}">${id}</a></dd>
    </dl>
    ${revealForm(viewer, data, `/payouts/${id}/reveal`)} ${decisions(viewer, one)}
  </article>`
}

/** Without a reason: the bank gave no definite response. */
function whyWords({ words }: Viewer, reason: string | null): string {
  return reason === null ? words.noAnswer : worded(words.codes.stageReasons, reason)
}

function callList({ language, words: { codes } }: Viewer, { calls }: UnknownPayout): Html {
  return html`${calls
    .slice(-MAX_CALLS)
    .map(
      ({ kind, outcome, detail, calledAt }) =>
        html`<p>
          ${second(calledAt)} ${codes.callKinds[kind]}: ${worded(codes.callOutcomes, outcome)}
          ${plainName(responseText(language, codes, detail ?? ''))}
        </p>`,
    )}`
}

/** What others have found is shown only to a person who has reported: the second must not copy the first. */
function decisions(viewer: Viewer, { payout, statements }: UnknownPayout): Html {
  const { words, name } = viewer
  if (statements.some(({ operator }) => operator === name)) {
    const said = statements.map(
      ({ operator, verdict, evidence }) => `${operator}: ${words.codes.callOutcomes[verdict]}, ${evidence}`,
    )
    return html`<p class="acts mild">${words.yourOpinion} ${said.join('; ')}</p>`
  }
  const path = `/payouts/${payout.withdrawalId}`
  const field = (label: string, least: number) =>
    html`<label class="field">${label}<input name="evidence" required minlength="${least}" maxlength="200" /></label>`
  return html`<p class="acts mild">${words.opinions(statements.length)}</p>
    <div class="acts">
      ${decisionForm(viewer, 'payout.decide', `${path}/found`, field(words.foundLabel, 1), words.foundIt)}
      ${decisionForm(viewer, 'payout.decide', `${path}/not-found`, field(words.notFoundLabel, MIN_REASON_LENGTH), words.notFoundIt, 'danger')}
    </div>`
}
