import type { BankOption } from '../../../domain/banks/index.ts'
import { FAST, fits, monograms } from '../../../domain/banks/index.ts'
import type { Html, Part } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { View } from '../view.ts'
import { form, head, money, notice, title } from './parts.ts'

export function chooseBank(view: View): Html {
  const { words, deposit } = view
  return html`<div class="sheet">
    ${head(view, words.toPay, deposit.amount, true)} ${title(view)} ${warning(view)}
    ${form(view, 'bank', bankList(view))}
  </div>`
}

function warning({ words, screen, full, bank, deposit }: View): Part {
  if (deposit.accountChangedAt !== null) return notice(words.accountGoneTitle, words.accountGoneText)
  const name = full?.name ?? (screen === 'no-account' ? bank?.name : undefined)
  return name !== undefined && notice(words.noAccountTitle, words.noAccountText(name))
}

/** FAST reaches us from every bank. The others are for a transfer inside one bank, and for EFT if the amount is too large for FAST. */
function bankList(view: View): Html {
  const { words, options } = view
  const fast = options.filter(({ id }) => id === FAST)
  const banks = options.filter(({ id }) => id !== FAST)
  const letters = monograms(banks)
  const byEft = fast.length > 0 && !fast.some(({ maxAmount }) => view.deposit.amount <= maxAmount)
  const [heading, hint] = byEft
    ? [words.eftTitle, words.eftHint]
    : [fast.length > 0 ? words.sameOr : words.sameOnly, words.sameHint]
  const list = banks.map((option, index) => bankChoice(view, option, letters[index] ?? ''))
  return html`<fieldset>
      <legend class="quiet">${words.chooseTitle}</legend>
      ${fast.map((option) => bankChoice(view, option, FAST))}
      ${
        banks.length > 0 &&
        html`<div class="same" role="group" aria-labelledby="same">
          <h2 id="same">${heading}</h2>
          <p class="hint">${hint}</p>
          ${banks.length > FILTER_FROM && filter(view, byEft ? words.noBankEft : words.noBank)}
          <div class="banks">${list}</div>
        </div>`
      }
    </fieldset>
    <div class="go"><button class="button">${words.next}</button></div>`
}

/** Fewer banks are seen at a glance. */
const FILTER_FROM = 8

function filter({ words }: View, none: string): Html {
  return html`<p class="filter">
      <label for="filter">${words.filter}</label>
      <input type="search" id="filter" autocomplete="off" data-options="${words.options}" />
    </p>
    <p id="none" hidden>${none}</p>`
}

/** FAST is chosen unless the customer chooses otherwise. Limits are shown only if they exclude the amount. */
function bankChoice(view: View, option: BankOption, letters: string): Html {
  const { words } = view
  const { id, name } = option
  const reason = whyNot(view, option)
  const state = reason ? html`disabled` : id === FAST && html`checked`
  return html`<label class="bank">
    <input type="radio" name="bankId" id="bank-${id}" value="${id}" required ${state} />
    <span class="logo" aria-hidden="true">${letters}</span>
    <span class="name">
      <b>${name}</b>
      ${reason ? html`<span class="hint">${reason}</span>` : id === FAST && html`<span class="hint">${words.fastHint}</span>`}
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
