import { minute } from '../../web/console/parts.ts'
import { html } from '../../web/html.ts'
import type { Page, Viewer } from '../page.ts'
import { WORDS } from './words.ts'

/** What is shown this once: secrets, or the address of an invitation. */
export function oncePage(
  viewer: Viewer,
  merchantId: string,
  { title, lead, values }: { title: string; lead: string; values: [label: string, value: string | Date][] },
): Page {
  const main = html`<h1>${title}</h1>
    <p class="lead">${lead}</p>
    <section class="card">
      <dl class="facts">
        ${values.map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              <dd>${value instanceof Date ? minute(value) : html`<code class="secret">${value}</code>`}</dd>`,
        )}
      </dl>
    </section>
    <p class="more"><a href="${viewer.root}/merchants/${merchantId}">${WORDS[viewer.language].backToMerchant}</a></p>`
  return { title, section: 'merchants', main }
}
