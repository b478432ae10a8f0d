import type { NextStep, ProposeStep } from '../../../domain/books/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import type { Viewer } from '../page.ts'
import type { Desk, DeskLine, ShownCandidate } from './desk.ts'
import { addressFor } from './filter.ts'
import { valuesOf } from './read-proposal.ts'
import { WORDS } from './words.ts'

export const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}" />`

/** The control that takes a candidate's next step: a form, or a link to where it is taken. `key`: focused by the keyboard. */
export function stepControl(viewer: Viewer, desk: Desk, { line }: DeskLine, one: ShownCandidate, key: string): Html {
  const { next: step, seen } = one
  const { does } = WORDS[viewer.language]
  const at = (act: string) => `/matching/${line.id}/${act}${addressFor(desk.filter)}`
  const bound = hidden('seen', seen)
  switch (step.do) {
    case 'match':
      return decisionForm(
        viewer,
        'line.match',
        at('match'),
        html`${bound}${hidden('deposit', step.depositId)}`,
        does.match,
        '',
        key,
      )
    case 'suspend':
      return decisionForm(viewer, 'line.suspend', at('suspend'), bound, does.suspend, '', key)
    case 'return': {
      const its = html`${bound}${hidden('withdrawal', step.withdrawalId)}`
      return decisionForm(viewer, 'line.return', at('return'), its, does.return, '', key)
    }
    case 'sent': {
      const its = html`${bound}${hidden('withdrawal', step.withdrawalId)}`
      return decisionForm(viewer, 'line.sent', at('sent'), its, does.sent, '', key)
    }
    case 'correction':
      return step.found === undefined
        ? link('#correction', does.correction, key)
        : decisionForm(
            viewer,
            'line.correct',
            at('correct'),
            hidden('found', step.found),
            WORDS[viewer.language].corrections[step.found],
            '',
            key,
          )
    case 'dismiss':
      return decisionForm(
        viewer,
        'line.dismiss',
        at('dismiss'),
        whyField(viewer),
        WORDS[viewer.language].dismiss,
        'danger',
        key,
      )
    case 'stop':
      return decisionForm(
        viewer,
        'withdrawal.stop',
        at('stop'),
        html`${hidden('withdrawal', step.withdrawalId)}${whyField(viewer)}`,
        does.stop,
        '',
        key,
      )
    case 'propose':
      return link(proposalAddress(viewer, desk, step), does.propose, key)
    default:
      return elsewhere(viewer, desk, step, key)
  }
}

export function whyField({ language }: Viewer, isFocused = false): Html {
  return html`<label class="field grow"
    >${WORDS[language].whyLabel}<input
      name="why"
      required
      minlength="5"
      maxlength="200"
      ${isFocused && html`autofocus`}
  /></label>`
}

const link = (href: string, label: string, key: string) =>
  html`<a class="button small" href="${href}" ${key !== '' && html`data-key="${key}"`}>${label}</a>`

/** The form of a proposal: on the line that it begins with, or on its own page. */
function proposalAddress({ root }: Viewer, { filter }: Desk, step: ProposeStep): string {
  const [lineId] = step.terms.lineIds
  const values = valuesOf(step)
  return lineId === undefined
    ? `${root}/matching/entry?${new URLSearchParams(values).toString()}`
    : `${root}/matching/${lineId}${addressFor(filter, values)}`
}

/** Steps that are taken on another page. */
function elsewhere({ language, root }: Viewer, { filter }: Desk, step: NextStep, key: string): Html {
  const { does } = WORDS[language]
  if (step.do === 'resolve') return link(`${root}/payouts`, does.resolve, key)
  if (step.do === 'reject') return link(`${root}/approvals`, does.reject, key)
  if (step.do === 'look') return link(`${root}/transactions/${step.withdrawalId}`, does.look, key)
  if (step.do !== 'explain') return html``
  const [, lineId] = /bank line ([0-9a-f]{24})/.exec(step.sign) ?? []
  return lineId === undefined
    ? html`<p>${plainName(step.sign)}</p>`
    : link(`${root}/matching/${lineId}${addressFor(filter)}`, does.explain, key)
}
