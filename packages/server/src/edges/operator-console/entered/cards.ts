import type { EnteredFacts, EnteredLine } from '../../../domain/statements/index.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, minute } from '../../web/console/parts.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import type { Lapsed } from '../lapsed-mark.ts'
import { lapsedMark } from '../lapsed-mark.ts'
import type { Viewer } from '../page.ts'
import { revealForm } from '../reveal/form.ts'
import type { DataOf } from '../reveal/personal-data.ts'
import { IN_FULL } from '../reveal/personal-data.ts'
import { dayText, isAlone, lineText, otherWarnings, signedAmount } from './similar.ts'
import { ENTERED_WORDS } from './words.ts'

export type WaitingLine = { entered: EnteredLine; facts: EnteredFacts }

type Accounts = { id: string; bankName: string; iban: string; currency: string }[]

/** Lines that one person entered, for another to approve or reject. */
export function enteredCards(
  viewer: Viewer,
  { entered: waiting, enteredCount }: { entered: WaitingLine[]; enteredCount: number },
  accounts: Accounts,
  dataOf: DataOf,
  lapsed: Lapsed,
): Html {
  const words = ENTERED_WORDS[viewer.language]
  return html`<h2>${words.cards}</h2>
    ${
      waiting.length === 0
        ? html`<p class="empty">${words.noCards}</p>`
        : html`<div class="cards">${waiting.map((one) => card(viewer, one, accounts, dataOf, lapsed))}</div>`
    }
    ${enteredCount > waiting.length && html`<p class="say">${words.oldestOf(waiting.length, enteredCount)}</p>`}`
}

/** Who decided about a line, and why: the script shows it on the card that is still on the screen. */
export function endedNotes({ language }: Viewer, lines: EnteredLine[]): Html {
  const { ended } = ENTERED_WORDS[language]
  return html`<ul hidden>
    ${lines.map(({ id, state, decidedBy, note }) => {
      const what = state === 'proposed' ? '' : ended[state](decidedBy ?? '')
      return html`<li data-ended="${id}">${what}${note === null ? '.' : `: ${plainName(note)}`}</li>`
    })}
  </ul>`
}

function card(
  viewer: Viewer,
  { entered, facts }: WaitingLine,
  accounts: Accounts,
  dataOf: DataOf,
  lapsed: Lapsed,
): Html {
  const words = ENTERED_WORDS[viewer.language]
  const { id, direction, bookedOn, senderName, senderIban, narrative, reason, proposedBy, proposedAt } = entered
  const account = accounts.find((one) => one.id === entered.collectingAccountId)
  // Two IBANs look alike when they are masked.
  const decides = viewer.may('line.confirm')
  const data = decides ? IN_FULL : dataOf(`entered:${id}`)
  const party = [data.name(senderName), senderIban === null ? '' : data.iban(senderIban)]
  return html`<article class="card" data-item="${id}" id="${id}">
    <div class="head">
      <span class="amount">${signedAmount(entered, account?.currency)}</span>
      <span class="mild">${minute(proposedAt)} · ${age(proposedAt, viewer.now, viewer.words.age)}</span>
    </div>
    <dl class="facts">
      <dt>${words.account}</dt>
      <dd>${account ? `${account.bankName} …${account.iban.slice(-4)}` : '–'}</dd>
      <dt>${words.direction}</dt>
      <dd>${words.directions[direction]}</dd>
      <dt>${words.day}</dt>
      <dd>${dayText(bookedOn)}</dd>
      <dt>${direction === 'credit' ? words.sender : words.recipient}</dt>
      <dd>${party.filter((text) => text !== '').join(', ')}</dd>
      <dt>${words.text}</dt>
      <dd>${data.text(narrative, [senderName]) || '–'}</dd>
      <dt>${words.enteredBy}</dt>
      <dd>${proposedBy}${lapsedMark(viewer, lapsed.get(id))}: ${plainName(reason)}</dd>
      ${
        isAlone(facts) &&
        html`<dt>${words.similarLines}</dt>
          <dd>${words.nothingSimilar}</dd>`
      }
    </dl>
    ${warnings(viewer, entered, facts)} ${!decides && revealForm(viewer, data, `/entered/${id}/reveal`)}
    ${acts(viewer, entered, facts, lapsed.has(id))}
  </article>`
}

const unnamed = ({ besides }: EnteredLine, { same }: EnteredFacts) => same.filter(({ id }) => !besides.includes(id))

function warnings(viewer: Viewer, entered: EnteredLine, facts: EnteredFacts): Html {
  const words = ENTERED_WORDS[viewer.language]
  const came = unnamed(entered, facts)
  const named = facts.same.filter(({ id }) => entered.besides.includes(id))
  const list = (lines: EnteredFacts['same']) => lines.map((line) => html`<p>${lineText(viewer, line)}</p>`)
  return html`${
    came.length > 0 &&
    html`<div class="say bad">
      <p>${words.same}</p>
      ${list(came)}
      <p>${words.cannot}</p>
    </div>`
  }
  ${
    named.length > 0 &&
    html`<div class="say">
      <p>${words.named}</p>
      ${list(named)}
    </div>`
  }
  ${otherWarnings(viewer, facts)}`
}

/** Bound to what is shown. Who entered it can only take it back. */
function acts(viewer: Viewer, entered: EnteredLine, facts: EnteredFacts, isLapsed: boolean): Html {
  const words = ENTERED_WORDS[viewer.language]
  const { id, proposedBy } = entered
  const why = html`<label class="field"
    >${viewer.words.takeBackWhy}<input name="why" required minlength="${MIN_REASON_LENGTH}" maxlength="200"
  /></label>`
  if (proposedBy === viewer.name)
    return html`<p class="acts mild">${words.ownEntry}</p>
      <div class="acts">
        ${decisionForm(viewer, 'line.refuse', `/entered/${id}/withdraw`, why, words.withdraw, 'plain')}
      </div>`
  const seen = html`<input type="hidden" name="seen" value="${facts.hash}" />`
  const fits = !isLapsed && unnamed(entered, facts).length === 0
  return html`<div class="acts">
    ${fits && decisionForm(viewer, 'line.confirm', `/entered/${id}/approve`, seen, viewer.words.approve)}
    ${decisionForm(viewer, 'line.refuse', `/entered/${id}/reject`, why, viewer.words.reject, 'danger')}
  </div>`
}
