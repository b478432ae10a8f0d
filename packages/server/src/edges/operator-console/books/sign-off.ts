import type { BookDay, DayReport, Days } from '../../../domain/books/index.ts'
import { meantProposal } from '../../../domain/books/index.ts'
import type { Action } from '../../../domain/people/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { minute } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { dayText } from './list-page.ts'
import { CLOSE_WORDS } from './close-words.ts'
import { DAY_WORDS } from './day-words.ts'
import type { WaitingLines } from './waiting-lines.ts'
import { WORDS } from './words.ts'

type DayEvent = BookDay['events'][number]

/** `may`: who may take which decision now. `forged`: ids of proposals that were written in SQL. `institution`: the holder of the accounts. `waiting`: statement files that are uploaded and not imported; `lines`: those of each account that wait. */
export type DayFacts = {
  report: DayReport
  bookDay: BookDay
  institution: string
  waiting: { name: string; by: string }[]
  lines: ReadonlyMap<string, WaitingLines>
  may: (name: string, action: Action) => boolean
  forged: ReadonlySet<string>
} & Pick<Days, 'next' | 'last'>

/** What two people have said about the day, and what they may say now. */
export function signOff(viewer: Viewer, facts: DayFacts): Html {
  const words = WORDS[viewer.language]
  const { bookDay, report } = facts
  return html`<section class="card below" id="sign-off" data-item="${bookDay.day}">
    <h2 class="first">${words.signOff}</h2>
    ${history(viewer, bookDay)}
    <div class="no-print">
      ${filesNote(viewer, facts)} ${report.closed ? reopening(viewer, facts) : closing(viewer, facts)}
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

/** Proposals since the last decision that two people took, newest first. */
function openProposals({ events }: BookDay): DayEvent[] {
  const end = events.findIndex(({ completes }) => completes !== null)
  return end === -1 ? events : events.slice(0, end)
}

/** Open proposals of which one is no one's: they can only be rejected. */
function forgedOnly(viewer: Viewer, open: DayEvent[], forged: DayFacts['forged']): Html | null {
  const [newest] = open
  const one = open.find(({ id }) => forged.has(id))
  if (!newest || !one) return null
  return html`<p class="say bad">${one.operator}: ${viewer.words.noMark}</p>
    <div class="acts">${ending(viewer, newest)}</div>`
}

function closing(viewer: Viewer, { report, bookDay, next, may, forged }: DayFacts): Html {
  const words = WORDS[viewer.language]
  const { day, hash } = report
  if (bookDay.state === 'running') return html`<p class="mild">${words.notOver}</p>`
  if (next !== null && day !== next)
    return html`<p class="mild"><a href="${viewer.root}/books/${next}">${words.notNext(dayText(next))}</a></p>`
  const open = bookDay.state === 'proposed' ? openProposals(bookDay) : []
  const rejectOnly = forgedOnly(viewer, open, forged)
  if (rejectOnly) return rejectOnly
  const mayClose = (name: string) => may(name, 'day.close')
  const [newest] = open
  const proposal = meantProposal(open, mayClose, viewer.name)
  const agrees = proposal?.figuresHash === hash
  const isOwn = agrees && proposal.operator === viewer.name
  const why = mustBeAccepted(report) && reasonField(words.acceptWhy)
  const propose = () =>
    decisionForm(viewer, 'day.close', `/books/${day}/propose`, html`${hidden('seen', hash)} ${why}`, words.propose)
  if (!proposal || !newest)
    return html`<p class="mild">${words.proposeLead}</p>
      <div class="acts">${propose()}</div>`
  if (!agrees || !mayClose(proposal.operator))
    return html`<p class="note">${(agrees ? words.lapsed : words.stale)(proposal.operator)}</p>
      <div class="acts">${propose()} ${ending(viewer, newest)}</div>`
  if (isOwn)
    return html`<p>${words.ownProposal}</p>
      <div class="acts">${ending(viewer, newest)}</div>`
  return html`<p>${words.proposedBy(proposal.operator)}</p>
    <div class="acts">
      ${decisionForm(viewer, 'day.close', `/books/${day}/close`, html`${hidden('figures', hash)} ${why}`, words.close)}
      ${ending(viewer, newest)}
    </div>`
}

/** The proposer takes it back, another person rejects it. */
function ending(viewer: Viewer, { day, operator }: DayEvent): Html {
  const { words: shared, name } = viewer
  const why = reasonField(shared.takeBackWhy)
  return operator === name
    ? decisionForm(viewer, 'day.reject', `/books/${day}/withdraw`, why, shared.withdrawEntry, 'plain')
    : decisionForm(viewer, 'day.reject', `/books/${day}/reject`, why, shared.reject, 'danger')
}

function reopening(viewer: Viewer, { bookDay, last, may, forged }: DayFacts): Html {
  const words = WORDS[viewer.language]
  const { day, state } = bookDay
  if (day !== last) return html`<p class="mild">${words.closedLead}</p>`
  const open = state === 'reopening' ? openProposals(bookDay) : []
  const rejectOnly = forgedOnly(viewer, open, forged)
  if (rejectOnly) return rejectOnly
  const mayReopen = (name: string) => may(name, 'day.reopen')
  const [newest] = open
  const meant = meantProposal(open, mayReopen, viewer.name)
  const proposal = meant && mayReopen(meant.operator) ? meant : undefined
  const why = reasonField(words.reopenWhy)
  const form =
    proposal?.operator !== viewer.name &&
    decisionForm(
      viewer,
      'day.reopen',
      `/books/${day}/reopen`,
      why,
      proposal ? words.reopen : words.proposeReopen,
      'danger',
    )
  return html`<p class="mild">
      ${words.closedLead} ${proposal ? words.reopenConfirm(proposal.operator) : words.reopenLead}
    </p>
    ${newest && !proposal && html`<p class="note">${words.lapsed(newest.operator)}</p>`}
    <div class="acts">${form} ${newest && ending(viewer, newest)}</div>`
}

/** As the domain asks for a reason: something is not explained, or not proven. */
const mustBeAccepted = ({ accounts }: DayReport) =>
  accounts.some(({ unexplained, proven }) => unexplained !== 0n || !proven)

const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}" />`

const reasonField = (label: string) =>
  html`<label class="field wide-field">${label}<input name="why" required minlength="5" maxlength="500" /></label>`
