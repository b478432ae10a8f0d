import type { Bank } from '../bank/bank.ts'
import type { Account, Movement, Outcome } from '../bank/ledger.ts'
import { formatIban } from '../iban.ts'
import { formatMoney } from '../money.ts'
import { formatTime } from '../time.ts'
import type { Html } from '../web/html.ts'
import { html } from '../web/html.ts'
import type { Language } from '../web/language.ts'
import { localPath } from '../web/language.ts'
import { renderPage } from '../web/page.ts'
import type { FormProblems, OrderForm } from './order-form.ts'
import { FAULTS, translateForm } from './order-form.ts'
import type { BankWords } from './words.ts'
import { WORDS } from './words.ts'

const MOVEMENTS_SHOWN = 10

type Shown = { words: BankWords; language: Language }

export function sendPage(bank: Bank, language: Language, form: OrderForm, problems: FormProblems = {}): string {
  const words = WORDS[language]
  const other = language === 'tr' ? 'en' : 'tr'
  const hasProblems = Object.keys(problems).length > 0
  return renderPage({
    language,
    place: 'bank',
    title: words.title,
    otherLanguage: localPath('/', other, translateForm(form, language, other)),
    body: html`<h1>${words.title}</h1>
      ${hasProblems && html`<p class="wrong" role="alert">${words.mend}</p>`}
      <form method="post" action="${localPath('/send', language)}">
        ${accountChoice({ words, language }, bank.customers(), form.from, problems.from)}
        ${fields(words, form, problems)}
        <input type="hidden" name="currency" value="${form.currency}" />
        <input type="hidden" name="back" value="${form.back}" />
        <button class="primary" name="how" value="right">${words.send}</button>
        ${faultButtons(words)}
      </form>
      <h2>${words.held}</h2>
      ${heldList({ words, language }, bank.held())}
      <h2>${words.movements}</h2>
      ${movementList({ words, language }, bank.lastMovements(MOVEMENTS_SHOWN))}`,
  })
}

function accountChoice(
  { words, language }: Shown,
  accounts: Account[],
  chosen: string,
  problem?: keyof BankWords,
): Html {
  const card = ({ iban, holder, bank, wallet, balance, reserved }: Account) =>
    html`<label class="choice">
      <input type="radio" name="from" value="${iban}" required ${iban === chosen && html`checked`} />
      <span class="who">
        <span>${holder}</span>
        <span class="quiet">${wallet === null ? bank : `${bank}, ${wallet}`}</span>
      </span>
      <span class="money">${formatMoney(balance - reserved, language)}</span>
    </label>`
  return html`<fieldset>
    <legend>${words.account}</legend>
    ${accounts.map(card)} ${problem !== undefined && html`<p class="wrong">${words[problem]}</p>`}
  </fieldset>`
}

type Field = { name: keyof OrderForm; label: string; hint?: string; attributes: Html }

function fields(words: BankWords, form: OrderForm, problems: FormProblems): Html[] {
  const all: Field[] = [
    { name: 'iban', label: words.iban, attributes: html`required maxlength="40" autocapitalize="characters"` },
    { name: 'name', label: words.name, attributes: html`maxlength="140"` },
    {
      name: 'amount',
      label: words.amount,
      hint: words.amountHint,
      attributes: html`required maxlength="24" inputmode="decimal"`,
    },
    {
      name: 'description',
      label: words.description,
      hint: words.descriptionHint,
      attributes: html`maxlength="200" autocapitalize="characters"`,
    },
  ]
  return all.map((field) => fieldRow(field, form[field.name], problems[field.name], words))
}

function fieldRow(
  { name, label, hint, attributes }: Field,
  value: string,
  problem: string | undefined,
  words: BankWords,
) {
  const described = [...(problem ? [`${name}-wrong`] : []), ...(hint ? [`${name}-hint`] : [])].join(' ')
  return html`<div class="field">
    <label class="above" for="${name}">${label}</label>
    <input
      type="text"
      id="${name}"
      name="${name}"
      value="${value}"
      autocomplete="off"
      spellcheck="false"
      ${attributes}
      ${described !== '' && html`aria-describedby="${described}"`}
      ${problem !== undefined && html`aria-invalid="true"`}
    />
    ${problem !== undefined && html`<p class="wrong" id="${name}-wrong">${words[problem as keyof BankWords]}</p>`}
    ${hint !== undefined && html`<p class="quiet" id="${name}-hint">${hint}</p>`}
  </div>`
}

function faultButtons(words: BankWords): Html {
  return html`<fieldset class="wrongly">
    <legend>${words.wrongly}</legend>
    <p class="quiet">${words.wronglyHint}</p>
    <div class="buttons">
      ${FAULTS.map((fault) => html`<button name="how" value="${fault}">${words[fault]}</button>`)}
    </div>
  </fieldset>`
}

function heldList({ words, language }: Shown, held: Outcome[]): Html {
  if (held.length === 0) return html`<p class="quiet">${words.noneHeld}</p>`
  return html`<ul class="list">
    ${held.map(
      ({ reference, receiverName, to, amount, narrative }) =>
        html`<li>
          <p><bdi>${receiverName || number(to)}</bdi></p>
          <p class="money">${formatMoney(amount, language)}</p>
          <p class="quiet"><bdi>${narrative || words.noDescription}</bdi></p>
          <form method="post" action="${localPath('/release', language)}">
            <button name="reference" value="${reference}">${words.release}</button>
          </form>
        </li>`,
    )}
  </ul>`
}

const number = (iban: string) => html`<span class="number">${formatIban(iban)}</span>`

function movementList({ words, language }: Shown, movements: Movement[]): Html {
  if (movements.length === 0) return html`<p class="quiet">${words.noMovements}</p>`
  return html`<ul class="list">
    ${movements.map(
      ({ senderName, from, receiverName, to, amount, narrative, bankReference, at }) =>
        html`<li>
          <p><bdi>${senderName || number(from)}</bdi></p>
          <p class="money">${formatMoney(amount, language)}</p>
          <p class="quiet whole">${words.to}: <bdi>${receiverName || number(to)}</bdi></p>
          <p class="quiet whole"><bdi>${narrative || words.noDescription}</bdi></p>
          <p class="quiet whole">
            ${formatTime(new Date(at), language)}, ${words.reference} <span class="number">${bankReference}</span>
          </p>
        </li>`,
    )}
  </ul>`
}
