import type { Said } from '../../../platform/refusal.ts'
import { NO_MERCHANT } from '../../../domain/ledger/index.ts'
import type { DoubtDecision, NotFoundRule, Payout, PayoutCall, Withdrawal } from '../../../domain/withdrawals/index.ts'
import { currentOpinions, unknownSince } from '../../../domain/withdrawals/index.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { worded } from '../../web/console/codes/codes.ts'
import { liveList } from '../../web/console/live-part.ts'
import { age, minute, second } from '../../web/console/parts.ts'
import { dayText } from '../books/list-page.ts'
import type { AccountName, MerchantNames } from '../names.ts'
import { entryLink, merchantName } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import { revealForm } from '../reveal/form.ts'
import type { DataOf } from '../reveal/personal-data.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { bankResponse } from './bank-response.ts'
import { findings } from './findings.ts'
import { namedLines, notOfPayout } from './named-lines.ts'
import { ORDER_FILES, ORDER_WORDS } from '../order-files/words.ts'
import { BY_HAND_WORDS } from './by-hand-words.ts'
import { BY_HAND, UNSEEN_WORDS } from './words.ts'

export type UnknownPayout = {
  payout: Payout
  withdrawal: Withdrawal
  calls: (PayoutCall & { calledAt: Date })[]
  /** About the current sending only. */
  statements: DoubtDecision[]
  /** Lines that name it or may be its debit. */
  lines: Said[]
  /** Ids of those that name it. */
  naming: string[]
  notFound: NotFoundRule
  /** The order file that it is in. */
  orderFile: { id: string; fileName: string } | null
  /** Who may no longer decide. */
  lapsed: string[]
}

/** The newest calls say what matters; the transaction's page has all. */
const MAX_CALLS = 5

/** `toSend`: how many a person has to send. */
type Facts = {
  unknown: UnknownPayout[]
  toSend: number
  merchants: MerchantNames
  accountName: AccountName
  dataOf: DataOf
}

export function payoutsPage(viewer: Viewer, facts: Facts): Page {
  const { words, root, language } = viewer
  const { unknown } = facts
  const parts = html`<p class="links">
      <a href="${root}${BY_HAND}">${BY_HAND_WORDS[language].link(facts.toSend)}</a>
      <a href="${root}${ORDER_FILES}">${ORDER_WORDS[language].title}</a>
      <a href="${root}/payouts/unseen">${UNSEEN_WORDS[language].title}</a>
    </p>
    ${
      unknown.length === 0
        ? html`<p class="empty">${words.noPayouts}</p>`
        : html`<h2 class="first">${words.checklist}</h2>
            <ol class="steps">
              ${words.checks.map((text) => html`<li>${text}</li>`)}
            </ol>
            <div class="cards">${unknown.map((one) => card(viewer, one, facts))}</div>`
    }`
  const main = html`<h1>${words.payouts}</h1>
    <p class="lead">${words.payoutsLead}</p>
    ${liveList(viewer, 'payouts', parts)}`
  return { title: words.payouts, section: 'payouts', main }
}

function card(viewer: Viewer, one: UnknownPayout, { merchants, accountName, dataOf }: Facts): Html {
  const { words, root, now } = viewer
  const { payout, withdrawal, lines, statements, orderFile } = one
  const { withdrawalId: id, amount, currency, iban, nextAt, reason, rail, connection } = payout
  const since = unknownSince(payout)
  const opinions = currentOpinions(payout, statements)
  const earlier = statements.filter((said) => !opinions.includes(said))
  const data = dataOf(`withdrawal:${id}`)
  return html`<article class="card" data-item="${id}">
    <div class="head">
      <span class="amount">${formatMoney(amount, currency)}</span>
      <span class="mild">${minute(since)} · ${age(since, now, words.age)}</span>
    </div>
    <dl class="facts">
      <dt>${words.recipient}</dt>
      <dd>${data.name(payout.accountName)}, ${data.iban(iban)}</dd>
      ${whose(viewer, withdrawal, merchants)}
      <dt>${words.sentFrom}</dt>
      <dd>${accountName(payout.sourceAccountId) ?? '–'} · ${worded(words.codes.rails, rail)} · ${connection}</dd>
      ${
        orderFile &&
        html`<dt>${ORDER_WORDS[viewer.language].file}</dt>
          <dd><a href="${root}${ORDER_FILES}/${orderFile.id}">${plainName(orderFile.fileName)}</a></dd>`
      }
      <dt>${words.why}</dt>
      <dd>${whyWords(viewer, withdrawal.stateReason ?? reason)}</dd>
      <dt>${words.nextAsked}</dt>
      <dd>${minute(nextAt)}</dd>
      <dt>${words.calls}</dt>
      <dd>${callList(viewer, one.calls)}</dd>
      ${
        lines.length > 0 &&
        html`<dt>${words.onStatement}</dt>
          <dd>${namedLines(viewer, lines)}</dd>`
      }
      <dt>${words.id}</dt>
      <dd><a class="id" href="${root}/transactions/${id}">${id}</a></dd>
    </dl>
    ${revealForm(viewer, data, `/payouts/${id}/reveal`)}
    ${findings(viewer, { opinions, earlier, takeBack: `/payouts/${id}/take-back`, lapsed: new Set(one.lapsed) }, reports(viewer, one))}
  </article>`
}

/** Of a merchant, or money that no one could explain, on its way back to its sender. */
export function whose(viewer: Viewer, { merchantId, processId }: Withdrawal, merchants: MerchantNames): Html {
  const { words } = viewer
  if (merchantId === NO_MERCHANT)
    return html`<dt>${words.refundKind}</dt>
      <dd>${words.refundOfUnexplained}</dd>
      <dt>${words.entryOfRefund}</dt>
      <dd>${entryLink(viewer, processId)}</dd>`
  return html`<dt>${words.merchant}</dt>
    <dd>${merchantName(words, merchants, merchantId)}</dd>
    <dt>${words.processId}</dt>
    <dd>${plainName(processId)}</dd>`
}

/** Without a reason: the bank gave no definite response. */
function whyWords({ words }: Viewer, reason: string | null): string {
  return reason === null ? words.noAnswer : worded(words.codes.stateReasons, reason)
}

export function callList(viewer: Viewer, calls: UnknownPayout['calls']): Html {
  const { codes } = viewer.words
  return html`${calls
    .slice(-MAX_CALLS)
    .map(
      ({ kind, outcome, detail, calledAt }) =>
        html`<div>
          ${second(calledAt)} ${codes.callKinds[kind]}: ${worded(codes.callOutcomes, outcome)}
          ${bankResponse(viewer, detail ?? '')}
        </div>`,
    )}`
}

/** Two forms, or until when there is only one. */
function reports(viewer: Viewer, { payout, notFound, naming }: UnknownPayout): Html {
  const { words } = viewer
  const path = `/payouts/${payout.withdrawalId}`
  const field = (label: string, least: number) =>
    html`<label class="field">${label}<input name="evidence" required minlength="${least}" maxlength="200" /></label>`
  const sure =
    notFound.state === 'unproven' &&
    html`<label class="choice"><input type="checkbox" name="unproven" value="yes" required />${words.unproven}</label>`
  const fields = html`${field(words.notFoundLabel, MIN_REASON_LENGTH)} ${sure} ${notOfPayout(viewer, naming)}`
  return html`<div class="acts">
    ${decisionForm(viewer, 'payout.decide', `${path}/found`, field(words.foundLabel, 1), words.foundIt)}
    ${
      notFound.state === 'early'
        ? html`<p class="mild">${words.notFoundFrom(dayText(istanbul(notFound.from).day))}</p>`
        : decisionForm(viewer, 'payout.decide', `${path}/not-found`, fields, words.notFoundIt, 'danger')
    }
  </div>`
}
