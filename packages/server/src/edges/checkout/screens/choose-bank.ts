import type { BankOption } from '../../../domain/banks/index.ts'
import { bankLogo, FAST, fits } from '../../../domain/banks/index.ts'
import type { Html, Part } from '../../web/html.ts'
import { drawn, html } from '../../web/html.ts'
import type { View } from '../view.ts'
import { form, head, money, notice, title } from './parts.ts'

export function chooseBank(view: View): Html {
  const { words, deposit } = view
  return html`<div class="sheet">
    ${head(view, words.toPay, deposit.amount, true)} ${title(words.chooseTitle)} ${warning(view)}
    ${form(view, 'bank', bankList(view))}
  </div>`
}

function warning({ words, screen, full, bank, deposit }: View): Part {
  if (deposit.accountChangedAt !== null) return notice(words.accountGoneTitle, words.accountGoneText)
  const name = full?.name ?? (screen === 'no-account' ? bank?.name : undefined)
  return name !== undefined && notice(words.noAccountTitle, words.noAccountText(name))
}

function bankList(view: View): Html {
  const { words, options } = view
  return html`<fieldset>
      <legend>${words.chooseLegend}</legend>
      <p class="filter" hidden>
        <label for="filter">${words.filter}</label>
        <input type="search" id="filter" autocomplete="off" data-options="${words.options}" />
      </p>
      <div class="banks">${options.map((option) => bankChoice(view, option))}</div>
    </fieldset>
    <div class="go"><button class="button">${words.next}</button></div>`
}

function bankChoice(view: View, option: BankOption): Html {
  const { words } = view
  const { id, name, minAmount, maxAmount } = option
  const reason = whyNot(view, option)
  return html`<label class="bank">
    <input type="radio" name="bankId" id="bank-${id}" value="${id}" required ${reason && html`disabled`} />
    <span class="logo" aria-hidden="true">${monogram(option)}</span>
    <span class="name">
      <b>${name}</b>
      ${id === FAST && html`<span class="hint">${words.fastHint}</span>`}
      <span class="hint">${reason ?? words.range(money(view, minAmount), money(view, maxAmount))}</span>
    </span>
  </label>`
}

function whyNot(view: View, option: BankOption): string | null {
  const { words, deposit, full } = view
  if (!fits(deposit.amount, option)) {
    const low = deposit.amount < option.minAmount
    return low ? words.tooLow(money(view, option.minAmount)) : words.tooHigh(money(view, option.maxAmount))
  }
  return full?.id === option.id ? words.noneFree : null
}

/** Decoration beside the name. Initials only, in the text colour: thirty bank colours would distract from the accent. */
function monogram({ code, name }: BankOption): Html {
  const [, letters = ''] = />([^<]+)<\/text>/.exec(bankLogo(code, name)) ?? []
  return drawn(letters)
}
