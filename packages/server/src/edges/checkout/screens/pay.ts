import type { Html, Part } from '../../web/html.ts'
import { html, webAddress } from '../../web/html.ts'
import { amountToCopy } from '../formats.ts'
import type { View } from '../view.ts'
import { actions, facts, form, head, money, notice, returnLink, sentence, title } from './parts.ts'
import { notes, transferDetails } from './transfer-details.ts'

export function pay(view: View): Html {
  const { words, deposit, account } = view
  const claim = form(view, 'claim', html`<button class="button">${words.claim}</button>`)
  const change = form(view, 'change', html`<button class="button plain">${words.change}</button>`)
  return html`<div class="sheet">
      ${head(view, words.toPay, deposit.amount, true)} ${title(view)}
      <p>${words.payLead} ${receiver(view)}</p>
      ${account && transferDetails(view, account, deposit.amount)} ${notes(view)}
      ${actions(bankAppLink(view, deposit.amount), claim, change)}
    </div>
    ${codes(view)}`
}

/** Customers see a company in their bank's app whose name they do not know. */
function receiver({ words, brand, account }: View): Part {
  return account && sentence(words.through, brand.displayName, account.title)
}

export function accountChanged(view: View): Html {
  const { words, deposit, account } = view
  return html`<div class="sheet">
    ${head(view, words.toPay, deposit.amount, true)} ${title(view)} ${notice(words.changedText, words.changedSent)}
    <p>${receiver(view)}</p>
    ${account && transferDetails(view, account, deposit.amount)} ${notes(view)}
    ${actions(form(view, 'seen', html`<button class="button">${words.seen}</button>`))}
  </div>`
}

/** A part has arrived. After the deadline for the rest, no one is asked to send it. */
export function short(view: View): Html {
  const { words, deposit, account, brand, screen } = view
  const { amount, receivedAmount } = deposit
  const rest = amount - receivedAmount
  const open = screen === 'short' && account !== null
  const claim = form(view, 'claim', html`<button class="button">${words.claimRest}</button>`)
  const told = words.shortText(money(view, receivedAmount), money(view, amount))
  return html`<div class="sheet">
      ${head(view, words.rest, rest, open)} ${title(view)}
      <p>${told} ${open && words.shortSend} ${open && receiver(view)}</p>
      ${!open && closedNotice(view)}
      ${facts([
        [words.asked, money(view, amount)],
        [words.received, money(view, receivedAmount)],
        [words.rest, money(view, rest)],
      ])}
      ${open && transferDetails(view, account, rest)} ${open && notes(view)}
      <p class="closing">${sentence(words.partBack, brand.displayName)}</p>
      ${open ? actions(bankAppLink(view, rest), claim) : actions(returnLink(view))}
    </div>
    ${open && codes(view)}`
}

function closedNotice({ words, account, brand }: View): Html {
  const [heading, text] = account ? [words.expiredTitle, words.shortEnded] : [words.rest, words.shortNoAccount]
  return notice(heading, sentence(text, brand.displayName))
}

/** Sandbox only: link to the simulated bank with all fields filled in. */
export function bankAppLink({ bankAppUrl, account, deposit, words, language, pageUrl }: View, amount: bigint): Part {
  const address = webAddress(bankAppUrl)
  if (address === null || account === null) return null
  const url = new URL(address)
  url.searchParams.set('iban', account.iban)
  url.searchParams.set('name', account.title)
  url.searchParams.set('amount', language === 'en' ? amountToCopy(amount).replace(',', '.') : amountToCopy(amount))
  url.searchParams.set('currency', deposit.currency)
  url.searchParams.set('description', deposit.referenceCode)
  url.searchParams.set('back', pageUrl)
  if (language === 'en') url.searchParams.set('lang', language)
  return html`<a class="button trial" href="${url.href}" target="_blank" rel="noopener">${words.openBankApp}</a>`
}

/** TR Karekod fills in a bank's app; the other code opens this page on a phone. */
function codes(view: View): Html {
  const { words, path, query, account, deposit } = view
  const code = html`<span class="code">${deposit.referenceCode}</span>`
  return html`<aside class="phone">
    ${
      account?.karekodProducer &&
      html`<h2>${words.karekodTitle}</h2>
        <img src="${path}/karekod.svg" alt="${words.karekodAlt}" width="192" height="192" loading="lazy" />
        <p>${words.karekodText} ${code}</p>`
    }
    <h2>${words.qrTitle}</h2>
    <img id="qr" src="${path}/qr.svg${query}" alt="${words.qrAlt}" width="192" height="192" loading="lazy" />
    <p>${words.qrText}</p>
  </aside>`
}
