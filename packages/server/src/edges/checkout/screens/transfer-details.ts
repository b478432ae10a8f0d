import { FAST } from '../../../domain/banks/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import type { CollectingAccount } from '../../../domain/banks/index.ts'
import type { Html, Part } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { amountToCopy, dayName, ibanGroups } from '../formats.ts'
import type { View } from '../view.ts'
import { money, sentence } from './parts.ts'

type Field = { id: string; label: string; value: Part; copy: string; hint?: Part }

/** The transfer details, in the order in which banking apps ask for them. */
export function transferDetails(view: View, account: CollectingAccount, amount: bigint): Html {
  const { words, deposit } = view
  const code = deposit.referenceCode
  const long = words.longDescriptionText(code)
  const fields: Field[] = [
    {
      id: 'iban',
      label: words.iban,
      value: ibanMarkup(account.iban),
      copy: account.iban,
      hint: ibanHint(view, account),
    },
    {
      id: 'holder',
      label: words.holder,
      value: html`<bdi>${account.title}</bdi>`,
      copy: account.title,
      hint: account.bankName,
    },
    { id: 'amount', label: words.amount, value: money(view, amount), copy: amountToCopy(amount) },
    {
      id: 'code',
      label: words.description,
      value: html`<span class="code">${code}</span>`,
      copy: code,
      hint: words.descriptionHint,
    },
    { id: 'long', label: words.longDescription, value: long, copy: long, hint: words.longDescriptionHint },
  ]
  return html`<dl class="fields">${fields.map((field) => fieldRow(view, field))}</dl>`
}

function fieldRow({ words }: View, { id, label, value, copy, hint }: Field): Html {
  return html`<div class="field at-${id}">
    <dt>${label}</dt>
    <dd><span class="value" id="value-${id}">${value}</span>${hint && html`<span class="hint">${hint}</span>`}</dd>
    <dd class="act">
      <button type="button" class="copy" id="copy-${id}" data-copy="${copy}" data-done="${words.copied}">
        <span>${words.copy}</span><span class="quiet"> ${label}</span>
      </button>
    </dd>
  </div>`
}

/** The last four digits are highlighted: customers compare them in the banking app. */
function ibanMarkup(iban: string): Html[] {
  const firstOfEnd = iban.length - 4
  return ibanGroups(iban).map((group, index) => {
    const plain = Math.max(0, Math.min(group.length, firstOfEnd - index * 4))
    const end = group.slice(plain)
    return html`${index > 0 && ' '}${group.slice(0, plain)}${end !== '' && html`<b>${end}</b>`}`
  })
}

function ibanHint({ words }: View, { iban }: CollectingAccount): string {
  return words.checkEnd(iban.slice(-4))
}

/** When money that was sent shows up at our bank. */
export function arrival({ words, rail, now, language }: View): string {
  if (rail?.rail === 'eft_open') return words.arrivalEft
  if (rail?.rail !== 'eft_closed') return words.arrivalFast
  return words.arrivalEftClosed(dayName(rail.opens, istanbul(now).day, language, words.today))
}

/** The rail that can be used right now, and whose account the money must come from. */
export function notes(view: View): Html {
  const { words, bank, rail, nameCheck, deposit } = view
  const lines: Part[] = []
  const sameBank = bank !== null && bank.id !== FAST
  if (sameBank) lines.push(words.sameBank(bank.name))
  if (rail?.rail === 'fast') lines.push(sameBank ? words.railFastElsewhere : words.railFast)
  if (rail?.rail === 'eft_open') lines.push(words.railEftOpen)
  if (rail?.rail === 'eft_closed') {
    lines.push(words.railEftClosed(dayName(rail.opens, istanbul(view.now).day, view.language, words.today)))
  }
  if (nameCheck === 'require') lines.push(sentence(words.ownAccount, plainName(deposit.customer.name)))
  return html`<ul class="notes">
    ${lines.map((line) => html`<li>${line}</li>`)}
  </ul>`
}
