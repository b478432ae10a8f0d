import type { BookDay, DayReport, Days } from '../../../domain/books/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { minute } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { dayText } from './list-page.ts'
import { CLOSE_WORDS } from './close-words.ts'
import { WORDS } from './words.ts'

/** `institution`: the holder of the accounts. `waiting`: statement files that are uploaded and not imported. */
export type DayFacts = {
  report: DayReport
  bookDay: BookDay
  institution: string
  waiting: { name: string; by: string }[]
} & Pick<Days, 'next' | 'last'>

/** What two people have said about the day, and what they may say now. */
export function signOff(viewer: Viewer, facts: DayFacts): Html {
  const words = WORDS[viewer.language]
  const { bookDay, report } = facts
  return html`<section class="card below" data-item="${bookDay.day}">
    <h2 class="first">${words.signOff}</h2>
    ${history(viewer, bookDay)}
    <div class="no-print">
      ${filesNote(viewer, facts)} ${report.closed ? reopening(viewer, facts) : closing(viewer, facts)}
    </div>
  </section>`
}

/** A file that is not imported may have lines of the day. */
function filesNote({ language, root }: Viewer, { waiting }: DayFacts): Html | false {
  if (waiting.length === 0) return false
  const files = waiting.map(({ name, by }) => `${plainName(name)} (${by})`).join(', ')
  return html`<p class="say bad">${CLOSE_WORDS[language].filesWait}: <a href="${root}/statements">${files}</a></p>`
}

function history({ language }: Viewer, { events }: BookDay): Html {
  const words = WORDS[language]
  const { closeProposed, closed, reopenProposed, reopened, withdrawn, rejected } = words.events
  const what = {
    ...{ close: [closeProposed, closed], reopen: [reopenProposed, reopened] },
    ...{ withdraw: [withdrawn, withdrawn], reject: [rejected, rejected] },
  } as const
  return html`<ul class="events">
    ${events
      .toReversed()
      .map(
        ({ action, completes, operator, decidedAt, reason }) =>
          html`<li>
            ${minute(decidedAt)} <b>${operator}</b> ${what[action][completes === null ? 0 : 1]}
            ${reason !== null && html`<span class="mild">· ${plainName(reason)}</span>`}
          </li>`,
      )}
  </ul>`
}

function closing(viewer: Viewer, { report, bookDay, next }: DayFacts): Html {
  const words = WORDS[viewer.language]
  const { day, hash } = report
  if (bookDay.state === 'running') return html`<p class="mild">${words.notOver}</p>`
  if (next !== null && day !== next)
    return html`<p class="mild"><a href="${viewer.root}/books/${next}">${words.notNext(dayText(next))}</a></p>`
  const proposal = bookDay.state === 'proposed' ? bookDay.events[0] : undefined
  const agrees = proposal?.figuresHash === hash
  const isOwn = agrees && proposal.operator === viewer.name
  const why = mustBeAccepted(report) && reasonField(words.acceptWhy)
  const propose = () =>
    decisionForm(viewer, 'day.close', `/books/${day}/propose`, html`${hidden('seen', hash)} ${why}`, words.propose)
  if (!proposal)
    return html`<p class="mild">${words.proposeLead}</p>
      <div class="acts">${propose()}</div>`
  if (!agrees)
    return html`<p class="note">${words.stale(proposal.operator)}</p>
      <div class="acts">${propose()} ${ending(viewer, proposal)}</div>`
  if (isOwn)
    return html`<p>${words.ownProposal}</p>
      <div class="acts">${ending(viewer, proposal)}</div>`
  return html`<p>${words.proposedBy(proposal.operator)}</p>
    <div class="acts">
      ${decisionForm(viewer, 'day.close', `/books/${day}/close`, html`${hidden('figures', hash)} ${why}`, words.close)}
      ${ending(viewer, proposal)}
    </div>`
}

/** The proposer takes it back, another person rejects it. */
function ending(viewer: Viewer, { day, operator }: BookDay['events'][number]): Html {
  const { words: shared, name } = viewer
  const why = reasonField(shared.takeBackWhy)
  return operator === name
    ? decisionForm(viewer, 'day.reject', `/books/${day}/withdraw`, why, shared.withdrawEntry, 'plain')
    : decisionForm(viewer, 'day.reject', `/books/${day}/reject`, why, shared.reject, 'danger')
}

function reopening(viewer: Viewer, { bookDay, last }: DayFacts): Html {
  const words = WORDS[viewer.language]
  const { day, state, events } = bookDay
  if (day !== last) return html`<p class="mild">${words.closedLead}</p>`
  const proposal = state === 'reopening' ? events[0] : undefined
  const why = reasonField(words.reopenWhy)
  const form =
    proposal?.operator !== viewer.name &&
    decisionForm(viewer, 'day.reopen', `/books/${day}/reopen`, why, words.reopen, 'danger')
  return html`<p class="mild">
      ${words.closedLead} ${proposal ? words.reopenConfirm(proposal.operator) : words.reopenLead}
    </p>
    <div class="acts">${form} ${proposal && ending(viewer, proposal)}</div>`
}

/** As the domain asks for a reason: something is not explained, or not proven. */
const mustBeAccepted = ({ accounts }: DayReport) =>
  accounts.some(({ unexplained, proven }) => unexplained !== 0n || !proven)

const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}" />`

const reasonField = (label: string) =>
  html`<label class="field wide-field">${label}<input name="why" required minlength="5" maxlength="500" /></label>`
