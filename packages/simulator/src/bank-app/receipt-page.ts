import type { Outcome } from '../bank/ledger.ts'
import { formatIban } from '../iban.ts'
import { formatMoney } from '../money.ts'
import { formatTime } from '../time.ts'
import type { Html } from '../web/html.ts'
import { html } from '../web/html.ts'
import type { Language } from '../web/language.ts'
import { localPath } from '../web/language.ts'
import { renderPage } from '../web/page.ts'
import type { BankWords } from './words.ts'
import { WORDS } from './words.ts'

export function receiptPage(payments: Outcome[], language: Language, back: string | null): string {
  const words = WORDS[language]
  const parameters = { ref: payments.map(({ reference }) => reference), back: back ?? '' }
  return renderPage({
    language,
    place: 'bank',
    title: words.receipt,
    otherLanguage: localPath('/receipts', language === 'tr' ? 'en' : 'tr', parameters),
    body: html`<h1>${words.receipt}</h1>
      ${payments.map((payment) => slip(payment, words, language))}
      ${back !== null && html`<p><a class="button" href="${back}">${words.toCheckout}</a></p>`}
      <p>
        <a class="button" href="${localPath('/', language, { from: payments[0]?.from ?? '' })}">${words.back}</a>
      </p>`,
  })
}

function slip(payment: Outcome, words: BankWords, language: Language): Html {
  const { accepted, heldState: held, rejected, returned } = words
  const state = { accepted, held, rejected, returned }[payment.status]
  const row = (label: string, value: string | Html) =>
    html`<div>
      <dt>${label}</dt>
      <dd><bdi>${value}</bdi></dd>
    </div>`
  return html`<section class="slip">
    <p class="state">${state}</p>
    ${payment.status === 'rejected' && html`<p class="wrong">${words[payment.reason]}</p>`}
    <p class="amount">${formatMoney(payment.amount, language)}</p>
    <dl>
      ${payment.receiverName !== '' && row(words.to, payment.receiverName)}
      ${row('IBAN', html`<span class="number">${formatIban(payment.to)}</span>`)} ${row(words.from, payment.senderName)}
      ${row(words.description, payment.narrative || words.noDescription)}
      ${
        payment.status === 'accepted' &&
        row(words.reference, html`<span class="number">${payment.bankReference}</span>`)
      }
      ${row(words.time, formatTime(new Date(payment.at), language))}
    </dl>
  </section>`
}
