import type { Proposal } from '../../../domain/proposals/index.ts'
import { plainValue } from '../../../domain/proposals/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { cardTable, minute } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'
import { uploadForm } from '../../web/console/upload-form.ts'
import type { Page, Viewer } from '../page.ts'
import type { People } from '../people.ts'
import { personName } from '../people.ts'
import { INSTRUCTION_WORDS } from './words.ts'

export const INSTRUCTIONS_PER_PAGE = 50
const LOOKS = { open: 'busy', applied: 'good', rejected: '', withdrawn: '', expired: '' } as const

type ListFacts = {
  instructions: Proposal[]
  people: People
  formId: string
  currencies: readonly string[]
  given: (name: string) => string
}

export function instructionsPage(viewer: Viewer, facts: ListFacts): Page {
  const words = INSTRUCTION_WORDS[viewer.language]
  const shown = facts.instructions.slice(0, INSTRUCTIONS_PER_PAGE)
  const last = facts.instructions.length > INSTRUCTIONS_PER_PAGE ? shown.at(-1)?.id : undefined
  const upload = { label: words.file, hint: words.fileHint, button: words.preview }
  const main = html`<h1>${viewer.words.instructions}</h1>
    <p class="lead">${words.lead}</p>
    <div class="cards">
      <section class="card" aria-labelledby="one">
        <h2 id="one" class="first">${words.one}</h2>
        ${decisionForm(viewer, 'instruction.propose', '/instructions', formFields(viewer, facts), words.propose)}
      </section>
      <section class="card" aria-labelledby="file">
        <h2 id="file" class="first">${words.byFile}</h2>
        ${uploadForm(viewer, 'instruction.propose', '/instructions/file', upload, currencyField(viewer, facts))}
      </section>
    </div>
    <h2>${words.list}</h2>
    ${shown.length === 0 ? html`<p class="empty">${words.none}</p>` : table(viewer, shown, facts.people)}
    ${last !== undefined && html`<p class="more"><a href="?before=${last}">${viewer.words.older}</a></p>`}`
  return { title: viewer.words.instructions, section: 'instructions', main }
}

function currencyField({ words }: Viewer, { currencies, given }: ListFacts): Html {
  if (currencies.length < 2) return html``
  return html`<label class="field"
    >${words.currency}
    <select name="currency">
      ${currencies.map((one) => option(one, one, one === given('currency')))}
    </select></label
  >`
}

function formFields(viewer: Viewer, facts: ListFacts): Html {
  const words = INSTRUCTION_WORDS[viewer.language]
  const { given, formId } = facts
  return html`<input type="hidden" name="id" value="${formId}" />
    <div class="fields">
      <label class="field"
        >${words.name}
        <input name="name" required minlength="3" maxlength="140" value="${given('name')}" autocomplete="off"
      /></label>
      <label class="field"
        >${viewer.words.iban}
        <input
          name="iban"
          required
          maxlength="40"
          value="${given('iban')}"
          placeholder="TR"
          autocomplete="off"
          spellcheck="false"
      /></label>
      <label class="field"
        >${viewer.words.amount}
        <input
          name="amount"
          required
          maxlength="20"
          inputmode="decimal"
          value="${given('amount')}"
          autocomplete="off"
        />
        <span class="hint">${words.amountHint}</span></label
      >
      ${currencyField(viewer, facts)}
      <label class="field"
        >${viewer.words.processId}
        <input name="processId" maxlength="50" value="${given('processId')}" autocomplete="off" spellcheck="false" />
        <span class="hint">${words.processIdHint}</span></label
      >
    </div>`
}

/** What stays of an instruction that has ended, too. */
export function factOf({ rows }: Pick<Proposal, 'rows'>, name: 'file' | 'lineCount' | 'total'): string | null {
  const row = rows.find(({ field, as }) => field === name && as === 'fact')
  return row ? plainName(plainValue(row.after)) : null
}

export function stateOf({ language }: Viewer, state: Proposal['state']): Html {
  return html`<span class="state ${LOOKS[state]}">${INSTRUCTION_WORDS[language].states[state]}</span>`
}

function table(viewer: Viewer, rows: Proposal[], people: People): Html {
  const words = INSTRUCTION_WORDS[viewer.language]
  return cardTable(
    words.list,
    [
      { label: words.source },
      { label: words.total, isMoney: true },
      { label: words.lines, isMoney: true },
      ...[viewer.words.status, words.by, words.at].map((label) => ({ label })),
    ],
    rows.map((row) => {
      const href = `${viewer.root}/instructions/${row.id}`
      const cells = [
        html`<a href="${href}">${factOf(row, 'file') ?? words.typed}</a>`,
        html`${factOf(row, 'total')}`,
        html`${factOf(row, 'lineCount')}`,
        stateOf(viewer, row.state),
        html`${personName(people, row.proposedBy)}`,
        minute(row.proposedAt),
      ]
      return { href, cells }
    }),
  )
}
