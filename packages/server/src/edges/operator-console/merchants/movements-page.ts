import type { MerchantMonth } from '../../../domain/books/index.ts'
import { monthParts } from '../../web/console/merchant-month/month.ts'
import { MONTH_WORDS } from '../../web/console/merchant-month/words.ts'
import { html, plainName } from '../../web/html.ts'
import type { Page, Viewer } from '../page.ts'
import { WORDS } from './words.ts'

type Facts = { merchant: { id: string; name: string }; month: string; day: string | null; found: MerchantMonth }

/** What moved a merchant's balance in a month, by day. */
export function movementsPage(viewer: Viewer, { merchant: { id, name }, ...facts }: Facts): Page {
  const words = WORDS[viewer.language]
  const title = `${plainName(name)}: ${words.movements}`
  const main = html`<h1>${title}</h1>
    <p class="lead">${MONTH_WORDS[viewer.language].lead}</p>
    ${monthParts(viewer, { path: `/merchants/${id}/movements`, ...facts })}
    <p class="more"><a href="${viewer.root}/merchants/${id}">${plainName(name)}</a></p>`
  return { title, section: 'merchants', main }
}
