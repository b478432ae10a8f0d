import { say } from '../../../acts/refusals/say.ts'
import type { Batch, BatchPayout, ShownBatch } from '../../../domain/withdrawals/index.ts'
import { MAX_REPORTS } from '../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import { worded } from '../../web/console/codes/codes.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { livePart } from '../../web/console/live-part.ts'
import { cardTable, dataTable, minute } from '../../web/console/parts.ts'
import type { Html, Part } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import type { AccountName } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import { stateOf } from './list-page.ts'
import { ORDER_FILES, ORDER_WORDS } from './words.ts'

/** Of one report; the bank's file has all. */
const MAX_ITEMS = 200
const HOLD_MINUTES = 60

/** One order file: its facts, its payouts, and what the bank reported. */
export function batchPage(viewer: Viewer, { batch, payouts, reports }: ShownBatch, accountName: AccountName): Page {
  const { root, language } = viewer
  const words = ORDER_WORDS[language]
  const { problem, fileName } = batch
  const parts = html`<p class="lead">${stateOf(viewer, batch)}</p>
    ${problem !== null && html`<p class="say bad">${plainName(say(language, problem))}</p>`}
    <dl class="facts">
      ${factsOf(viewer, batch, accountName).map(
        ([label, value]) =>
          html`<dt>${label}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    ${forms(viewer, batch)}
    <h2>${words.payouts}</h2>
    ${payoutTable(viewer, payouts)}
    <h2>${words.reports}</h2>
    ${reports.length === 0 ? html`<p class="empty">${words.noReports}</p>` : reports.map((one) => reportPart(viewer, one))}
    ${reports.length === MAX_REPORTS && html`<p class="hint">${words.newestReports(MAX_REPORTS)}</p>`}`
  const main = html`<p class="mild"><a href="${root}${ORDER_FILES}">${words.title}</a></p>
    <h1>${plainName(fileName)}</h1>
    ${livePart('order', parts)}`
  return { title: plainName(fileName), section: 'payouts', main }
}

function factsOf({ language, words: shared }: Viewer, batch: Batch, accountName: AccountName): [string, Part][] {
  const words = ORDER_WORDS[language]
  const { state, releasedAt, fetchedAt, cancelledAt, cancelledBy, cancelReason, holdUntil } = batch
  const at = (label: string, time: Date | null): [string, Part][] => (time ? [[label, minute(time)]] : [])
  const by = plainName(words.cancelledBy(cancelledBy ?? '', cancelReason ?? ''))
  return [
    [shared.amount, formatMoney(batch.amount, batch.currency)],
    [words.orders, batch.orders],
    [words.connection, batch.connection],
    [shared.sentFrom, accountName(batch.sourceAccountId) ?? '–'],
    [words.made, minute(batch.createdAt)],
    ...at(words.released, releasedAt),
    ...at(state === 'released' ? words.putBack : words.fetched, fetchedAt),
    ...(cancelledBy === null
      ? []
      : [[words.cancelled, html`${cancelledAt && minute(cancelledAt)} ${by}`] satisfies [string, Part]]),
    ...at(words.holdUntil, holdUntil),
    [words.format, batch.format],
    [words.fingerprint, html`<span class="id">${batch.sha256}</span>`],
  ]
}

/** What can be done in this state. A file that came back and was stopped is only acknowledged. */
function forms(viewer: Viewer, { id, state, problem }: Batch): Html {
  const words = ORDER_WORDS[viewer.language]
  const path = `${ORDER_FILES}/${id}`
  const hasLeft = state === 'fetched' || state === 'cancelled'
  const fields = html`<label class="field wide-field"
      >${words.why}<input name="why" required minlength="${MIN_REASON_LENGTH}" maxlength="200" autocomplete="off"
    /></label>
    <label class="field"
      >${words.hold}<input name="hold" type="number" required min="0" max="10080" value="${HOLD_MINUTES}"
    /></label>`
  const retry = (title: string, lead: string, label: string) =>
    html`<h2>${title}</h2>
      <p class="hint">${lead}</p>
      <div class="acts">${decisionForm(viewer, 'batch.retry', `${path}/retry`, html``, label, 'plain')}</div>`
  return html`${
    !hasLeft &&
    state !== 'cancelling' &&
    html`<h2>${words.cancelTitle}</h2>
      <p class="hint">${words.cancelLead}</p>
      <div class="acts">${decisionForm(viewer, 'batch.cancel', `${path}/cancel`, fields, words.cancel, 'danger')}</div>`
  }
  ${!hasLeft && (problem !== null || state !== 'released') && retry(words.retryTitle, words.retryLead, words.retry)}
  ${hasLeft && problem !== null && retry(words.noteTitle, words.noteLead, words.note)}`
}

function payoutTable(viewer: Viewer, payouts: BatchPayout[]): Html {
  const { root, language, words: shared } = viewer
  const words = ORDER_WORDS[language]
  const columns = [
    { label: shared.id },
    { label: shared.amount, isMoney: true },
    ...[words.payoutState, words.bankSays].map((label) => ({ label })),
  ]
  const rows = payouts.map((payout) => {
    const { number, withdrawalId: id, amount, currency, state, cancelled } = payout
    const href = `${root}/transactions/${id}`
    return {
      href,
      cells: [
        html`${number}. <a class="id" href="${href}">${id}</a>`,
        html`${formatMoney(amount, currency)}`,
        html`${shared.codes.withdrawalStates[state]}
        ${cancelled && html`<span class="line mild">${words.leftBatch}</span>`}`,
        html`${bankSays(viewer, payout)}`,
      ],
    }
  })
  return cardTable(words.payouts, columns, rows)
}

/** Why it is in doubt or failed, or the bank's reference. */
function bankSays({ words: { codes } }: Viewer, { reason, bankReference }: BatchPayout): string {
  if (reason === null) return plainName(bankReference ?? '–')
  return worded({ ...codes.failures, ...codes.stateReasons, ...codes.callOutcomes }, reason)
}

function reportPart(viewer: Viewer, { name, receivedAt, items }: ShownBatch['reports'][number]): Html {
  const { root, language, words: shared } = viewer
  const words = ORDER_WORDS[language]
  const columns = [shared.id, words.status, words.outcome, words.reportWhy].map((label) => ({ label }))
  const rows = items.slice(0, MAX_ITEMS).map(({ endToEndId, status, outcome, why }) => ({
    href: null,
    cells: [
      outcome === 'unknown'
        ? html`<span class="id">${plainName(endToEndId)}</span>`
        : html`<a class="id" href="${root}/transactions/${endToEndId}">${endToEndId}</a>`,
      html`${plainName(status ?? '–')}`,
      html`<span class="${(outcome === 'contradicts' || outcome === 'unknown' || outcome === 'doubt') && 'wrong'}"
        >${words.outcomes[outcome]}</span
      >`,
      html`${why === null ? '–' : plainName(say(language, why))}`,
    ],
  }))
  return html`<p class="below"><b>${plainName(name)}</b> · ${minute(receivedAt)}</p>
    ${items.length === 0 ? html`<p class="mild">${words.noItems}</p>` : dataTable(plainName(name), columns, rows)}
    ${items.length > MAX_ITEMS && html`<p class="hint">${words.moreItems(items.length - MAX_ITEMS)}</p>`}`
}
