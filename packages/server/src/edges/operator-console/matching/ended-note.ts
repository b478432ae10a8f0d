import type { StoredLine } from '../../../domain/statements/index.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { enterLink } from '../entered/link.ts'
import type { Viewer } from '../page.ts'
import type { Desk, DeskLine } from './desk.ts'
import { DESK_WORDS } from './desk-words.ts'
import { addressFor } from './filter.ts'
import { takeBack } from './line-acts.ts'
import { whyField } from './steps.ts'
import { isWaiting, waitingNote } from './waiting-proposal.ts'
import { WORDS } from './words.ts'

/** A line about which nothing is to be decided: how the decision is taken back. */
export function endedNote(viewer: Viewer, desk: Desk, shown: DeskLine): Html {
  const { line, origin } = shown
  const words = DESK_WORDS[viewer.language]
  if (isRestorable(line)) {
    if (isWaiting(shown)) return waitingNote(viewer)
    if (!origin?.entered) return restoreCard(viewer, desk, line)
    return html`<div class="card">
      <p data-key="m" tabindex="-1">${words.enterAgain} ${enterLink(viewer)}</p>
    </div>`
  }
  return html`<div class="card">
    <p data-key="m" tabindex="-1">${line.state === 'new' ? words.beingMatched : WORDS[viewer.language].explained}</p>
    ${takeBack(viewer, line)}
  </div>`
}

type Restorable = StoredLine & { reason: 'dismissed' | 'replaced' }

const isRestorable = (line: StoredLine): line is Restorable =>
  line.state === 'dismissed' && (line.reason === 'dismissed' || line.reason === 'replaced')

function restoreCard(viewer: Viewer, { filter }: Desk, { id, reason }: Restorable): Html {
  const words = DESK_WORDS[viewer.language]
  const path = `/matching/${id}/restore${addressFor(filter)}`
  return html`<h2>${words.restoreTitle}</h2>
    <div class="card acts-list">
      <div class="act">
        <p class="mild" data-key="m" tabindex="-1">${words.restoreLead[reason]}</p>
        ${decisionForm(viewer, 'line.restore', path, whyField(viewer), words.restore, 'plain')}
      </div>
    </div>`
}
