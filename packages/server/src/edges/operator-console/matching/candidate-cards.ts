import type { Comparison, Effect, Reason } from '../../../domain/books/index.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import type { StoredLine } from '../../../domain/statements/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { lineReason, worded } from '../../web/console/codes/codes.ts'
import { age, minute } from '../../web/console/parts.ts'
import { merchantName, transactionName } from '../names.ts'
import type { Viewer } from '../page.ts'
import type { PersonalData } from '../reveal/personal-data.ts'
import { ruleLink } from '../rules/page.ts'
import { bookedTime } from './booked-time.ts'
import type { Desk, DeskLine, ShownCandidate } from './desk.ts'
import { subjectOf } from './desk.ts'
import { addressFor } from './filter.ts'
import { DESK_WORDS } from './desk-words.ts'
import { stepControl } from './steps.ts'
import { WORDS } from './words.ts'

/** What the line may be, the likeliest first: field by field beside the line, the effect of the next step, and the step. */
export function candidateCards(viewer: Viewer, desk: Desk, shown: DeskLine): Html {
  const words = WORDS[viewer.language]
  return html`<h2>${words.candidates}</h2>
    <p class="lead">${words.candidatesLead}</p>
    ${
      shown.candidates.length === 0
        ? html`<p class="card mild" data-key="m" tabindex="-1">${words.noCandidates}</p>`
        : html`<div class="cards">
            ${shown.candidates.map((one, place) => card(viewer, desk, shown, one, place === 0 ? 'm' : ''))}
          </div>`
    }`
}

function card(viewer: Viewer, desk: Desk, shown: DeskLine, one: ShownCandidate, key: string): Html {
  const words = WORDS[viewer.language]
  const { what, status, score, next, effect } = one
  const { statuses, withdrawalStates } = viewer.words.codes
  const its = worded(what === 'deposit' || isOfLine(what) ? statuses : withdrawalStates, status)
  const notes = one.reasons.flatMap((reason) => noteOf(viewer, reason))
  return html`<article class="card candidate">
    <div class="head">
      <h3>${words.what[what]} ${what !== 'receivable' && html`<span class="state">${its}</span>`}</h3>
      <span class="mild">${words.likely[likelihood(score)]}</span>
    </div>
    <p>${subject(viewer, desk, one)}</p>
    ${compared(viewer, desk, shown, one)}
    ${
      notes.length > 0 &&
      html`<ul class="notes">
        ${notes.map((text) => html`<li>${text}</li>`)}
      </ul>`
    }
    ${next.because && html`<p class="say">${words.because[next.because]}</p>`}
    ${effect.does !== 'nothing' && html`<p class="effect"><b>${words.effect}:</b> ${effectWords(viewer, desk, effect)}</p>`}
    <div class="acts">
      ${stepControl(viewer, desk, shown, one, key)}
      ${next.do === 'propose' && next.terms.lineIds.length === 1 && ruleLink(viewer, shown.line, next.kind)}
    </div>
  </article>`
}

/** A deposit of account, name and time of the line has 90; without the name or the account, 60. */
const likelihood = (score: number) => (score >= 90 ? 'strong' : score >= 60 ? 'likely' : 'weak')

const isOfLine = (what: ShownCandidate['what']) =>
  ['own_transfer', 'storno', 'correction', 'charge_and_tax', 'stranger'].includes(what)

/** Which transaction or line it is. */
function subject(
  { root, words }: Viewer,
  { filter, merchants }: Desk,
  { what, id, transaction }: ShownCandidate,
): Html {
  const of = transaction && `${transactionName(words, merchants, transaction)} · `
  if (what === 'receivable') return html`<span class="id">${id}</span>`
  const href = isOfLine(what) ? `${root}/matching/${id}${addressFor(filter)}` : `${root}/transactions/${id}`
  return html`${of}<a class="id" href="${href}">${id}</a>`
}

const MARKS = { same: '=', other: '≠', unknown: '?', apart: '' } as const

function compared(viewer: Viewer, desk: Desk, { line }: DeskLine, one: ShownCandidate): Html {
  const words = WORDS[viewer.language]
  const written = findReferenceCodes(line.narrative).map(({ code }) => code)
  const { fields, facts } = one
  const [ofLine, ofOther] = [desk.dataOf(`line:${line.id}`), desk.dataOf(subjectOf(one))]
  const iban = (data: PersonalData, text: string | null) => (text ? data.iban(text) : words.none)
  const name = (data: PersonalData, text: string | null) => data.name(text ?? '') || words.none
  const values: Record<Comparison['field'], [Html, Html]> = {
    amount: [html`${formatMoney(line.amount, line.currency)}`, html`${formatMoney(facts.amount, facts.currency)}`],
    name: [html`${name(ofLine, line.senderName)}`, html`${name(ofOther, facts.name)}`],
    iban: [html`${iban(ofLine, line.senderIban)}`, html`${iban(ofOther, facts.iban)}`],
    code: [
      html`${line.candidateWithdrawalId ?? (written.join(', ') || words.none)}`,
      html`${facts.code ?? words.none}`,
    ],
    time: [bookedTime(viewer, line), minute(facts.at)],
    account: [
      html`${desk.accountName(line.collectingAccountId)}`,
      html`${facts.accountIds.map((id) => desk.accountName(id)).join(', ') || words.none}`,
    ],
  }
  return html`<div class="wide">
    <table class="compared">
      <thead>
        <tr>
          ${[words.field, words.onLine, words.onCandidate, words.compared].map((text) => html`<th scope="col">${text}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${fields.map(
          (each) =>
            html`<tr class="${each.verdict}">
              <th scope="row">${words.fields[each.field]}</th>
              <td>${values[each.field][0]}</td>
              <td>${values[each.field][1]}</td>
              <td class="verdict">
                ${MARKS[each.verdict] !== '' && html`<span aria-hidden="true">${MARKS[each.verdict]}</span>`}
                ${verdictWords(viewer, each, one, line)}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function verdictWords(
  { language, words: { age: units } }: Viewer,
  one: Comparison,
  { what, facts }: ShownCandidate,
  line: StoredLine,
): string {
  const words = WORDS[language]
  if (one.field === 'amount' && one.difference !== 0n) {
    const money = formatMoney(one.difference < 0n ? -one.difference : one.difference)
    return one.difference > 0n ? words.amountMore(money) : words.amountLess(money)
  }
  if (one.field === 'time') {
    if (line.wholeDay && istanbul(facts.at).day === istanbul(line.bookedAt).day) return DESK_WORDS[language].sameDay
    if (one.minutes === 0) return words.sameTime
    const apart = age(new Date(0), new Date(Math.abs(one.minutes) * 60_000), units)
    return one.minutes >= 0 ? words.before(apart) : words.after(apart)
  }
  if (what === 'own_transfer' && one.field === 'account' && one.verdict === 'same')
    return DESK_WORDS[language].otherOfOurs
  return words.verdicts[one.field][one.verdict]
}

/** What the table does not show. */
function noteOf({ language, words: { codes } }: Viewer, reason: Reason): string[] {
  const words = WORDS[language]
  switch (reason.code) {
    case 'matched_as':
      return [words.matchedAs(lineReason(codes, reason.as ?? ''))]
    case 'both_name_payout':
      return [words.bothName(reason.withdrawalId)]
    case 'merchant_has_money_back':
      return [words.moneyBack]
    case 'makes_amount_with':
      return [`${words.makesWith}: ${reason.lineIds.join(', ')}`]
    case 'same_number':
      return [`${words.sameNumber}: ${reason.lineIds.join(', ')}`]
    case 'rule_says':
      return [`${words.ruleSays}: ${reason.ruleIds.join(', ')}`]
    case 'payouts_make_amount':
    case 'payouts_came_back':
      return [`${words.payoutsMake}: ${reason.withdrawalIds.join(', ')}`]
    case 'may_repeat':
      return [`${words.mayRepeat}: ${reason.lineIds.join(', ')}`]
    default: {
      const note = words.notes[reason.code]
      return note === undefined ? [] : [note]
    }
  }
}

export function effectWords(viewer: Viewer, { merchants }: Desk, effect: Effect): string {
  const words = WORDS[viewer.language]
  switch (effect.does) {
    case 'credit': {
      const { processId, currency, fee, flags } = effect.deposit
      const taken = fee > 0n ? formatMoney(fee, currency) : null
      const marked = flags.flatMap((flag) => words.flags[flag] ?? [])
      const said = words.credits(formatMoney(effect.credited, currency), taken, plainName(processId), effect.callback)
      return [said, ...marked, ...(effect.takesTwo ? [words.takesTwo] : [])].join(' ')
    }
    case 'free':
      return words.frees(plainName(effect.deposit.processId), effect.fails, effect.callback)
    case 'return':
      return words.returns[effect.outcome](
        formatMoney(effect.amount),
        merchantName(viewer.words, merchants, effect.merchantId),
      )
    case 'debit':
      return words.debits
    case 'propose':
      return words.proposes(viewer.words.codes.journal[effect.kind])
    case 'nothing':
      return ''
  }
}
