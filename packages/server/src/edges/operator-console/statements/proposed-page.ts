import type { ProposedImport } from '../../../domain/proposals/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { minute } from '../../web/console/parts.ts'
import { differences } from '../../web/console/proposals/differences.ts'
import { refusalText } from '../../../acts/refusals/say.ts'
import { proposalForms, proposerNote } from '../proposals/cards.ts'
import type { Page, Viewer } from '../page.ts'
import type { Lapsed } from '../proposals/lapsed.ts'
import { newLines } from './new-lines.ts'
import { previewFigures } from './parts.ts'
import { PROPOSED_WORDS } from './proposed-words.ts'
import { unreadLines } from './unread-lines.ts'
import { WORDS } from './words.ts'

/** A file that waits for a second person: what the first one saw, the lines themselves, and the decision. */
export function proposedPage(viewer: Viewer, shown: ProposedImport, lapsed: Lapsed): Page {
  const title = plainName(shown.name)
  const main = html`<p class="mild"><a href="${viewer.root}/approvals">${viewer.words.approvals}</a></p>
    <h1>${title}</h1>
    ${'isDecided' in shown ? decided(viewer, shown, lapsed) : open(viewer, shown, lapsed)}`
  return { title, section: 'approvals', main }
}

/** How it is read; the other facts of the proposal are in the preview. */
const ABOUT_FILE = new Set(['format', 'connection', 'chosenAccount', 'layout', 'ownLayout', 'columns', 'sha256'])
const isAboutFile = ({ field }: { field: string }) => ABOUT_FILE.has(field)

type Decided = Extract<ProposedImport, { isDecided: true }>
type Open = Exclude<ProposedImport, { isDecided: true }>

function decided(viewer: Viewer, { proposal, file }: Decided, lapsed: Lapsed): Html {
  const { language, root } = viewer
  const words = PROPOSED_WORDS[language]
  const { state, decidedBy, decidedAt, note } = proposal
  const who = decidedBy !== null && decidedAt && html`${decidedBy}, ${minute(decidedAt)}`
  return html`<div class="say below">
      <p>${state !== 'open' && words.decided[state]}</p>
      ${who && html`<p>${who}${note !== null && html`: ${plainName(note)}`}</p>`}
    </div>
    ${proposerNote(viewer, proposal, '', lapsed)}
    <p class="more">
      ${file && html`<a href="${root}/statements/${file.id}">${WORDS[language].openFile}</a> · `}<a
        href="${root}/approvals"
        >${words.toApprovals}</a
      >
      · <a href="${root}/statements">${WORDS[language].toFiles}</a>
    </p>`
}

function open(viewer: Viewer, shown: Open, lapsed: Lapsed): Html {
  const words = PROPOSED_WORDS[viewer.language]
  const { proposal, file } = shown
  const isImported = file?.state === 'imported'
  const isAsProposed = 'preview' in shown && shown.isAsProposed
  const mayApprove = isAsProposed && !lapsed.has(proposal.id)
  const said = isImported
    ? html`<p class="say bad">
        ${words.already} <a href="${viewer.root}/statements/${file.id}">${WORDS[viewer.language].openFile}</a>
      </p>`
    : 'preview' in shown
      ? !isAsProposed && html`<p class="say bad">${words.differs}</p>`
      : html`<div class="say bad">
          <b>${words.refusedTitle}</b>
          <p>${plainName(refusalText(viewer.language, shown.refused))}</p>
        </div>`
  return html`<p class="lead">${words.lead}</p>
    ${said}
    ${'preview' in shown && !isImported && html`${previewFigures(viewer, shown.preview)} ${newLines(viewer, shown.preview)} ${unreadLines(viewer, shown.preview)}`}
    <h2>${words.decision}</h2>
    <article class="card">
      ${proposerNote(viewer, proposal, '', lapsed)} ${proposalForms(viewer, proposal, mayApprove)}
    </article>
    <h2>${WORDS[viewer.language].file}</h2>
    ${differences(viewer.language, 'preview' in shown && !isImported ? proposal.rows.filter(isAboutFile) : proposal.rows)}`
}
