import type { CollectingAccount } from '../../../domain/banks/index.ts'
import type { Html, Part } from '../../web/html.ts'
import { html, webAddress } from '../../web/html.ts'
import { amountToCopy } from '../formats.ts'
import type { View } from '../view.ts'
import { actions, form, head, money, notice, sentence, title } from './parts.ts'
import { notes, transferDetails } from './transfer-details.ts'

export function pay(view: View): Html {
  const { words, deposit, account } = view
  const claim = form(view, 'claim', html`<button class="button">${words.claim}</button>`)
  const change = form(view, 'change', html`<button class="button plain">${words.change}</button>`)
  return html`<div class="sheet">
      ${head(view, words.toPay, deposit.amount, true)} ${title(words.payTitle)}
      <p>${words.payLead}</p>
      ${account && transferDetails(view, account, deposit.amount)} ${notes(view)}
      ${actions(bankAppLink(view, deposit.amount), claim, change)}
    </div>
    ${qr(view)}`
}

export function accountChanged(view: View): Html {
  const { words, deposit, account } = view
  return html`<div class="sheet">
    ${head(view, words.toPay, deposit.amount, true)} ${title(words.changedTitle)}
    ${notice(words.changedText, words.changedSent)} ${account && transferDetails(view, account, deposit.amount)}
    ${notes(view)} ${actions(form(view, 'seen', html`<button class="button">${words.seen}</button>`))}
  </div>`
}

export function claimed(view: View): Html {
  const { words, deposit, account } = view
  return html`<div class="sheet">
    ${head(view, words.toPay, deposit.amount, true)} ${title(words.claimedTitle)}
    <p>${words.claimedText}</p>
    ${steps(view)} ${account && moreDetails(view, account)} ${actions(bankAppLink(view, deposit.amount))}
  </div>`
}

function moreDetails(view: View, account: CollectingAccount): Html {
  return html`<details id="details">
    <summary>${view.words.showDetails}</summary>
    ${transferDetails(view, account, view.deposit.amount)}
  </details>`
}

export function short(view: View): Html {
  const { words, deposit, account, brand } = view
  const rest = deposit.amount - deposit.receivedAmount
  const told = words.shortText(money(view, deposit.receivedAmount), money(view, deposit.amount))
  const details = account
    ? [transferDetails(view, account, rest), notes(view), actions(bankAppLink(view, rest))]
    : notice(words.rest, sentence(words.shortNoAccount, brand.displayName))
  return html`<div class="sheet">
    ${head(view, words.rest, rest)} ${title(words.shortTitle(money(view, rest)))}
    <p>${told}</p>
    ${details}
  </div>`
}

type Step = [name: string, text: string, state: 'done' | 'current' | 'next', word: string]

function steps({ words }: View): Html {
  const list: Step[] = [
    [words.stepSent, words.stepSentText, 'done', words.done],
    [words.stepWaiting, words.stepWaitingText, 'current', words.current],
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

/** Sandbox only: link to the simulated bank with all fields filled in. */
function bankAppLink({ bankAppUrl, account, deposit, words, language, pageUrl }: View, amount: bigint): Part {
  const address = webAddress(bankAppUrl)
  if (address === null || account === null) return null
  const url = new URL(address)
  url.searchParams.set('iban', account.iban)
  url.searchParams.set('name', account.title)
  url.searchParams.set('amount', amountToCopy(amount))
  url.searchParams.set('currency', deposit.currency)
  url.searchParams.set('description', deposit.referenceCode ?? '')
  url.searchParams.set('back', pageUrl)
  if (language === 'en') url.searchParams.set('lang', language)
  return html`<a class="button trial" href="${url.href}" target="_blank" rel="noopener">${words.openBankApp}</a>`
}

function qr({ words, path }: View): Html {
  return html`<aside class="phone">
    <h2>${words.qrTitle}</h2>
    <img src="${path}/qr.svg" alt="${words.qrAlt}" width="192" height="192" loading="lazy" />
    <p>${words.qrText}</p>
  </aside>`
}
