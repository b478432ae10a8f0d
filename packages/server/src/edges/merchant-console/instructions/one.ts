import { say } from '../../../acts/refusals/say.ts'
import type { ShownProposal } from '../../../domain/proposals/index.ts'
import type { Instruction, LineProblem, ReadLines } from '../../../domain/withdrawals/index.ts'
import { totalOf } from '../../../domain/withdrawals/index.ts'
import { groupedIban } from '../../../kernel/iban.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html, Part } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { dataTable, minute } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import type { People } from '../people.ts'
import { personName } from '../people.ts'
import { factOf, stateOf } from './list.ts'
import { INSTRUCTION_WORDS } from './words.ts'

type Payment = { processId: string; accountName: string; iban: string; amount: bigint }

/** IBANs in full: whoever approves must be able to compare them. */
function paymentsTable({ language, words: shared }: Viewer, currency: string, payments: Payment[]): Html {
  const words = INSTRUCTION_WORDS[language]
  return dataTable(
    words.lines,
    [
      { label: words.name },
      { label: shared.amount, isMoney: true },
      { label: shared.iban },
      { label: shared.processId },
    ],
    payments.map(({ processId, accountName, iban, amount }) => ({
      href: null,
      cells: [
        html`${plainName(accountName)}`,
        html`${formatMoney(amount, currency)}`,
        html`<span class="id">${groupedIban(plainName(iban))}</span>`,
        html`<span class="id">${plainName(processId)}</span>`,
      ],
    })),
  )
}

/** The rest of a longer one says no more. */
const LONGEST_VALUE = 60

export function problemWords(language: Viewer['language'], { field, problem, why }: LineProblem): string {
  const { problems, amountHint } = INSTRUCTION_WORDS[language]
  if (field === 'amount') return `${problems[problem]}. ${amountHint}`
  return why === undefined ? problems[problem] : `${problems[problem]}: ${say(language, why)}`
}

function problemsTable({ language, words: shared }: Viewer, problems: LineProblem[]): Html {
  const words = INSTRUCTION_WORDS[language]
  const fields = { processId: shared.processId, accountName: words.name, iban: shared.iban, amount: shared.amount }
  return dataTable(
    words.problem,
    [words.line, words.field, words.problem].map((label) => ({ label })),
    problems.map((found) => ({
      href: null,
      cells: [
        html`${found.line}`,
        html`${found.field === null ? words.whole : fields[found.field]}`,
        html`<span class="id">${plainName(found.value.slice(0, LONGEST_VALUE))}</span>
          ${problemWords(language, found)}`,
      ],
    })),
  )
}

type Preview = {
  id: string
  name: string
  currency: string
  available: bigint
  read: ReadLines
  trouble: string | null
}

export function previewPage(viewer: Viewer, { id, name, currency, available, read, trouble }: Preview): Page {
  const words = INSTRUCTION_WORDS[viewer.language]
  const { lines, problems } = read
  const total = totalOf(read)
  const isRight = trouble === null && problems.length === 0
  const said = trouble ?? (isRight ? words.allRight(lines.length) : words.wrongLines(problems.length))
  const chosen = html`<input type="hidden" name="currency" value="${currency}" />`
  const main = html`<h1>${words.title} ${formatMoney(total, currency)}</h1>
    <p class="lead">${plainName(name)} · <a href="${viewer.root}/instructions">${words.all}</a></p>
    <p class="say ${!isRight && 'bad'}">${said}</p>
    ${isRight && balanceNote(viewer, total, available, currency)}
    ${!isRight && problems.length > 0 && problemsTable(viewer, problems)}
    ${
      isRight &&
      html`<div class="acts">
          ${decisionForm(viewer, 'instruction.propose', `/instructions/preview/${id}/propose`, chosen, words.propose)}
        </div>
        <h2>${words.lines}</h2>
        ${paymentsTable(viewer, currency, lines)}`
    }`
  return { title: words.title, section: 'instructions', main }
}

function balanceNote({ language }: Viewer, total: bigint, available: bigint, currency: string): Html {
  const words = INSTRUCTION_WORDS[language]
  const text = `${words.available}: ${formatMoney(available, currency)}.`
  return html`<p class="hint">${text} ${total > available && words.notEnough}</p>`
}

type Facts = {
  request: ShownProposal
  /** What is proposed, as long as it waits. */
  instruction: Instruction | null
  people: People
  available: bigint
  isOwn: boolean
}

export function instructionPage(viewer: Viewer, { request, instruction, people, available, isOwn }: Facts): Page {
  const words = INSTRUCTION_WORDS[viewer.language]
  const { state, decidedAt, decidedBy, note } = request
  const facts: [string, Part][] = [
    [words.source, factOf(request, 'file') ?? words.typed],
    [words.lines, factOf(request, 'lineCount') ?? ''],
    [words.by, personName(people, request.proposedBy)],
    [words.at, minute(request.proposedAt)],
    ...(decidedAt && decidedBy
      ? ([
          [words.decidedBy, personName(people, decidedBy)],
          [words.at, minute(decidedAt)],
        ] as [string, Part][])
      : []),
    ...(note === null ? [] : [[words.why, plainName(note)] as [string, Part]]),
  ]
  const main = html`<h1>${words.title} ${factOf(request, 'total')} ${stateOf(viewer, state)}</h1>
    <p class="lead"><a href="${viewer.root}/instructions">${words.all}</a></p>
    <section class="card">
      <dl class="facts">
        ${facts.map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
      ${instruction && decisions(viewer, request, instruction, { available, isOwn })}
    </section>
    ${
      instruction
        ? html`<h2>${words.lines}</h2>
            ${paymentsTable(viewer, instruction.currency, instruction.lines)}`
        : html`<p class="empty">
            ${words.gone}
            ${state === 'applied' && html`<a href="${viewer.root}/withdrawals">${words.seeWithdrawals}</a>`}
          </p>`
    }`
  return { title: words.title, section: 'instructions', main }
}

/** Bound to the hash of what is shown. */
function decisions(
  viewer: Viewer,
  { id, seenSha256, isStale, isForged }: ShownProposal,
  instruction: Instruction,
  { available, isOwn }: Pick<Facts, 'available' | 'isOwn'>,
): Html {
  const words = INSTRUCTION_WORDS[viewer.language]
  const seen = html`<input type="hidden" name="seen" value="${seenSha256}" />`
  const why = html`<label class="field"
    >${words.why} <input name="why" required minlength="5" maxlength="200"
  /></label>`
  const reject = isOwn ? words.withdraw : words.reject
  const mayApprove = !isOwn && !isForged && !isStale
  return html`${isForged && html`<p class="say bad">${viewer.words.noRecord}</p>`}
    <div class="acts">
      ${mayApprove && decisionForm(viewer, 'instruction.propose', `/instructions/${id}/approve`, seen, words.approve)}
      ${decisionForm(viewer, 'instruction.propose', `/instructions/${id}/reject`, why, reject, isOwn ? 'plain' : 'danger')}
    </div>
    ${
      isOwn
        ? html`<p class="hint">${words.ownLocked}</p>`
        : balanceNote(viewer, totalOf(instruction), available, instruction.currency)
    }`
}
