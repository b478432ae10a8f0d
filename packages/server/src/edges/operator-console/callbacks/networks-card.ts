import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { Viewer } from '../page.ts'
import { settingForm, textField } from '../setting-form.ts'
import { WORDS } from './words.ts'

/** Private networks that callbacks of the merchant may go to. Most deployments have none. */
export function networksCard(viewer: Viewer, merchantId: string, networks: string[]): Html {
  const words = WORDS[viewer.language]
  const fields = html`<label class="field all">${words.add}<textarea name="add" rows="2"></textarea></label> ${
      networks.length > 0 &&
      html`<fieldset class="checks all">
        <legend class="hint">${words.remove}</legend>
        ${networks.map(
          (one) =>
            html`<label><input type="checkbox" name="remove" value="${one}" /><span class="id">${one}</span></label>`,
        )}
      </fieldset>`
    }
    ${textField(words.why, 'why')}`
  const path = `/callbacks/${merchantId}/networks`
  const form = { action: 'endpoint.networks', path, label: words.propose, fields } as const
  return html`<section class="card below" aria-labelledby="networks">
    <h2 id="networks" class="first">${words.networks}</h2>
    <p class="hint">${words.networksHint}</p>
    ${
      networks.length === 0
        ? html`<p class="mild">${words.noNetworks}</p>`
        : html`<ul class="marks">
            ${networks.map((one) => html`<li class="id">${one}</li>`)}
          </ul>`
    }
    <details>
      <summary>${words.networksChange}</summary>
      ${settingForm(viewer, form)}
    </details>
  </section>`
}
