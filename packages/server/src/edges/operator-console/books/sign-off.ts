import type { BookDay, DayReport, Days } from '../../../domain/books/index.ts'
import type { Proposal, KindName } from '../../../domain/proposals/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { PROPOSAL_WORDS } from '../../web/console/proposals/words.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { minute } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { dayText } from './list-page.ts'
import { CLOSE_WORDS } from './close-words.ts'
import { DAY_WORDS } from './day-words.ts'
import type { WaitingLines } from './waiting-lines.ts'
import { WORDS } from './words.ts'

/** `proposal`: what waits for another person. `institution`: the holder of the accounts. `waiting`: statement files that are uploaded and not imported; `lines`: those of each account that wait. */
export type DayFacts = {
  report: DayReport
  bookDay: BookDay
  institution: string
  waiting: { name: string; by: string }[]
  lines: ReadonlyMap<string, WaitingLines>
  proposal: Proposal | null
} & Pick<Days, 'next' | 'last'>

/** What two people have decided about the day, and what may be proposed now. */
export function signOff(viewer: Viewer, facts: DayFacts): Html {
  const words = WORDS[viewer.language]
  const { bookDay, report, proposal } = facts
  return html`<section class="card below" id="sign-off" data-item="${bookDay.day}">
    <h2 class="first">${words.signOff}</h2>
    ${history(viewer, bookDay)}
    <div class="no-print">
      ${filesNote(viewer, facts)}
      ${proposal ? waits(viewer, proposal) : report.closed ? reopening(viewer, facts) : closing(viewer, facts)}
    </div>
    ${signatures(viewer)}
  </section>`
}

/** On paper two people sign by hand. */
function signatures({ language }: Viewer): Html {
  const { signatures: who, signatureFields: fields } = DAY_WORDS[language]
  return html`<div class="print-only signatures">
    ${who.map(
      (title) =>
        html`<div>
          <b>${title}</b>
          ${Object.values(fields).map((label) => html`<p>${label}</p>`)}
        </div>`,
    )}
  </div>`
}

/** A file that is not imported may have lines of the day. */
function filesNote({ language, root }: Viewer, { waiting }: DayFacts): Html | false {
  if (waiting.length === 0) return false
  const files = waiting.map(({ name, by }) => `${plainName(name)} (${by})`).join(', ')
  return html`<p class="say bad">${CLOSE_WORDS[language].filesWait}: <a href="${root}/statements">${files}</a></p>`
}

function history({ language }: Viewer, { events }: BookDay): Html {
  const words = WORDS[language]
  const what = { close: words.events.closed, reopen: words.events.reopened }
  return html`<ul class="events">
    ${events.toReversed().map(
      ({ action, proposedBy, operator, decidedAt, reason }) =>
        html`<li>
          ${minute(decidedAt)} <b>${operator}</b> ${what[action]}
          <span class="mild"
            >· ${CLOSE_WORDS[language].did.proposed}
            ${proposedBy}${reason !== null && html`: ${plainName(reason)}`}</span
          >
        </li>`,
    )}
  </ul>`
}

/** The second person decides on its card. */
function waits({ language, root, words: shared }: Viewer, { kind, proposedBy, reason }: Proposal): Html {
  const what = PROPOSAL_WORDS[language].kinds[kind as KindName]
  return html`<p>
      ${what} ·
      <span class="mild">${shared.proposedBy}</span> ${proposedBy}${reason !== null && html`: ${plainName(reason)}`}
    </p>
    <p class="acts"><a class="button small" href="${root}/approvals#proposals">${shared.approvals}</a></p>`
}

function closing(viewer: Viewer, { report, bookDay, next }: DayFacts): Html {
  const words = WORDS[viewer.language]
  const { day, hash } = report
  if (bookDay.state === 'running') return html`<p class="mild">${words.notOver}</p>`
  if (next !== null && day !== next)
    return html`<p class="mild"><a href="${viewer.root}/books/${next}">${words.notNext(dayText(next))}</a></p>`
  const seen = html`<input type="hidden" name="seen" value="${hash}" />`
  const why = mustBeAccepted(report) && reasonField(words.acceptWhy)
  return html`<p class="mild">${words.proposeLead}</p>
    <div class="acts">
      ${decisionForm(viewer, 'day.close', `/books/${day}/close`, html`${seen} ${why}`, words.propose)}
    </div>`
}

function reopening(viewer: Viewer, { bookDay: { day }, last }: DayFacts): Html {
  const words = WORDS[viewer.language]
  if (day !== last) return html`<p class="mild">${words.closedLead}</p>`
  const why = reasonField(words.reopenWhy)
  return html`<p class="mild">${words.closedLead} ${words.reopenLead}</p>
    <div class="acts">
      ${decisionForm(viewer, 'day.reopen', `/books/${day}/reopen`, why, words.proposeReopen, 'danger')}
    </div>`
}

/** As the domain asks for a reason: something is not explained, or not proven. */
const mustBeAccepted = ({ accounts }: DayReport) =>
  accounts.some(({ unexplained, proven }) => unexplained !== 0n || !proven)

const reasonField = (label: string) =>
  html`<label class="field wide-field">${label}<input name="why" required minlength="5" maxlength="500" /></label>`
