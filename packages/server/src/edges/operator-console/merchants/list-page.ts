import type { Balance } from '../../../domain/ledger/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { cardTable, minute } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import { longField, settingForm, textField } from '../setting-form.ts'
import { WORDS } from './words.ts'

export type ListedMerchant = {
  id: string
  name: string
  demo: boolean
  frozen: boolean
  createdAt: Date
  balance: Balance
}

export const MERCHANTS_PER_PAGE = 50

/** `merchants`: one more than a page if others follow; `count`: of all. */
export function merchantsPage(
  viewer: Viewer,
  { merchants, count, currency }: { merchants: ListedMerchant[]; count: number; currency: string },
): Page {
  const words = WORDS[viewer.language]
  const shown = merchants.slice(0, MERCHANTS_PER_PAGE)
  const last = merchants.length > MERCHANTS_PER_PAGE ? shown.at(-1)?.id : undefined
  const main = html`<h1>${viewer.words.merchants}</h1>
    <p class="lead">${words.lead}</p>
    ${shown.length === 0 ? html`<p class="empty">${words.noMerchants}</p>` : list(viewer, shown, currency)}
    ${last !== undefined && html`<p class="more"><a href="?before=${last}">${viewer.words.older}</a></p>`}
    <h2>${words.create}</h2>
    <section class="card">${createForm(viewer, count)}</section>`
  return { title: viewer.words.merchants, section: 'merchants', main }
}

function list(viewer: Viewer, merchants: ListedMerchant[], currency: string): Html {
  const { root, language, words: shared } = viewer
  const words = WORDS[language]
  const columns = [
    { label: words.name },
    { label: shared.status },
    { label: words.balance, isMoney: true },
    { label: words.held, isMoney: true },
    { label: words.since },
  ]
  const rows = merchants.map(({ id, name, demo, frozen, createdAt, balance }) => {
    const href = `${root}/merchants/${id}`
    return {
      href,
      cells: [
        html`<a href="${href}">${plainName(name)}</a>${demo && html` <span class="mild">${words.demo}</span>`}`,
        html`<span class="state ${frozen ? 'bad' : 'good'}">${frozen ? words.frozen : words.active}</span>`,
        html`${formatMoney(balance.available, currency)}`,
        html`${formatMoney(balance.held, currency)}`,
        minute(createdAt),
      ],
    }
  })
  return cardTable(shared.merchants, columns, rows)
}

/** Bound to the number of merchants: sent twice, it creates one. */
function createForm(viewer: Viewer, count: number): Html {
  const words = WORDS[viewer.language]
  const fields = html`<input type="hidden" name="seen" value="${count}" />
    ${longField(words.name, 'name')} ${longField(words.callbackUrl, 'callbackUrl', html`type="url"`)}
    ${textField(words.depositRate, 'depositBps', '0,00', html`inputmode="decimal"`)}
    ${textField(words.withdrawRate, 'withdrawBps', '0,00', html`inputmode="decimal"`)}
    <label class="field all">${words.allowedIps}<textarea name="networks" rows="2"></textarea></label>`
  return settingForm(viewer, {
    action: 'merchant.create',
    path: '/merchants/create',
    label: words.createButton,
    fields,
  })
}
