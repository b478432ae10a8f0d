import type { VezneError } from '@vezne/sdk'
import { formatMoney } from '../money.ts'
import { formatTime } from '../time.ts'
import type { Html } from '../web/html.ts'
import { html } from '../web/html.ts'
import type { Language } from '../web/language.ts'
import { localPath } from '../web/language.ts'
import { renderPage } from '../web/page.ts'
import { PRODUCTS } from './basket.ts'
import type { Order, OrderStatus } from './orders.ts'
import { orderNumber } from './orders.ts'
import type { ShopWords } from './words.ts'
import { WORDS } from './words.ts'

/** The page polls in these states. Also when expired: late money still pays the order. */
const WAITING = new Set<OrderStatus>(['asked', 'pending', 'processing', 'expired'])

export function orderPage(order: Order, language: Language, stale: VezneError | null): string {
  const words = WORDS[language]
  const waiting = WAITING.has(order.status)
  const path = `/shop/orders/${order.id}`
  return renderPage({
    language,
    place: 'shop',
    title: `${words.order} ${orderNumber(order.id)}`,
    otherLanguage: localPath(path, language === 'tr' ? 'en' : 'tr'),
    ...(waiting && { script: '/shop.js' }),
    body: html`<h1>${words.order} <span class="number">${orderNumber(order.id)}</span></h1>
      <section class="slip" id="order" data-status="${order.status}" data-poll="${path}/status">
        <p class="state" role="status">${words.status[order.status]}</p>
        ${words.next[order.status] !== '' && html`<p class="quiet">${words.next[order.status]}</p>`}
        ${stale && html`<p class="wrong">${words.stale} (${stale.code})</p>`}
        <p class="amount">${formatMoney(order.amount, language)}</p>
        ${facts(order, words, language)}
      </section>
      <div class="actions">
        ${
          order.status === 'pending' &&
          order.checkoutUrl !== null &&
          html`<a class="button primary" href="${order.checkoutUrl}">${words.goOn}</a>`
        }
        ${waiting && html`<a class="button" href="${localPath(path, language)}">${words.refresh}</a>`}
        <a class="button" href="${localPath('/shop', language)}">${words.again}</a>
      </div>`,
  })
}

function facts(order: Order, words: ShopWords, language: Language): Html {
  const books = PRODUCTS.filter(({ id }) => (order.basket[id] ?? 0) > 0)
  const isPartial = order.receivedAmount > 0n && order.receivedAmount !== order.amount
  return html`<dl>
    ${books.map(
      ({ id, title, price }) =>
        html`<div>
          <dt>${order.basket[id] ?? 0} × ${formatMoney(price, language)}</dt>
          <dd>${title}</dd>
        </div>`,
    )}
    ${isPartial && fact(words.received, formatMoney(order.receivedAmount, language))}
    ${fact(words.customer, order.customerName)} ${fact(words.placed, formatTime(new Date(order.createdAt), language))}
    ${order.toldAt !== null && fact(words.told, formatTime(new Date(order.toldAt), language))}
  </dl>`
}

/** Shows the refusal of the payment service, so that a developer can look it up. */
export function refusedPage(error: VezneError | null, language: Language): string {
  const words = WORDS[language]
  return renderPage({
    language,
    place: 'shop',
    title: words.refusedTitle,
    otherLanguage: localPath('/shop', language === 'tr' ? 'en' : 'tr'),
    body: html`<h1>${words.refusedTitle}</h1>
      <p>${error ? words.refusedText : words.notConnected}</p>
      ${
        error &&
        html`<section class="slip">
          <dl>
            ${fact(words.code, html`<span class="number">${error.code}</span>`)} ${fact(words.message, error.message)}
          </dl>
        </section>`
      }
      <p><a class="button" href="${localPath('/shop', language)}">${words.again}</a></p>`,
  })
}

function fact(label: string, value: string | Html): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`
}
