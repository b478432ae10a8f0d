import { formAbout, formName, PROPOSAL_FORMS } from '../../../domain/books/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findLine, stateOfOpen } from '../../../domain/statements/index.ts'
import type { Action } from '../../../domain/people/index.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { stateBadge } from '../../web/console/transaction-list.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, Form, OperatorDeps, Section } from '../kind.ts'
import { reveal } from '../reveal/form.ts'
import { candidateCards } from './candidate-cards.ts'
import {
  correct,
  dismiss,
  giveBack,
  match,
  propose,
  proposeAlone,
  restore,
  retry,
  sent,
  stop,
  suspend,
} from './decide.ts'
import type { Desk, DeskLine } from './desk.ts'
import { isSetAside, readDesk, readLine, subjectOf, waitingFor } from './desk.ts'
import { DESK_WORDS } from './desk-words.ts'
import { addressFor, filterFrom } from './filter.ts'
import { entryLinks, formLinks, freeAct, lineActs, setAsideCard } from './line-acts.ts'
import { lineCard } from './line-card.ts'
import { endedNote } from './ended-note.ts'
import { isWaiting, waitingNote } from './waiting-proposal.ts'
import { deskPage, signed } from './page.ts'
import { proposalForm } from './proposal-form.ts'
import { readyProposal, wantedForm } from './proposal.ts'
import { SAID } from './said.ts'
import { WORDS } from './words.ts'

const AT_LINE = '/matching/:id'
const ALONE = '/matching/entry'
const aboutLine = (act: string, action: Action, decide: Form['decide']): Form => {
  return { path: `${AT_LINE}/${act}`, action, back: AT_LINE, decide }
}

/** The list has a filter, so that each page reads its own when any line changes. */
const QUEUE = { name: 'queue', load: ({ db }: OperatorDeps) => stateOfOpen(db.report) }

export const MATCHING: Section = {
  views: [
    { path: '/matching', live: QUEUE, show: first },
    { path: AT_LINE, live: QUEUE, show: atLine },
    { path: ALONE, show: alone },
  ],
  forms: [
    aboutLine('match', 'line.match', match),
    aboutLine('suspend', 'line.suspend', suspend),
    aboutLine('return', 'line.return', giveBack),
    aboutLine('sent', 'line.sent', sent),
    aboutLine('correct', 'line.correct', correct),
    aboutLine('retry', 'line.retry', retry),
    aboutLine('dismiss', 'line.dismiss', dismiss),
    aboutLine('restore', 'line.restore', restore),
    aboutLine('stop', 'withdrawal.stop', stop),
    aboutLine('reveal', 'data.reveal', revealLine),
    aboutLine('preview', 'journal.propose', (app, asked) => previewed(app, asked, atLine)),
    aboutLine('propose', 'journal.propose', propose),
    {
      path: `${ALONE}/preview`,
      action: 'journal.propose',
      back: ALONE,
      decide: (app, asked) => previewed(app, asked, alone),
    },
    { path: `${ALONE}/propose`, action: 'journal.propose', back: ALONE, decide: proposeAlone },
  ],
  said: SAID,
}

/** The list with its first line that has no proposal. */
async function first(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const desk = await readDesk(app, asked)
  const line = desk.lines.find(({ id }) => !desk.waiting.has(id)) ?? desk.lines[0]
  if (asked.byScript) return listAlone(asked, desk, null)
  const shown = line ? await readLine(app, line.id) : null
  const pane = shown ? await paneOf(app, { ...asked, id: shown.line.id }, desk, shown) : html``
  return {
    page: deskPage(asked.viewer, desk, shown?.line.id ?? null, html`${await lastNote(app, asked)}${pane}`, true),
  }
}

async function atLine(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, id } = asked
  const desk = await readDesk(app, asked)
  if (asked.byScript) return listAlone(asked, desk, id)
  const shown = await readLine(app, id)
  if (!shown) {
    const page = deskPage(viewer, desk, null, html`<p class="empty">${WORDS[viewer.language].noLine}</p>`, false)
    return { page, status: 404 }
  }
  const pane = html`${await lastNote(app, asked)}${await paneOf(app, asked, desk, shown)}`
  return { page: deskPage(viewer, desk, id, pane, false) }
}

/** The script brings the list up to date, never what a person works on. */
const listAlone = ({ viewer }: Asked, desk: Desk, current: string | null): Shown => {
  return { page: deskPage(viewer, desk, current, html``, false) }
}

async function revealLine(app: OperatorDeps, asked: Asked): Promise<string | Shown | null> {
  const shown = await readLine(app, asked.id)
  const first = shown?.repeats ? [`line:${shown.repeats.id}`] : []
  const others = shown && [...shown.candidates.map(subjectOf), ...first]
  const said = await reveal(app, asked, shown && `line:${asked.id}`, others ?? [])
  return said && { redirect: `/matching/${asked.id}${addressFor(filterFrom(asked.query), { said })}` }
}

async function paneOf(app: OperatorDeps, asked: Asked, desk: Desk, shown: DeskLine): Promise<Html> {
  const { viewer, id } = asked
  const card = lineCard(viewer, desk, shown)
  const form = shown.isOpen && !isWaiting(shown) ? wantedForm(asked, true) : null
  if (form) {
    const proposal = await readyProposal(app, asked, formAbout(form, shown.line))
    const back = `/matching/${id}${addressFor(desk.filter)}`
    const free = proposal.refused !== null && freeAct(viewer, desk, shown)
    return html`${card} ${proposalForm(viewer, proposal, `/matching/${id}`, back)} ${free}`
  }
  if (!shown.isOpen && !isSetAside(shown.line)) return html`${card} ${endedNote(viewer, desk, shown)}`
  if (isWaiting(shown)) return html`${card} ${waitingNote(viewer)}`
  if (!shown.isOpen) return html`${card} ${setAsideCard(viewer, desk, shown)}`
  return html`${card} ${candidateCards(viewer, desk, shown)} ${lineActs(viewer, desk, shown)}
  ${entryLinks(viewer, desk, shown)}`
}

/** The line that was decided before this one was opened. */
async function lastNote(app: OperatorDeps, { viewer, query }: Asked): Promise<Html> {
  const { done } = query
  if (typeof done !== 'string' || !/^[0-9a-f]{24}$/.test(done)) return html``
  const line = await findLine(app.db.pages, done)
  if (!line) return html``
  const waits = (await waitingFor(app, [line])).has(done)
  return html`<p class="mild last">
    ${WORDS[viewer.language].previous}: <a href="${viewer.root}/matching/${done}">${signed(line)}</a>
    ${waits ? html`<span class="state busy">${DESK_WORDS[viewer.language].waits}</span>` : stateBadge(viewer, line.state)}
  </p>`
}

/** Proposals that begin with no line: which, or the form of one. */
async function alone(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer } = asked
  const words = WORDS[viewer.language]
  const form = wantedForm(asked, false)
  const forms = PROPOSAL_FORMS.filter(({ line }) => line === null)
  const inside = form
    ? proposalForm(viewer, await readyProposal(app, asked, form), ALONE, ALONE)
    : formLinks(viewer, forms, (entry) => `${ALONE}?entry=${entry}`)
  const main = html`<h1>${words.otherEntries}</h1>
    <p class="lead">${words.otherLead}</p>
    ${inside}
    <p class="more"><a href="${viewer.root}/matching">${words.title}</a></p>`
  return { page: { title: words.otherEntries, section: 'matching', main } }
}

/** Shows the form with what it would book. */
async function previewed(app: OperatorDeps, asked: Asked, show: (app: OperatorDeps, asked: Asked) => Promise<Shown>) {
  const known = PROPOSAL_FORMS.some((form) => formName(form) === asked.fields.get('entry'))
  const words = WORDS[asked.viewer.language]
  if (!known) throw new Refusal('VALIDATION_ERROR', words.fieldMissing(words.entries))
  return show(app, asked)
}
