import type { KindName } from '../../../domain/proposals/index.ts'
import { entryIn } from '../../../domain/proposals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html, Part } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { PROPOSAL_WORDS } from '../../web/console/proposals/words.ts'
import { deciderName, lineReason, worded } from '../../web/console/codes/codes.ts'
import { second } from '../../web/console/parts.ts'
import { stateBadge } from '../../web/console/transaction-list.ts'
import type { Viewer } from '../page.ts'
import { originText, unconfirmedMarks } from '../entered/origin.ts'
import { revealForm } from '../reveal/form.ts'
import { bookedAge, bookedTime } from './booked-time.ts'
import type { Desk, DeskLine } from './desk.ts'
import { addressFor } from './filter.ts'
import { entryLink } from '../names.ts'
import { correctionNotes } from './correction-notes.ts'
import { signed } from './page.ts'
import { twoLines } from './two-lines.ts'
import { DESK_WORDS } from './desk-words.ts'
import { WORDS } from './words.ts'

/** The line as the bank wrote it, personal data masked, and what was decided about it so far. */
export function lineCard(viewer: Viewer, desk: Desk, shown: DeskLine): Html {
  const words = WORDS[viewer.language]
  const { line, repeats } = shown
  const data = desk.dataOf(`line:${line.id}`)
  return html`<article class="card line-card" aria-labelledby="the-line">
    <div class="head">
      <h2 id="the-line" class="amount">${signed(line)}</h2>
      <span class="mild">${bookedTime(viewer, line)} · ${bookedAge(viewer, line)}</span>
    </div>
    <p>
      ${stateBadge(viewer, shown.showsEntered ? 'entered_by_hand' : line.state)}
      ${lineReason(viewer.words.codes, line.reason ?? '')}
    </p>
    ${unconfirmedMarks(viewer, shown.unconfirmed)} ${correctionNotes(viewer, shown.corrections)}
    ${paidBeforeNotes(viewer, shown)}
    ${line.narrative !== '' && html`<p class="written">${data.text(line.narrative, [line.senderName], shown.numbers)}</p>`}
    <dl class="facts">
      ${[...lineFacts(viewer, desk, shown), ...refundFacts(viewer, shown), ...namedDeposits(viewer, shown)].map(
        ([label, value]) =>
          html`<dt>${label}</dt>
            <dd>${value}</dd>`,
      )}
      ${
        repeats &&
        html`<dt>${shown.showsEntered ? DESK_WORDS[viewer.language].entered : words.repeats}</dt>
          <dd>
            <a href="${viewer.root}/matching/${repeats.id}${addressFor(desk.filter)}"
              >${signed(repeats)}, ${bookedTime(viewer, repeats)}</a
            >
          </dd>`
      }
    </dl>
    ${repeats && twoLines(viewer, desk, line, repeats)}
    ${revealForm(viewer, data, `/matching/${line.id}/reveal${addressFor(desk.filter)}`)} ${past(viewer, shown)}
  </article>`
}

function lineFacts(
  viewer: Viewer,
  { accountName, dataOf }: Desk,
  { line, origin, ...shown }: DeskLine,
): [string, Part][] {
  const { language, root } = viewer
  const words = WORDS[language]
  const data = dataOf(`line:${line.id}`)
  const name = data.name(line.senderName)
  const iban = line.senderIban === null ? '' : data.iban(line.senderIban)
  const booked = shown.showsEntered ? shown.repeats : line
  const transaction = booked?.depositId ?? booked?.withdrawalId ?? null
  return [
    [
      line.direction === 'debit' ? words.recipient : words.sender,
      [name, iban].filter((text) => text !== '').join(', ') || words.none,
    ],
    [words.account, accountName(line.collectingAccountId) ?? words.none],
    [words.number, plainName(line.bankReference ?? '') || words.none],
    [words.valueDate, line.valueDate.split('-').toReversed().join('.')],
    [words.source, originText(viewer, origin) ?? line.source],
    ...(transaction === null
      ? []
      : [
          [
            words.belongsTo,
            html`<a class="id" href="${root}/transactions/${transaction}">${transaction}</a>`,
          ] satisfies [string, Part],
        ]),
    ...(line.journalId === null
      ? []
      : [[DESK_WORDS[language].entry, entryLink(viewer, line.journalId)] satisfies [string, Part]]),
    [words.id, html`<span class="id">${line.id}</span>`],
  ]
}

/** What went back to the sender, and how far it is. */
function refundFacts({ language, root, words: { codes } }: Viewer, { refunds }: DeskLine): [string, Part][] {
  return refunds.map(({ id, amount, currency, status, state }) => [
    DESK_WORDS[language].refund,
    html`${formatMoney(amount, currency)},
      ${state === 'unknown' ? codes.withdrawalStates.unknown : codes.statuses[status]} ·
      <a class="id" href="${root}/transactions/${id}">${id}</a>`,
  ])
}

/** Which deposits its code is of: one that takes no more money is not found by its amount. */
function namedDeposits({ language, root, words: { codes } }: Viewer, { named }: DeskLine): [string, Part][] {
  return named.map(({ id, processId, status }) => [
    DESK_WORDS[language].named,
    html`<a href="${root}/transactions/${id}">${plainName(processId)}</a> · ${codes.statuses[status]}`,
  ])
}

function paidBeforeNotes({ language, root }: Viewer, { line, candidates }: DeskLine): Html[] {
  const said = DESK_WORDS[language].paidBefore(formatMoney(line.amount, line.currency))
  const link = (lineId: string) => html` <a href="${root}/matching/${lineId}">${WORDS[language].lineBecomes}</a>`
  return candidates.flatMap(({ id, transaction, reasons }) =>
    reasons.flatMap((reason) =>
      reason.code === 'paid_before' && transaction
        ? html`<p class="say">
            <a href="${root}/transactions/${id}">${plainName(transaction.processId)}</a>
            ${said}:${reason.lineIds.map(link)}
          </p>`
        : [],
    ),
  )
}

function past({ language, root, words: { codes } }: Viewer, shown: DeskLine): Html {
  const words = WORDS[language]
  const { decisions, proposal } = shown
  const entry = proposal && entryIn(proposal)
  return html`${
    proposal &&
    html`<p class="say">
      ${words.proposals}:
      <span class="line"
        >${entry ? codes.journal[entry.kind] : PROPOSAL_WORDS[language].kinds[proposal.kind as KindName]}
        (${proposal.proposedBy}),
        <a href="${root}/approvals">${words.waitsForApproval}</a
        >${proposal.reason !== null && `: ${plainName(proposal.reason)}`}</span
      >
    </p>`
  }
  ${
    decisions.length > 0 &&
    html`<details>
      <summary>${words.decisions} (${decisions.length})</summary>
      <ol class="past">
        ${decisions.map(
          ({ decidedAt, decidedBy, verdict, why }) =>
            html`<li>
              ${second(decidedAt)} ${deciderName(codes, decidedBy)}: ${worded(codes.verdicts, verdict)}
              (${lineReason(codes, why)})
            </li>`,
        )}
      </ol>
    </details>`
  }`
}
