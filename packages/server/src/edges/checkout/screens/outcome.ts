import { FAST } from '../../../domain/banks/index.ts'
import { isClaimed } from '../../../domain/deposits/index.ts'
import type { Html, Part } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { sawAccount } from '../screen.ts'
import type { View } from '../view.ts'
import { actions, facts, head, minute, money, notice, returnLink, sentence, title } from './parts.ts'
import { claimed } from './waiting.ts'

/** A receipt that the customer can show or print as proof of payment. */
export function completed(view: View): Html {
  const { words, deposit, brand } = view
  const { flags } = deposit
  const tick = html`<svg class="tick" viewBox="0 0 24 24" aria-hidden="true"><path d="M5 13l4 4L19 7" /></svg>`
  return html`<div class="sheet receipt">
    ${head(view, words.received, deposit.receivedAmount)} ${title(view, tick)}
    <p>${sentence(words.completedText, brand.displayName)}</p>
    ${flags.includes('late') && html`<p class="late">${words.lateText}</p>`}
    ${flags.includes('duplicate') && second(view)}
    <h2 class="quiet">${words.receipt}</h2>
    ${facts(receiptRows(view))}
    ${actions(returnLink(view), html`<button type="button" class="button plain print">${words.print}</button>`)}
  </div>`
}

function second(view: View): Html {
  const { words, deposit, brand } = view
  const sum = `${words.duplicateSum(money(view, deposit.duplicateAmount))} `
  return notice(words.duplicateTitle, html`${sum}${sentence(words.duplicateText, brand.displayName)}`)
}

function receiptRows(view: View): [string, Part][] {
  const { words, deposit, brand, bank, paidAt, order, account } = view
  return [
    [words.merchant, html`<bdi>${brand.displayName}</bdi>`],
    [words.order, html`<bdi>${order.number ?? deposit.processId}</bdi>`],
    ...(order.description === null ? [] : [[words.what, html`<bdi>${order.description}</bdi>`] as [string, Part]]),
    ...(account ? [[words.holder, html`<bdi>${account.title}</bdi>`] as [string, Part]] : []),
    ...amountRows(view),
    [words.fee, words.noFee],
    ...(bank ? [[bank.id === FAST ? words.method : words.bank, bank.name] as [string, Part]] : []),
    ...codeRow(view),
    [words.transaction, html`<span class="id">${deposit.id}</span>`],
    [words.time, html`${minute(view, paidAt)} <span class="hint">${words.istanbul}</span>`],
  ]
}

function amountRows(view: View): [string, Part][] {
  const { words, deposit } = view
  const received: [string, Part] = [words.received, money(view, deposit.receivedAmount)]
  const { amount, receivedAmount, refundedAmount } = deposit
  return [
    ...(receivedAmount === amount ? [] : [[words.asked, money(view, amount)] satisfies [string, Part]]),
    received,
    ...(refundedAmount > 0n ? [[words.refunded, money(view, refundedAmount)] satisfies [string, Part]] : []),
  ]
}

export function inReview(view: View): Html {
  const { words, deposit, screen } = view
  return html`<div class="sheet">
    ${head(view, words.received, deposit.receivedAmount)} ${title(view)}
    <p>${screen === 'over' ? words.overText : words.reviewText}</p>
    ${facts([...amountRows(view), ...codeRow(view)])} ${actions(returnLink(view))}
  </div>`
}

function codeRow({ words, deposit }: View): [string, Part][] {
  return [[words.code, html`<span class="code">${deposit.referenceCode}</span>`]]
}

/** One card for a customer who has not paid and must not start now, one for a customer who has paid and must not pay twice. */
export function expired(view: View): Html {
  const { words, deposit, brand, screen } = view
  if (isClaimed(deposit)) return claimed(view)
  const waits = screen === 'awaiting-bank'
  const mayHavePaid = sawAccount(deposit)
  const unsent = html`<section class="card">
    <h2>${words.expiredUnsentTitle}</h2>
    <p>${sentence(words.expiredUnsentText, brand.displayName)}</p>
    ${returnLink(view)}
  </section>`
  const sent = html`<section class="card">
    <h2>${words.expiredSentTitle}</h2>
    <p>${words.expiredSentText}</p>
    ${facts(codeRow(view))}
  </section>`
  return html`<div class="sheet">
    ${head(view, words.asked, deposit.amount)} ${title(view)}
    <p>${waits ? words.awaitingText : sentence(words.expiredAt, minute(view, deposit.expiresAt))}</p>
    ${mayHavePaid && html`<p>${words.expiredText}</p>`}
    <div class="cards">${unsent}${mayHavePaid && sent}</div>
  </div>`
}

export function ended(view: View): Html {
  const { words, deposit, brand, screen } = view
  return html`<div class="sheet">
    ${head(view, words.asked, deposit.amount)} ${title(view)}
    <p>${sentence(screen === 'cancelled' ? words.cancelledText : words.failedText, brand.displayName)}</p>
    ${facts([...codeRow(view), [words.transaction, html`<span class="id">${deposit.id}</span>`]])}
    ${actions(returnLink(view))}
  </div>`
}
