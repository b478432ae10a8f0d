import type { CollectingAccount } from '../../../domain/banks/index.ts'
import type { Rule, Trial } from '../../../domain/books/index.ts'
import { isOfOthers, RULE_KINDS } from '../../../domain/books/index.ts'
import type { StoredLine } from '../../../domain/statements/index.ts'
import type { Difference } from '../../../domain/proposals/index.ts'
import { plainValue } from '../../../domain/people/index.ts'
import { foldText } from '../../../kernel/fold.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { lineReason } from '../../web/console/codes/codes.ts'
import { actButton, fieldsFor } from '../../web/console/decision-form.ts'
import { dataTable } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { Page, Viewer } from '../page.ts'
import { masked } from '../reveal/personal-data.ts'
import { RULE_WORDS } from './words.ts'

export const RULES_PATH = '/rules'

type Facts = {
  /** Of the form. */
  values: URLSearchParams
  /** Null until it was tried. */
  trial: Trial | null
  rules: Rule[]
  accounts: Pick<CollectingAccount, 'id' | 'iban' | 'title'>[]
}

/** The longest run of words without figures: what the bank writes on every such line. */
function usualWords(narrative: string): string {
  const runs = foldText(narrative).split(/(?: |^)\S*\d\S*(?= |$)/)
  return runs.map((run) => run.trim()).reduce((longest, run) => (run.length > longest.length ? run : longest), '')
}

type Filled = { kind: string; direction: string; account?: string; words: string; max: bigint }

/** The form, filled in. */
const formAt = (root: string, { max, ...given }: Filled) =>
  `${root}${RULES_PATH}?${new URLSearchParams({ ...given, max: formatMoney(max).replace(' TL', '') }).toString()}`

/** To the form, from a line that a person explains as such an item. */
export function ruleLink({ root, language }: Viewer, line: StoredLine, kind: string): Html {
  const { direction, amount: max, narrative } = line
  if (!RULE_KINDS.some((one) => one === kind) || isOfOthers(line)) return html``
  const href = formAt(root, { kind, direction, words: usualWords(narrative), max })
  return html`<a href="${href}">${RULE_WORDS[language].always}</a>`
}

/** Who approves a rule tries it first. */
export function tryLink({ root, language }: Viewer, rows: Difference[]): Html {
  const of = (wanted: string) => plainValue(rows.find(({ field }) => field === wanted)?.after ?? '')
  const given = { kind: of('entry'), direction: of('direction'), account: of('account'), words: of('words') }
  const href = formAt(root, { ...given, max: BigInt(of('maxAmount') || '0') })
  return html`<p class="more"><a href="${href}">${RULE_WORDS[language].tryIt}</a></p>`
}

/** A rule is tried before it is proposed; below, all that there are. */
export function rulesPage(viewer: Viewer, facts: Facts): Page {
  const words = RULE_WORDS[viewer.language]
  const main = html`<p class="mild"><a href="${viewer.root}/matching">${viewer.words.matching}</a></p>
    <h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    <h2>${words.newRule}</h2>
    ${form(viewer, facts)}
    <h2>${words.rules}</h2>
    ${facts.rules.length === 0 ? html`<p class="empty">${words.noRules}</p>` : ruleTable(viewer, facts)}`
  return { title: words.title, section: 'matching', main }
}

function form(viewer: Viewer, facts: Facts): Html {
  const words = RULE_WORDS[viewer.language]
  const { trial } = facts
  const to = `${viewer.root}${RULES_PATH}`
  const why = html`<label class="field all"
    >${words.why}<input
      name="why"
      ${trial && html`required`}
      minlength="5"
      maxlength="200"
      value="${facts.values.get('why') ?? ''}"
    /><small>${words.whyHint}</small></label
  >`
  return html`<section class="card proposal">
    <form method="post" action="${to}/try">
      <input type="hidden" name="csrf" value="${viewer.csrf}" />
      ${fieldsFor(viewer, 'rule.propose', html`${inputs(viewer, facts)} ${trial && trialPart(viewer, trial)} ${trial && why}`, true)}
      <div class="acts">
        ${trial && actButton(viewer, 'rule.propose', words.propose, '', html`formaction="${to}"`)}
        ${actButton(viewer, 'rule.propose', trial ? words.tryAgain : words.tryIt, trial ? 'plain' : '', html`formnovalidate`)}
      </div>
    </form>
  </section>`
}

function inputs({ language }: Viewer, { values, accounts, rules }: Facts): Html {
  const words = RULE_WORDS[language]
  const given = (name: string) => values.get(name) ?? ''
  const choice = (name: string, label: string, options: [value: string, label: string][]) =>
    html`<label class="field"
      >${label}<select name="${name}">
        ${options.map(([value, text]) => option(value, text, value === given(name)))}
      </select></label
    >`
  const paused = rules.filter(({ state }) => state !== 'ended')
  return html`<div class="grid">
    <label class="field all"
      >${words.text}<input name="words" required maxlength="100" value="${given('words')}" /><small
        >${words.textHint}</small
      ></label
    >
    ${choice(
      'kind',
      words.kind,
      RULE_KINDS.map((kind) => [kind, words.kinds[kind]]),
    )}
    ${choice('direction', words.direction, [
      ['debit', words.directions.debit],
      ['credit', words.directions.credit],
    ])}
    ${choice('account', words.account, [['', words.allAccounts], ...accounts.map(({ iban, title }): [string, string] => [iban, `${title} · ${iban}`])])}
    <label class="field"
      >${words.max} (TL)<input name="max" required inputmode="decimal" maxlength="24" value="${given('max')}"
    /></label>
    ${choice('books', words.books, [
      ['yes', words.booksOf.yes],
      ['no', words.booksOf.no],
    ])}
    ${paused.length > 0 && choice('replaces', words.replaces, [['', words.none], ...paused.map(({ id, words: text, state }): [string, string] => [id, `${text} (${words.states[state]})`])])}
  </div>`
}

const GROUPS = ['waiting', 'same', 'other', 'named'] as const

function trialPart(viewer: Viewer, trial: Trial): Html {
  const words = RULE_WORDS[viewer.language]
  const rows = GROUPS.flatMap((group) =>
    trial[group].map(({ lines, amount, currency }) => {
      const text = `${words.lines(lines)}, ${formatMoney(amount, currency)}`
      return html`<li><b>${text}</b> ${words.groups[group]}</li>`
    }),
  )
  const look = trial.other.length > 0 ? 'bad' : 'fine'
  return html`<div class="say ${look}" role="group" aria-label="${words.tried}">
      <p>${words.tried}:</p>
      ${
        rows.length === 0
          ? html`<p>${words.noneFits}</p>`
          : html`<ul>
              ${rows}
            </ul>`
      }
      ${trial.isCut && html`<p>${words.isCut}</p>`}
    </div>
    ${trial.others.length > 0 && othersTable(viewer, trial)}`
}

function othersTable(viewer: Viewer, { others }: Trial): Html {
  const {
    root,
    language,
    words: { codes },
  } = viewer
  const data = masked(viewer)
  const words = RULE_WORDS[language]
  const columns = [
    { label: words.day },
    { label: words.amount, isMoney: true },
    { label: words.explainedAs },
    { label: words.narrative },
  ]
  const rows = others.map(({ id, valueDate, amount, currency, reason, senderName, narrative }) => ({
    href: `${root}/matching/${id}`,
    cells: [
      html`<a href="${root}/matching/${id}">${valueDate}</a>`,
      html`${formatMoney(amount, currency)}`,
      html`${lineReason(codes, reason ?? '')}`,
      html`${data.text(narrative, [senderName])}`,
    ],
  }))
  return dataTable(words.others, columns, rows)
}

function ruleTable(viewer: Viewer, { rules, accounts }: Facts): Html {
  const words = RULE_WORDS[viewer.language]
  const names = new Map(accounts.map(({ id, title, iban }) => [id, `${title} · …${iban.slice(-4)}`]))
  const columns = [
    { label: words.text },
    { label: words.kind },
    { label: words.account },
    { label: words.max, isMoney: true },
    { label: words.state },
    { label: words.booked, isMoney: true },
    { label: words.by },
    { label: '' },
  ]
  const rows = rules.map((rule) => {
    const { id, kind, direction, accountId, words: text, maxAmount, books, state, undo, proposedBy, approvedBy } = rule
    return {
      href: null,
      cells: [
        html`<b>${text}</b><br /><span class="id mild">${id}</span>`,
        html`${words.kinds[kind]}, ${words.directions[direction]}`,
        html`${accountId === null ? words.allAccounts : (names.get(accountId) ?? accountId)}`,
        html`${formatMoney(maxAmount)}`,
        html`<span class="state">${undo === null ? words.states[state] : words.undone}</span
          >${!books && html`<br />${words.booksOf.no}`}`,
        html`${words.lines(rule.booked)}`,
        html`${proposedBy}, ${approvedBy}`,
        html`${acts(viewer, rule)}`,
      ],
    }
  })
  return dataTable(words.rules, columns, rows)
}

/** Ended: what it booked may still be taken back. */
function acts(viewer: Viewer, { id, state, booked, undo }: Rule): Html {
  const hasBooked = booked > 0 && undo === null
  const words = RULE_WORDS[viewer.language]
  const to = `${viewer.root}${RULES_PATH}/${id}`
  const stops = [
    state === 'active' && actButton(viewer, 'rule.stop', words.pause, 'plain', html`formaction="${to}/pause"`),
    state !== 'ended' && actButton(viewer, 'rule.stop', words.end, 'plain', html`formaction="${to}/end"`),
    hasBooked && actButton(viewer, 'rule.propose', words.undo, 'plain', html`formaction="${to}/undo"`),
  ].filter((one) => one !== false)
  if (stops.length === 0) return html``
  return html`<details>
    <summary>${words.stop}</summary>
    <form method="post" action="${to}/pause">
      <input type="hidden" name="csrf" value="${viewer.csrf}" />
      <label class="field">${words.why}<input name="why" required minlength="5" maxlength="200" /></label>
      <div class="acts">${stops}</div>
      ${hasBooked && html`<p class="mild">${words.undoHint}</p>`}
    </form>
  </details>`
}
