import { KINDS, plainValue } from '../../../domain/proposals/index.ts'
import type { Difference, KindName, ShownProposal } from '../../../domain/proposals/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import type { People } from '../people.ts'
import { personName } from '../people.ts'
import { DEVELOPER_WORDS } from './words.ts'

/** Of the changes of a merchant those that its own users decide. */
const OWN_KINDS = ['merchant.networks', 'endpoint.add', 'endpoint.change'] as const

export type OwnKind = (typeof OWN_KINDS)[number]

export function isOwnKind(kind: string): kind is OwnKind {
  return OWN_KINDS.some((one) => one === kind)
}

/** What waits for a second person. `me`: the stored name of who looks. */
export function changesCard(viewer: Viewer, changes: ShownProposal[], people: People, me: string): Html {
  if (changes.length === 0) return html``
  const words = DEVELOPER_WORDS[viewer.language]
  return html`<section class="card" aria-labelledby="changes">
    <h2 id="changes" class="first">${words.changes}</h2>
    ${changes.map((change) => oneChange(viewer, change, people, me))}
  </section>`
}

function oneChange(viewer: Viewer, change: ShownProposal, people: People, me: string): Html {
  const words = DEVELOPER_WORDS[viewer.language]
  const { id, kind, proposedBy, proposedAt, seenSha256, isStale, isForged } = change
  const isOwn = proposedBy === me
  const seen = html`<input type="hidden" name="seen" value="${seenSha256}" />`
  const why = html`<label class="field"
    >${words.reason} <input name="why" required minlength="5" maxlength="200"
  /></label>`
  const { action } = KINDS[kind as KindName]
  const at = `/developer/proposals/${id}`
  return html`<article class="waiting" data-item="${id}">
    <p>
      <b>${isOwnKind(kind) ? words.kinds[kind] : kind}</b>
      <span class="mild">${personName(people, proposedBy)} · ${age(proposedAt, viewer.now, viewer.words.age)}</span>
    </p>
    <ul class="differences">
      ${change.rows.flatMap((row) => differences(viewer, row))}
    </ul>
    ${isForged && html`<p class="say bad">${viewer.words.noRecord}</p>`}
    ${isStale && html`<p class="hint">${words.stale}</p>`} ${isOwn && html`<p class="hint">${words.ownChange}</p>`}
    <div class="acts">
      ${!isOwn && !isStale && !isForged && decisionForm(viewer, action, `${at}/approve`, seen, words.approve)}
      ${decisionForm(viewer, action, `${at}/reject`, why, isOwn ? words.takeBack : words.reject, 'plain')}
    </div>
  </article>`
}

/** Of a list what is added and removed; of a text before and after. */
function differences({ language }: Viewer, { field, as, before, after }: Difference): Html[] {
  const words = DEVELOPER_WORDS[language]
  const list = (value: Difference['after']) => (Array.isArray(value) ? (value as string[]) : [])
  if (as === 'list') {
    const added = list(after).filter((one) => !list(before).includes(one))
    const removed = list(before).filter((one) => !list(after).includes(one))
    return [
      ...added.map((one) => html`<li>${words.added} <code>${plainName(one)}</code></li>`),
      ...removed.map((one) => html`<li>${words.removed} <code>${plainName(one)}</code></li>`),
    ]
  }
  if (before === after || (before === null && after === '')) return []
  if (field !== 'url' && before === null) return []
  const shown = (value: Difference['after']) => html`<code>${plainName(plainValue(value))}</code>`
  return [html`<li>${before !== null && html`${shown(before)} → `}${shown(after)}</li>`]
}
