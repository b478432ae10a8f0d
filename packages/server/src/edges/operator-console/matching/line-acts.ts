import type { JournalKind, ProposalForm } from '../../../domain/books/index.ts'
import { bankItemOf, formName, PROPOSAL_FORMS } from '../../../domain/books/index.ts'
import type { StoredLine } from '../../../domain/statements/index.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import type { Viewer } from '../page.ts'
import { effectWords } from './candidate-cards.ts'
import type { Desk, DeskLine } from './desk.ts'
import { DESK_WORDS } from './desk-words.ts'
import { addressFor } from './filter.ts'
import { dismissFields, hidden, suspendLabel } from './steps.ts'
import { WORDS } from './words.ts'

/** What can be said about an open line without a candidate. */
export function lineActs(viewer: Viewer, desk: Desk, shown: DeskLine): Html {
  const words = WORDS[viewer.language]
  const { line } = shown
  const at = (act: string) => `/matching/${line.id}/${act}${addressFor(desk.filter)}`
  const isHeld = line.state === 'suspense'
  const retry = decisionForm(viewer, 'line.retry', at('retry'), html``, words.retry, 'plain')
  const dismiss = decisionForm(
    viewer,
    'line.dismiss',
    at('dismiss'),
    dismissFields(viewer, shown),
    words.dismiss,
    'danger',
  )
  return html`${mayRepeat(shown) && correctionCard(viewer, desk, shown)}
    <h2>${words.acts}</h2>
    <div class="card acts-list">
      ${isFreed(shown) ? freeAct(viewer, desk, shown) : noSuspend(viewer, shown)}
      ${!isHeld && line.correctsLineId === null && act(words.retryLead, retry)}
      ${line.depositId === null && act(words.dismissLead, dismiss)}
    </div>`
}

const isFreed = ({ line, freed }: Pick<DeskLine, 'line' | 'freed'>) =>
  line.state === 'suspense' && freed.effect.does !== 'nothing'

/** What the key S finds where nothing can be suspended. */
function noSuspend({ language }: Viewer, { line, candidates }: DeskLine): Html {
  if (candidates.some(({ next }) => next.do === 'suspend')) return html``
  const { suspendedAlready, noSuspend: none } = DESK_WORDS[language]
  return html`<p class="act mild" data-key="s" tabindex="-1">${line.state === 'suspense' ? suspendedAlready : none}</p>`
}

/** A line that is held for a deposit is freed before anything else is said about it. */
export function freeAct(viewer: Viewer, desk: Desk, { line, freed }: DeskLine): Html {
  if (!isFreed({ line, freed })) return html``
  const path = `/matching/${line.id}/suspend${addressFor(desk.filter)}`
  const label = suspendLabel(viewer, freed.effect)
  const form = decisionForm(viewer, 'line.suspend', path, hidden('seen', freed.seen), label, 'plain', 's')
  return act(effectWords(viewer, desk, freed.effect), form)
}

const act = (lead: string, form: Html) =>
  html`<div class="act">
    <p class="mild">${lead}</p>
    ${form}
  </div>`

const mayRepeat = ({ line }: DeskLine) =>
  line.state === 'needs_review'
    ? line.correctsLineId !== null || line.reason === 'payout_line_twice'
    : line.correctsLineId !== null && line.depositId === null

/** A line that was taken for the same money as another one, which can be taken back. */
export function setAsideCard(viewer: Viewer, desk: Desk, shown: DeskLine): Html {
  const { setAside, setAsideLead } = DESK_WORDS[viewer.language]
  return html`<h2>${setAside}</h2>
    <p class="lead">${setAsideLead}</p>
    ${correctionCard(viewer, desk, shown)}`
}

function correctionCard(viewer: Viewer, { filter }: Desk, { line, repeats, entered }: DeskLine): Html {
  const words = WORDS[viewer.language]
  const isBooked = repeats?.state === 'matched'
  const possible = (['same_money', 'new_money', 'replaces'] as const).filter(
    (one) =>
      (one !== 'replaces' || (line.correctsLineId !== null && !isBooked)) &&
      (one !== 'same_money' || line.state !== 'dismissed') &&
      (one === 'same_money' || line.state !== 'suspense'),
  )
  const choices = html`<fieldset>
    <legend class="quiet">${words.correction}</legend>
    ${possible.map(
      (one) =>
        html`<label class="choice"
          ><input type="radio" name="found" value="${one}" required />${words.corrections[one]}</label
        >`,
    )}
    <label class="field grow">${words.whyIfTwo}<input name="why" maxlength="200" /></label>
  </fieldset>`
  const path = `/matching/${line.id}/correct${addressFor(filter)}`
  return html`<h2 id="correction">${words.correction}</h2>
    <div class="card">
      ${entered && html`<p class="say">${DESK_WORDS[viewer.language].enteredFirst(entered.proposedBy)}</p>`}
      ${!entered && isBooked && line.direction === 'credit' && line.state !== 'suspense' && html`<p class="say">${DESK_WORDS[viewer.language].creditedFirst}</p>`}
      ${isBooked && line.state === 'needs_review' && bookedFirst(viewer, repeats)}
      ${decisionForm(viewer, 'line.correct', path, choices, words.decide)}
    </div>`
}

/** A booked line is replaced after two people have taken its booking back. */
function bookedFirst(viewer: Viewer, first: StoredLine): Html {
  const { firstIsBooked, firstStands } = DESK_WORDS[viewer.language]
  const back = takeBack(viewer, first)
  return html`${back !== null && html`<p>${firstIsBooked}</p>`}${back}
    <p class="mild">${firstStands(WORDS[viewer.language].dismiss)}</p>`
}

/** What the best candidate is; without any, what a bank calls it. */
function likelyKind(line: StoredLine, [best]: DeskLine['candidates']): JournalKind | null {
  if (best) return best.next.do === 'propose' ? best.next.kind : null
  return bankItemOf(line)
}

/** The kinds of journal entries that can begin with this line. */
export function entryLinks(viewer: Viewer, { filter }: Desk, { line, candidates, unconfirmed }: DeskLine): Html {
  const words = WORDS[viewer.language]
  // A charge with its tax is a candidate.
  const forms = PROPOSAL_FORMS.filter(
    (form) =>
      (form.line === 'any' || form.line === line.direction) &&
      form.variant !== 'with_tax' &&
      // Money that the bank has not shown is not sent back.
      (form.kind !== 'refund_unexplained' || unconfirmed.length === 0),
  )
  return html`<h2>${words.entries}</h2>
    <p class="lead">${words.entriesLead}</p>
    ${formLinks(viewer, forms, (entry) => `/matching/${line.id}${addressFor(filter, { entry })}`, likelyKind(line, candidates))}
    <p><a href="${viewer.root}/matching/entry">${words.otherEntries}</a></p>`
}

/** Kinds; one with more than two variants is a choice of its own, so that not all links begin alike. */
export function formLinks(
  viewer: Viewer,
  forms: ProposalForm[],
  address: (entry: string) => string,
  likely: JournalKind | null = null,
): Html {
  const { codes } = viewer.words
  const { variants } = WORDS[viewer.language]
  const isLikely = ({ kind, variant }: ProposalForm) => kind === likely && variant === null
  const link = (form: ProposalForm, label: string) =>
    html`<li>
      <a class="${isLikely(form) && 'likely'}" href="${viewer.root}${address(formName(form))}">${label}</a>
    </li>`
  const sorted = forms.toSorted((a, b) => Number(isLikely(b)) - Number(isLikely(a)))
  const kinds = [...Map.groupBy(sorted, ({ kind }) => kind)]
  return html`<ul class="kinds">
    ${kinds.map(([kind, its]) =>
      its.length < 3
        ? its.map((form) => link(form, formTitle(viewer, form)))
        : html`<li>
            <details>
              <summary>${codes.journal[kind]}</summary>
              <ul>
                ${its.map((form) => link(form, variants[form.variant ?? 'plain'] ?? form.variant ?? ''))}
              </ul>
            </details>
          </li>`,
    )}
  </ul>`
}

export function formTitle({ language, words }: Viewer, { kind, variant }: ProposalForm): string {
  const name = words.codes.journal[kind]
  return variant === null ? name : `${name}: ${WORDS[language].variants[variant] ?? variant}`
}

/** The proposal that takes the booking of a line back, filled in. */
export function takeBack({ language, root }: Viewer, line: StoredLine): Html | null {
  const words = WORDS[language]
  const { journalId, depositId, state, direction, withdrawalId } = line
  const back = (fields: Record<string, string>, label: string) =>
    html`<p><a href="${root}/matching/entry?${new URLSearchParams(fields).toString()}">${label}</a></p>`
  if (state !== 'matched') return null
  if (journalId !== null) return back({ entry: 'reversal', reverses: journalId }, words.reverse)
  if (depositId !== null) return back({ entry: 'unmatch', deposit: depositId }, words.unmatch)
  if (direction !== 'credit' || withdrawalId === null) return null
  return back({ entry: 'unmatch.of_return', withdrawal: withdrawalId }, words.unmatchReturn)
}
