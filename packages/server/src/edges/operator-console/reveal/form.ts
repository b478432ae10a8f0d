import { REVEAL_REASONS, revealData } from '../../../domain/people/index.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { clockTime } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Asked, OperatorDeps } from '../kind.ts'
import type { Viewer } from '../page.ts'
import type { PersonalData } from './personal-data.ts'
import { REVEAL_WORDS } from './words.ts'

/** Asks why personal data is to be shown; while it is, says until when. */
export function revealForm(viewer: Viewer, { until }: PersonalData, path: string): Html {
  const words = REVEAL_WORDS[viewer.language]
  if (until) return html`<p class="hint revealed">${words.shownUntil(clockTime(until))}</p>`
  if (!viewer.may('data.reveal')) return html``
  const fields = html`<label class="field"
      >${words.reason}
      <select name="reason" required>
        ${option('', words.choose, true)} ${REVEAL_REASONS.map((one) => option(one, words.reasons[one], false))}
      </select>
    </label>
    <label class="field wide-field"
      >${words.note}<input
        name="note"
        required
        minlength="${MIN_REASON_LENGTH}"
        maxlength="200"
        autocomplete="off"
        placeholder="${words.noteHint}"
    /></label>`
  return html`<details class="reveal">
    <summary>${words.show}</summary>
    <p class="hint">${words.lead}</p>
    <div class="acts">${decisionForm(viewer, 'data.reveal', path, fields, words.confirm)}</div>
  </details>`
}

/** Records the reason; the page then shows the data. Null if there is nothing with this id. */
export async function reveal(app: OperatorDeps, { actor, fields }: Asked, subject: string | null, beside?: string[]) {
  if (subject === null) return null
  await revealData(app, actor, subject, {
    reason: fields.get('reason') ?? '',
    note: (fields.get('note') ?? '').slice(0, 200),
    ...(beside && { beside }),
  })
  return 'revealed'
}
