import type { CollectingAccount } from '../../../domain/banks/index.ts'
import type { Proposal } from '../../../domain/proposals/index.ts'
import type { EnteredFacts, EnteredLine, UnconfirmedLine } from '../../../domain/statements/index.ts'
import { FIRST_DAY, istanbul } from '../../../kernel/istanbul.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import { actButton, fieldsFor } from '../../web/console/decision-form.ts'
import { age, dataTable, minute } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import type { Page, Viewer } from '../page.ts'
import type { TypedLine } from './read-line.ts'
import { ENTER_PATH } from './read-line.ts'
import { dayText, isAlone, lineText, otherWarnings, signedAmount } from './similar.ts'
import { ENTERED_WORDS } from './words.ts'

/** `line` and `preview`: null until everything is said. */
type Facts = {
  values: URLSearchParams
  line: TypedLine | null
  preview: EnteredFacts | null
  /** Proposals of the same money that wait. */
  proposed: Proposal[]
  accounts: CollectingAccount[]
  newest: EnteredLine[]
  /** By the line that was booked. */
  bankLines: ReadonlyMap<string, string>
  /** Lines that are out of the books again. */
  dismissed: ReadonlySet<string>
  /** Those that the bank has not shown. */
  unconfirmed: UnconfirmedLine[]
}

/** The form of a line, with what is in the books already once it is filled in, and the lines entered last. */
export function enterPage(viewer: Viewer, facts: Facts): Page {
  const words = ENTERED_WORDS[viewer.language]
  const main = html`<p class="mild"><a href="${viewer.root}/statements">${viewer.words.statements}</a></p>
    <h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    ${form(viewer, facts)} ${notShown(viewer, facts)}
    <h2>${words.newest}</h2>
    ${facts.newest.length === 0 ? html`<p class="empty">${words.noneYet}</p>` : newestTable(viewer, facts)}`
  return { title: words.title, section: 'statements', main }
}

function form(viewer: Viewer, facts: Facts): Html {
  const words = ENTERED_WORDS[viewer.language]
  const { preview } = facts
  const to = `${viewer.root}${ENTER_PATH}`
  return html`<section class="card proposal">
    <form method="post" action="${to}/preview">
      <input type="hidden" name="csrf" value="${viewer.csrf}" />
      ${fieldsFor(viewer, 'line.enter', html`${inputs(viewer, facts)} ${preview && previewPart(viewer, facts, preview)}`)}
      <div class="acts">
        ${preview && actButton(viewer, 'line.enter', words.enter, '', html`formaction="${to}"`)}
        ${actButton(viewer, 'line.enter', preview ? words.previewAgain : words.preview, preview ? 'plain' : '', html`formnovalidate`)}
        <a href="${viewer.root}/statements">${words.cancel}</a>
      </div>
    </form>
  </section>`
}

function inputs(viewer: Viewer, { values, accounts }: Facts): Html {
  const words = ENTERED_WORDS[viewer.language]
  const given = (name: string) => values.get(name) ?? ''
  const field = (name: 'amount' | 'name' | 'iban' | 'text', more: Html, hint: string) =>
    html`<label class="field"
      >${words[name]}<input name="${name}" value="${given(name)}" autocomplete="off" ${more} /><small
        >${hint}</small
      ></label
    >`
  const account = (one: CollectingAccount) => `${nameOf(one)} (${one.currency})`
  return html`<label class="field"
      >${words.account}<select name="account" required>
        ${option('', words.choose, given('account') === '')}
        ${accounts.map((one) => option(one.iban, account(one), one.iban === given('account')))}
      </select></label
    ><label class="field"
      >${words.direction}<select name="direction" required>
        ${option('', words.choose, given('direction') === '')}
        ${(['credit', 'debit'] as const).map((one) => option(one, words.directions[one], one === given('direction')))}
      </select></label
    >
    ${field('amount', html`required inputmode="decimal" maxlength="24"`, words.amountHint)}
    <label class="field"
      >${words.day}<input
        name="day"
        type="date"
        value="${given('day')}"
        min="${FIRST_DAY}"
        max="${istanbul(viewer.now).day}"
        required
    /></label>
    ${field('name', html`required maxlength="200"`, words.nameHint)}
    ${field('iban', html`maxlength="50"`, words.optional)} ${field('text', html`maxlength="500"`, words.textHint)}`
}

/** Lines of the same other party must each be called another payment. */
function previewPart(viewer: Viewer, { values, line, accounts, proposed }: Facts, preview: EnteredFacts): Html {
  const words = ENTERED_WORDS[viewer.language]
  const { same } = preview
  const named = new Set(values.getAll('besides'))
  return html`<h2 class="first">${words.previewTitle}</h2>
    ${line && summary(viewer, line, accounts)}
    ${isAlone(preview) && proposed.length === 0 && html`<p class="say fine">${words.nothingSimilar}</p>`}
    ${
      same.length > 0 &&
      html`<div class="say bad" role="group" aria-label="${words.same}">
        <p>${words.same} ${words.sameToDo}</p>
        ${same.map(
          (line) =>
            html`<p>${lineText(viewer, line)}</p>
              <label class="choice"
                ><input
                  type="checkbox"
                  name="besides"
                  value="${line.id}"
                  required
                  ${named.has(line.id) && html`checked`}
                />${words.anotherPayment}</label
              >`,
        )}
      </div>`
    }
    ${otherWarnings(viewer, preview, proposed)}
    <p class="hint">${words.after}</p>
    <input type="hidden" name="seen" value="${preview.hash}" />
    <label class="field"
      >${words.why}<input
        name="why"
        value="${values.get('why') ?? ''}"
        required
        minlength="${MIN_REASON_LENGTH}"
        maxlength="200"
        autocomplete="off"
      /><small>${words.whyHint}</small></label
    >`
}

function summary({ language }: Viewer, line: TypedLine, accounts: CollectingAccount[]): Html {
  const account = accounts.find(({ iban }) => iban === line.accountIban)
  const facts = [
    ENTERED_WORDS[language].directions[line.direction],
    account ? nameOf(account) : '–',
    dayText(line.bookedOn),
  ]
  return html`<p><b>${signedAmount(line, account?.currency)}</b> · ${facts.join(' · ')}</p>`
}

const nameOf = ({ bankName, iban }: CollectingAccount) => `${bankName} …${iban.slice(-4)}`

/** What to ask the bank about, oldest first. */
function notShown(viewer: Viewer, { unconfirmed, accounts }: Facts): Html {
  const words = ENTERED_WORDS[viewer.language]
  if (unconfirmed.length === 0) return html``
  const accountOf = new Map(accounts.map((one) => [one.id, one]))
  const columns = [words.day, words.enteredBy, words.decidedBy, words.since].map((label) => ({ label }))
  return html`<section id="not-shown">
    <h2>${words.notShown}</h2>
    <p class="lead">${words.notShownLead}</p>
    ${dataTable(
      words.notShown,
      [{ label: words.account }, { label: words.amount, isMoney: true }, ...columns],
      unconfirmed.map((one) => {
        const account = accountOf.get(one.collectingAccountId)
        const cells = [
          account ? nameOf(account) : '–',
          signedAmount(one, one.currency),
          dayText(istanbul(one.bookedAt).day),
          `${one.entered?.proposedBy ?? '–'}: ${plainName(one.entered?.reason ?? '')}`,
          one.entered?.decidedBy ?? '–',
          one.entered?.decidedAt ? age(one.entered.decidedAt, viewer.now, viewer.words.age) : '–',
        ]
        return { href: `${viewer.root}/matching/${one.id}`, cells: cells.map((text) => html`${text}`) }
      }),
    )}
  </section>`
}

function newestTable(viewer: Viewer, { newest, accounts, bankLines, dismissed }: Facts): Html {
  const words = ENTERED_WORDS[viewer.language]
  const at = (id: string | null | undefined) =>
    id ? html`<a href="${viewer.root}/matching/${id}">${words.openLine}</a>` : html`–`
  const accountOf = new Map(accounts.map((one) => [one.id, one]))
  return dataTable(
    words.newest,
    [
      { label: words.account },
      { label: words.amount, isMoney: true },
      ...[words.day, words.state, words.enteredBy, words.decidedBy, words.line, words.bankLine].map((label) => ({
        label,
      })),
    ],
    newest.map((one) => {
      const account = accountOf.get(one.collectingAccountId)
      return {
        href: null,
        cells: [
          html`${account ? nameOf(account) : '–'}`,
          html`${signedAmount(one, account?.currency)}`,
          html`${dayText(one.bookedOn)}`,
          dismissed.has(one.lineId)
            ? html`<span class="state">${words.outOfBooks}</span>`
            : html`<span class="state good">${words.booked}</span>`,
          html`${one.proposedBy}: ${plainName(one.reason)}`,
          html`${one.decidedBy}, ${minute(one.decidedAt)}`,
          at(one.lineId),
          at(bankLines.get(one.lineId)),
        ],
      }
    }),
  )
}
