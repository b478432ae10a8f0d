import type { Effect, NextStep, ProposeStep } from '../../../domain/books/index.ts'
import { say } from '../../../acts/refusals/say.ts'
import type { Action } from '../../../domain/people/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import type { Viewer } from '../page.ts'
import type { Desk, DeskLine, ShownCandidate } from './desk.ts'
import { differs } from './desk.ts'
import { addressFor } from './filter.ts'
import { valuesOf } from './read-proposal.ts'
import { DESK_WORDS } from './desk-words.ts'
import { WORDS } from './words.ts'

export const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}" />`

/** The control that takes a candidate's next step: a form, or a link to where it is taken. `key`: of the first one. */
export function stepControl(viewer: Viewer, desk: Desk, shown: DeskLine, one: ShownCandidate, key: string): Html {
  const { line } = shown
  const { next: step, seen } = one
  const { does, corrections, dismiss } = WORDS[viewer.language]
  const bound = hidden('seen', seen)
  // Only the likeliest stands out.
  const look = key === '' ? 'plain' : ''
  const sends = (act: string, action: Action, fields: Html, label: string) =>
    decisionForm(viewer, action, `/matching/${line.id}/${act}${addressFor(desk.filter)}`, fields, label, look, key)
  switch (step.do) {
    case 'match':
      return sends('match', 'line.match', ...matchForm(viewer, step.depositId, one))
    case 'suspend':
      return sends('suspend', 'line.suspend', bound, suspendLabel(viewer, one.effect))
    case 'return':
    case 'sent': {
      const fields = html`${bound}${hidden('withdrawal', step.withdrawalId)}`
      return sends(step.do, `line.${step.do}`, fields, does[step.do])
    }
    case 'correction':
      return step.found === undefined
        ? link('#correction', does.correction, key)
        : sends('correct', 'line.correct', hidden('found', step.found), corrections[step.found])
    case 'dismiss':
      return sends('dismiss', 'line.dismiss', dismissFields(viewer, shown), dismiss)
    case 'stop': {
      const fields = html`${hidden('withdrawal', step.withdrawalId)}${whyField(viewer)}`
      return sends('stop', 'withdrawal.stop', fields, does.stop)
    }
    case 'propose':
      return link(proposalAddress(viewer, desk, step), does.propose, key)
    default:
      return elsewhere(viewer, desk, step, key)
  }
}

/** Names what a customer loses by it. */
export function suspendLabel({ language }: Viewer, effect: Effect): string {
  const { does } = WORDS[language]
  return effect.does === 'free' && effect.fails ? does.suspendFailing : does.suspend
}

const takesTwo = ({ effect }: ShownCandidate) => effect.does === 'credit' && effect.takesTwo

const isOfThirdParty = ({ effect }: ShownCandidate) => effect.does === 'credit' && effect.thirdParty

/** Over the merchant's amount it is a proposal, with its reason. A third party's money takes a reason, too. */
function matchForm(viewer: Viewer, depositId: string, one: ShownCandidate): [fields: Html, label: string] {
  const { does } = WORDS[viewer.language]
  const bound = html`${hidden('seen', one.seen)}${hidden('deposit', depositId)}${differenceBox(viewer, one.effect)}`
  const label = takesTwo(one) ? does.requestMatch : does.match
  if (isOfThirdParty(one))
    return [
      html`${bound}
        <p class="say">${DESK_WORDS[viewer.language].thirdParty}</p>
        ${whyField(viewer)}`,
      label,
    ]
  return takesTwo(one) ? [html`${bound}${whyField(viewer)}`, label] : [bound, label]
}

/** Less or more than was asked for is taken only by who has said so. */
function differenceBox({ language }: Viewer, effect: Effect): Html {
  if (!differs(effect)) return html``
  const { amount, receivedAmount, currency } = effect.deposit
  const [asked, received] = [formatMoney(amount, currency), formatMoney(receivedAmount, currency)]
  return html`<label class="choice"
    ><input
      type="checkbox"
      name="received"
      value="${String(receivedAmount)}"
      required
    />${DESK_WORDS[language].differs(asked, received)}</label
  >`
}

/** A debit that names several payouts: of which it is not the debit. */
export function dismissFields(viewer: Viewer, { several }: DeskLine): Html {
  const { notTheirDebit } = WORDS[viewer.language]
  return html`${several.map(
    (id) =>
      html`<label class="choice"
        ><input type="checkbox" name="notPayout" value="${id}" required />${notTheirDebit(id)}</label
      >`,
  )}
  ${whyField(viewer)}`
}

export function whyField({ language }: Viewer, isFocused = false, typed = ''): Html {
  return html`<label class="field grow"
    >${WORDS[language].whyLabel}<input
      name="why"
      value="${typed}"
      required
      minlength="5"
      maxlength="200"
      ${isFocused && html`autofocus`}
  /></label>`
}

const link = (href: string, label: string, key: string) =>
  html`<a class="button small ${key === '' && 'plain'}" href="${href}" ${key !== '' && html`data-key="${key}"`}
    >${label}</a
  >`

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
  const { sign } = step
  const line = typeof sign === 'string' ? /bank line ([0-9a-f]{24})/.exec(sign)?.[1] : sign.facts['line']
  return typeof line !== 'string'
    ? html`<p>${plainName(typeof sign === 'string' ? sign : say(language, sign))}</p>`
    : link(`${root}/matching/${line}${addressFor(filter)}`, does.explain, key)
}
