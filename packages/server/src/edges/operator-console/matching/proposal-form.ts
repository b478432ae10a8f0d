import type { EntryPreview, ProposalField, ProposalForm } from '../../../domain/books/index.ts'
import { formName } from '../../../domain/books/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { worded } from '../../web/console/codes/codes.ts'
import { actButton, fieldsFor } from '../../web/console/decision-form.ts'
import { option } from '../../web/console/transaction-list.ts'
import { transactionName } from '../names.ts'
import type { Viewer } from '../page.ts'
import { masked } from '../reveal/personal-data.ts'
import { bookedTime } from './booked-time.ts'
import { formTitle } from './line-acts.ts'
import { signed } from './page.ts'
import { previewTable } from './proposal-preview.ts'
import type { Choices } from './proposal-choices.ts'
import { fieldsOf, MAX_PARTS, wordsOf } from './read-proposal.ts'
import { hidden, whyField } from './steps.ts'
import { WORDS } from './words.ts'

export type Proposal = {
  form: ProposalForm
  values: URLSearchParams
  preview: EntryPreview | null
  /** Why there is no preview, although everything is said. */
  refused: string | null
  choices: Choices
}

/** What is hardly ever said. */
const RARE: ProposalField = 'notPayout'

/** The form of a kind: first its fields, then what would be booked, why, and the proposal. `path`: where it is sent to. */
export function proposalForm(viewer: Viewer, proposal: Proposal, path: string, back: string): Html {
  const words = WORDS[viewer.language]
  const { form, preview, refused, choices } = proposal
  const fields = fieldsOf(form)
  const [shown, rare] = [fields.filter((one) => one !== RARE), fields.filter((one) => one === RARE)]
  const to = (act: string) => `${viewer.root}${path}/${act}`
  const typed = proposal.values.get('why') ?? ''
  const query = back.includes('?') ? back.slice(back.indexOf('?')) : ''
  return html`<section class="card proposal" aria-labelledby="proposal">
    <h2 id="proposal" class="first">${formTitle(viewer, form)}</h2>
    ${refused !== null && html`<p class="say bad">${refused}</p>`}
    <form method="post" action="${to('preview')}${query}">
      ${hidden('csrf', viewer.csrf)} ${hidden('entry', formName(form))}
      ${fieldsFor(
        viewer,
        'journal.propose',
        html`${shown.map((field, place) => input(viewer, proposal, field, place === 0 && !preview))}
        ${rare.length > 0 && rareInputs(viewer, proposal, rare)}`,
      )}
      ${preview && html`${previewTable(viewer, preview, choices, proposal.values)} ${hidden('seen', preview.hash)} ${whyField(viewer, true, typed)} ${preview.takesTwo && html`<p class="mild">${words.secondNeeded}</p>`}`}
      ${!preview && typed !== '' && hidden('why', typed)}
      <div class="acts">
        ${
          preview &&
          actButton(
            viewer,
            'journal.propose',
            preview.takesTwo ? words.propose : words.book,
            '',
            html`formaction="${to('propose')}${query}"`,
          )
        }
        ${
          fields.length > 0 &&
          actButton(viewer, 'journal.propose', words.preview, preview ? 'plain' : '', html`formnovalidate`)
        }
        <a href="${viewer.root}${back}">${words.cancel}</a>
      </div>
    </form>
  </section>`
}

/** Folded, until a plan was refused: this may be what it asks for. */
function rareInputs(viewer: Viewer, proposal: Proposal, rare: ProposalField[]): Html {
  const isOpen = proposal.refused !== null || rare.some((field) => proposal.values.get(field))
  return html`<details ${isOpen && html`open`}>
    <summary>${WORDS[viewer.language].rare}</summary>
    <div class="more-fields">${rare.map((field) => input(viewer, proposal, field, false))}</div>
  </details>`
}

function input(viewer: Viewer, proposal: Proposal, field: ProposalField, isFirst: boolean): Html {
  const words = WORDS[viewer.language]
  const { form, values, choices } = proposal
  const isNeeded = form.needs.includes(field)
  const label = html`<span>${words.inputs[field]} ${!isNeeded && html`<small>(${words.optional})</small>`}</span>`
  if (field === 'parts') return partRows(viewer, values)
  if (field === 'lines') return lineInputs(viewer, proposal, label, isFirst)
  const chosen = choicesFor(viewer, choices, field)
  const value = values.get(field) ?? ''
  const needed = isNeeded && html`required`
  const focus = isFirst && value === '' && html`autofocus`
  if (chosen)
    return html`<label class="field"
      >${label}
      <select name="${field}" ${needed} ${focus}>
        ${option('', chosen.length === 0 ? words.noneOpen : words.choose, value === '')}
        ${chosen.map(([one, text]) => option(one, text, one === value))}
      </select></label
    >`
  const isList = field === 'withdrawals' || field === 'notPayout'
  return html`<label class="field"
    >${label}<input
      name="${field}"
      value="${value}"
      type="${field === 'day' ? 'date' : 'text'}"
      maxlength="${isList ? 500 : 100}"
      autocomplete="off"
      ${(field === 'amount' || field === 'rest' || field === 'charge') && html`inputmode="decimal" placeholder="840,00"`}
      ${needed}
      ${focus}
    />${field === 'withdrawals' && html`<small>${words.severalIds}</small>`}</label
  >`
}

/** Lines to tick, and a field for others. */
function lineInputs(viewer: Viewer, { form, values, choices }: Proposal, label: Html, isFirst: boolean): Html {
  const words = WORDS[viewer.language]
  const given = wordsOf(values, 'lines')
  const isOffered = (id: string) => choices.lines.some(({ line }) => line.id === id)
  const written = given.filter((one) => !isOffered(one)).join(' ')
  const hasChoices = choices.lines.length > 0
  return html`${
      hasChoices &&
      html`<fieldset>
        <legend class="mild">${words.linesToTick}</legend>
        ${choices.lines.map(
          (one) =>
            html`<label class="choice"
              ><input
                type="checkbox"
                name="lines"
                value="${one.line.id}"
                ${given.includes(one.line.id) && html`checked`}
              /><span>${lineFacts(viewer, choices, one)}</span></label
            >`,
        )}
      </fieldset>`
    }<label class="field"
      >${hasChoices ? html`<span>${words.otherLines} <small>(${words.optional})</small></span>` : label}<input
        name="lines"
        value="${written}"
        maxlength="500"
        autocomplete="off"
        ${!hasChoices && form.needs.includes('lines') && html`required`}
        ${isFirst && !hasChoices && given.length === 0 && html`autofocus`}
      /><small>${words.severalLines}</small></label
    >`
}

function lineFacts(viewer: Viewer, { merchants }: Choices, { line, transaction }: Choices['lines'][number]): Html {
  const { words } = viewer
  const facts = [
    transaction ? transactionName(words, merchants, transaction) : masked(viewer).name(line.senderName),
    plainName(line.bankReference ?? ''),
    worded(words.codes.statuses, line.state),
  ]
  return html`<b>${signed(line)}</b> · ${bookedTime(viewer, line)} · ${facts.filter((text) => text !== '').join(' · ')}`
}

function choicesFor({ language }: Viewer, choices: Choices, field: ProposalField): [string, string][] | null {
  const { becomesOf, bearers, notes } = WORDS[language]
  switch (field) {
    case 'to':
      return Object.entries(becomesOf)
    case 'costs':
      return Object.entries(bearers)
    case 'account':
      return choices.accounts.map(({ id, name }) => [id, plainName(name)])
    case 'settles':
      return [
        ...choices.receivables.map(({ entryId, open, account, reason }): [string, string] => {
          return [entryId, `${formatMoney(open, account.currency)} · ${plainName(reason).slice(0, 40)}`]
        }),
        ...choices.charges.map(({ entryId, left, account }): [string, string] => {
          return [entryId, `${formatMoney(left, account.currency)} · ${notes['merchant_charged']} · ${entryId}`]
        }),
      ]
    case 'restOf':
      return choices.rests.map(({ entryId, amount, line }) => [
        entryId,
        `${formatMoney(amount, line.currency)} · ${entryId}`,
      ])
    default:
      return null
  }
}

function partRows({ language }: Viewer, values: URLSearchParams): Html {
  const { inputs } = WORDS[language]
  const [ids, amounts] = [values.getAll('part'), values.getAll('partAmount')]
  return html`<fieldset class="parts">
    <legend>${inputs.parts}</legend>
    ${Array.from(
      { length: Math.min(MAX_PARTS, Math.max(3, ids.filter(Boolean).length + 2)) },
      (_, at) =>
        html`<div>
          <label class="field grow"
            >${inputs.part} ${at + 1}<input name="part" value="${ids[at] ?? ''}" maxlength="30" autocomplete="off"
          /></label>
          <label class="field"
            >${inputs.partAmount} ${at + 1}<input
              name="partAmount"
              value="${amounts[at] ?? ''}"
              inputmode="decimal"
              maxlength="20"
              autocomplete="off"
          /></label>
        </div>`,
    )}
  </fieldset>`
}
