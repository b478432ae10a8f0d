import type { CollectingAccount } from '../../../domain/banks/index.ts'
import { payableUntil } from '../../../domain/deposits/index.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { View } from '../view.ts'
import { actions, form, head, minute, returnLink, sentence, title } from './parts.ts'
import { bankAppLink } from './pay.ts'
import { arrival, transferDetails } from './transfer-details.ts'

/** The customer has reported the transfer: nothing is asked for any more, whether or not the deadline has passed. */
export function claimed(view: View): Html {
  const { words, deposit, account, now } = view
  const until = payableUntil(deposit)
  const open = deposit.status !== 'expired' && now < until
  const amount = deposit.amount - deposit.receivedAmount
  const takeBack = form(view, 'unclaim', html`<button class="button plain">${words.unclaim}</button>`)
  return html`<div class="sheet">
    ${head(view, words.awaited, amount)} ${title(view)}
    <p>${words.claimedText}</p>
    ${!open && html`<p>${sentence(words.claimedOver, minute(view, until))}</p>`} ${steps(view)}
    <p class="closing">${words.mayClose}</p>
    ${account && moreDetails(view, account, amount)}
    ${actions(open && bankAppLink(view, amount), returnLink(view), open && takeBack)}
  </div>`
}

function moreDetails(view: View, account: CollectingAccount, amount: bigint): Html {
  return html`<details id="details">
    <summary>${view.words.showDetails}</summary>
    ${transferDetails(view, account, amount)}
  </details>`
}

type Step = [name: string, text: string, state: 'done' | 'current' | 'next', word: string]

function steps(view: View): Html {
  const { words, deposit } = view
  const list: Step[] = [
    [words.stepSent, words.stepSentText(minute(view, deposit.claimedAt ?? deposit.updatedAt)), 'done', words.done],
    [words.stepWaiting, arrival(view), 'current', words.current],
    [words.stepDone, words.stepDoneText, 'next', words.notYet],
  ]
  return html`<ol class="steps" aria-label="${words.steps}">
    ${list.map(
      ([name, text, state, word]) =>
        html`<li class="${state}" ${state === 'current' && html`aria-current="step"`}>
          <b>${name}</b> <i>${word}</i><span class="hint">${text}</span>
        </li>`,
    )}
  </ol>`
}
