import type { AuditEntry, auditState } from '../../../domain/audit/index.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, minute } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Page, Viewer } from '../page.ts'
import { entriesTable } from './entries.ts'
import type { AuditWanted } from './filter.ts'
import { ACTIONS, addressOf } from './filter.ts'
import { WORDS } from './words.ts'

export const PAGE_SIZE = 50

type State = Awaited<ReturnType<typeof auditState>>
/** `chain`: only for who sees all decisions; null shows one's own. */
type Facts = {
  entries: AuditEntry[]
  reasons: ReadonlyMap<number, string | null>
  hidden: ReadonlySet<number>
  doubted: ReadonlySet<number>
  chain: { state: State; people: string[] } | null
}

export function auditPage(viewer: Viewer, wanted: AuditWanted, { entries, chain, ...told }: Facts): Page {
  const { words: shared } = viewer
  const words = WORDS[viewer.language]
  const shown = entries.slice(0, PAGE_SIZE)
  const last = entries.length > PAGE_SIZE ? shown.at(-1) : undefined
  const title = chain ? shared.audit : shared.ownDecisions
  const main = html`<h1>${title}</h1>
    <p class="lead">${chain ? words.lead : words.ownLead}</p>
    ${chain && chainPart(viewer, chain.state)} ${filterForm(viewer, wanted, chain?.people ?? null)}
    ${shown.length === 0 ? html`<p class="empty">${words.none}</p>` : entriesTable(viewer, shown, told)}
    ${last && html`<p class="more"><a href="${addressOf({ ...wanted, before: String(last.number) })}">${shared.older}</a></p>`}
    ${chain && exportForm(viewer, wanted)}`
  return { title, section: 'audit', main }
}

function chainPart(viewer: Viewer, state: State): Html {
  const words = WORDS[viewer.language]
  return html`${state.problem !== null && html`<p class="say bad" role="alert"><b>${words.broken}</b>: <span lang="en">${state.problem}</span>. ${words.brokenHelp}</p>`}
  ${chainStrip(viewer, state)}`
}

/** The clock of the machine wrote these times; in a sandbox that of the pages may be elsewhere. */
function chainStrip(viewer: Viewer, { head, verifiedAt, verifiedNumber, problem, ...outside }: State): Html {
  const { now, words: shared } = viewer
  const words = WORDS[viewer.language]
  const when = (at: Date | null) => (at === null ? words.never : html`${minute(at)} · ${age(at, now, shared.age)}`)
  const { writtenAt, writtenNumber, writtenTo } = outside
  const behind = head.number - (writtenNumber ?? 0)
  const verdict = problem === null ? words.intact(verifiedNumber ?? 0) : words.broken
  return html`<dl class="strip chain">
    <div>
      <dt>${words.newest}</dt>
      <dd>${head.number}</dd>
      <dd><small class="id" title="${head.hash}">${head.hash.slice(0, 16)}…</small></dd>
    </div>
    <div>
      <dt>${words.verified}</dt>
      <dd>
        ${verifiedAt === null ? '–' : html`<span class="state ${problem === null ? 'good' : 'bad'}">${verdict}</span>`}
      </dd>
      <dd><small>${when(verifiedAt)}</small></dd>
    </div>
    <div>
      <dt>${words.outside}</dt>
      <dd>
        ${writtenNumber ?? '–'}${writtenNumber !== null && behind > 0 && html` <small>${words.behind(behind)}</small>`}
      </dd>
      <dd><small>${when(writtenAt)} ${writtenTo && words.places[writtenTo]}</small></dd>
    </div>
  </dl>`
}

function filterForm(viewer: Viewer, wanted: AuditWanted, people: string[] | null): Html {
  const { root, words: shared } = viewer
  const words = WORDS[viewer.language]
  const isFiltered = Object.values(wanted).some((value) => value !== '')
  return html`<form class="filters spaced" action="${root}/audit">
    ${
      people &&
      html`<label class="field"
          >${words.actor}<input name="actor" value="${wanted.actor}" maxlength="120" list="people" autocomplete="off"
        /></label>
        <datalist id="people">${people.map((name) => html`<option value="${name}"></option>`)}</datalist>`
    }
    <label class="field"
      >${words.action}<select name="action">
        ${option('', words.anyAction, wanted.action === '')} ${actionGroups(viewer, wanted.action)}
      </select></label
    >
    <label class="field"
      >${words.subject}<input
        name="subject"
        value="${wanted.subject}"
        maxlength="120"
        placeholder="${words.subjectHint}"
    /></label>
    <label class="field">${shared.from}<input type="date" name="from" value="${wanted.from}" /></label>
    <label class="field">${shared.to}<input type="date" name="to" value="${wanted.to}" /></label>
    <button class="button small">${shared.show}</button>
    ${isFiltered && html`<a class="button small plain" href="${root}/audit">${words.all}</a>`}
  </form>`
}

/** By what they are about. */
function actionGroups({ language, words: { codes } }: Viewer, chosen: string): Html[] {
  const groups = Map.groupBy(ACTIONS, (action) => action.split('.')[0] ?? '')
  return [...groups].map(
    ([about, actions]) =>
      html`<optgroup label="${WORDS[language].subjects[about] ?? about}">
        ${actions.map((one) => option(one, codes.actions[one], one === chosen))}
      </optgroup>`,
  )
}

function exportForm(viewer: Viewer, wanted: AuditWanted): Html {
  const words = WORDS[viewer.language]
  const fields = (['actor', 'action', 'subject', 'from', 'to'] as const).map(
    (name) => html`<input type="hidden" name="${name}" value="${wanted[name]}" />`,
  )
  return html`<div class="acts">
      ${decisionForm(viewer, 'audit.read', '/audit/export', html`${fields}`, words.export, 'plain')}
    </div>
    <p class="hint">${words.exportHint}</p>`
}
