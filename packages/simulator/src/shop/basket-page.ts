import { formatMoney } from '../money.ts'
import type { Html } from '../web/html.ts'
import { html } from '../web/html.ts'
import type { Language } from '../web/language.ts'
import { localPath } from '../web/language.ts'
import { renderPage } from '../web/page.ts'
import type { Basket, Product } from './basket.ts'
import { MAX_QUANTITY, PRODUCTS, totalOf } from './basket.ts'
import type { ShopWords } from './words.ts'
import { WORDS } from './words.ts'

export type BasketForm = { basket: Basket; customerName: string }

export function basketPage(form: BasketForm, language: Language, problem?: 'emptyBasket' | 'noName'): string {
  const words = WORDS[language]
  return renderPage({
    language,
    place: 'shop',
    title: words.title,
    otherLanguage: localPath('/shop', language === 'tr' ? 'en' : 'tr', parametersOf(form)),
    body: html`<h1>${words.title}</h1>
      <form method="get" action="/shop">
        ${language === 'en' && html`<input type="hidden" name="lang" value="en" />`}
        <fieldset>
          <legend>${words.basket}</legend>
          <ul class="list">
            ${PRODUCTS.map((product) => productRow(product, form.basket, language))}
          </ul>
        </fieldset>
        <p class="total"><span>${words.total}</span> <span>${formatMoney(totalOf(form.basket), language)}</span></p>
        ${nameField(form.customerName, words)}
        ${problem !== undefined && html`<p class="wrong" role="alert">${words[problem]}</p>`}
        <div class="actions">
          <button class="primary" formmethod="post" formaction="${localPath('/shop/checkout', language)}">
            ${words.pay}
          </button>
          <button>${words.update}</button>
        </div>
      </form>`,
  })
}

function productRow({ id, title, author, price }: Product, basket: Basket, language: Language): Html {
  return html`<li>
    <div>
      <p id="${id}-title">${title}</p>
      <p class="quiet">${author}, ${formatMoney(price, language)}</p>
    </div>
    <div>
      <label class="quiet" for="${id}" id="${id}-label">${WORDS[language].quantity}</label>
      <input
        type="number"
        id="${id}"
        name="${id}"
        value="${basket[id] ?? 0}"
        min="0"
        max="${MAX_QUANTITY}"
        aria-labelledby="${id}-title ${id}-label"
      />
    </div>
  </li>`
}

function nameField(customerName: string, words: ShopWords): Html {
  return html`<div class="field">
    <label class="above" for="name">${words.customer}</label>
    <input
      type="text"
      id="name"
      name="name"
      value="${customerName}"
      maxlength="140"
      autocomplete="off"
      aria-describedby="name-hint"
    />
    <p class="quiet" id="name-hint">${words.customerHint}</p>
  </div>`
}

function parametersOf({ basket, customerName }: BasketForm): Record<string, string> {
  const quantities = Object.entries(basket).map(([id, quantity]) => [id, String(quantity)])
  return { ...Object.fromEntries(quantities), name: customerName }
}
