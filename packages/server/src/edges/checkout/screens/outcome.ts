import type { Html, Part } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { minuteOf } from '../formats.ts'
import { sawAccount } from '../screen.ts'
import type { View } from '../view.ts'
import { actions, facts, head, money, notice, returnLink, sentence, title } from './parts.ts'

/** A receipt that the customer can show or print as proof of payment. */
export function completed(view: View): Html {
  const { words, deposit, brand } = view
  const { flags } = deposit
  const tick = html`<svg class="tick" viewBox="0 0 24 24" aria-hidden="true"><path d="M5 13l4 4L19 7" /></svg>`
  return html`<div class="sheet receipt">
    ${head(view, words.received, deposit.receivedAmount)} ${title(html`${tick}${words.completedTitle}`)}
    <p>${sentence(words.completedText, brand.displayName)}</p>
    ${flags.includes('late') && html`<p class="late">${words.lateText}</p>`}
    ${flags.includes('duplicate') && notice(words.duplicateTitle, sentence(words.duplicateText, brand.displayName))}
    <h2 class="quiet">${words.receipt}</h2>
    ${facts(receiptRows(view))}
    ${actions(returnLink(view), html`<button type="button" class="button plain print">${words.print}</button>`)}
  </div>`
}

function receiptRows(view: View): [string, Part][] {
  const { words, deposit, brand, bank } = view
  return [
    [words.merchant, html`<bdi>${brand.displayName}</bdi>`],
    [words.order, html`<bdi>${deposit.processId}</bdi>`],
    ...amountRows(view),
    [words.fee, words.noFee],
    ...(bank ? [[words.bank, bank.name] as [string, Part]] : []),
    ...codeRow(view),
    [words.transaction, html`<span class="id">${deposit.id}</span>`],
    [words.time, html`${minuteOf(deposit.updatedAt)} <span class="hint">${words.istanbul}</span>`],
  ]
}

function amountRows(view: View): [string, Part][] {
  const { words, deposit } = view
  const received: [string, Part] = [words.received, money(view, deposit.receivedAmount)]
  return deposit.receivedAmount === deposit.amount ? [received] : [[words.asked, money(view, deposit.amount)], received]
}

export function inReview(view: View): Html {
  const { words, deposit, screen } = view
  const [heading, text] = screen === 'over' ? [words.overTitle, words.overText] : [words.reviewTitle, words.reviewText]
  return html`<div class="sheet">
    ${head(view, words.received, deposit.receivedAmount)} ${title(heading)}
    <p>${text}</p>
    ${facts([...amountRows(view), ...codeRow(view)])} ${actions(returnLink(view))}
  </div>`
}

function codeRow({ words, deposit }: View): [string, Part][] {
  return deposit.referenceCode === null ? [] : [[words.code, html`<span class="code">${deposit.referenceCode}</span>`]]
}

/**
 * One card for a customer who has not paid and must not start now, one for a customer who has paid and must not pay twice. A customer who
 * reported the payment as sent sees only the second.
 */
export function expired(view: View): Html {
  const { words, deposit, brand, screen } = view
  const waits = screen === 'awaiting-bank'
  const mayHavePaid = sawAccount(deposit)
  const mayNotHavePaid = deposit.claimedAt === null
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
    ${head(view, words.asked, deposit.amount)} ${title(waits ? words.awaitingTitle : words.expiredTitle)}
    <p>${waits ? words.awaitingText : sentence(words.expiredAt, minuteOf(deposit.expiresAt))}</p>
    ${mayHavePaid && mayNotHavePaid && html`<p>${words.expiredText}</p>`}
    <div class="cards">${mayNotHavePaid && unsent}${mayHavePaid && sent}</div>
    ${!mayNotHavePaid && actions(returnLink(view))}
  </div>`
}

export function ended(view: View): Html {
  const { words, deposit, brand, screen } = view
  const [heading, text] =
    screen === 'cancelled' ? [words.cancelledTitle, words.cancelledText] : [words.failedTitle, words.failedText]
  return html`<div class="sheet">
    ${head(view, words.asked, deposit.amount)} ${title(heading)}
    <p>${sentence(text, brand.displayName)}</p>
    ${facts([...codeRow(view), [words.transaction, html`<span class="id">${deposit.id}</span>`]])}
    ${actions(returnLink(view))}
  </div>`
}
