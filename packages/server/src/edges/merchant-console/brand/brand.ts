import type { Brand } from '../../../domain/merchants/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { actButton, decisionForm } from '../../web/console/decision-form.ts'
import { uploadForm } from '../../web/console/upload-form.ts'
import type { Page, Viewer } from '../page.ts'
import { shadeOf } from './preview.ts'
import { BRAND_WORDS } from './words.ts'

export const DEFAULT_ACCENT = '#0e5a6b'
export const LOGO_PATHS = { logo: '/brand/logo', darkLogo: '/brand/logo-dark' } as const

/** `wanted`: what is previewed, which may not be saved yet. `revision` loads the drawing anew after a change. */
type Facts = { brand: Brand; wanted: { name: string; accent: string }; revision: string }

export function brandPage(viewer: Viewer, { brand, wanted, revision }: Facts): Page {
  const { root } = viewer
  const words = BRAND_WORDS[viewer.language]
  const saved = { name: brand.displayName, accent: brand.accent ?? DEFAULT_ACCENT }
  const isSaved = saved.name === wanted.name && saved.accent === wanted.accent
  const query = new URLSearchParams({ ...wanted, v: revision }).toString()
  const picture = (theme: 'light' | 'dark') =>
    html`<figure>
      <img
        src="${root}/brand/${theme}.svg?${query}"
        width="340"
        height="400"
        alt="${words.alt(words[theme], plainName(wanted.name))}"
      />
      <figcaption>${words[theme]}</figcaption>
    </figure>`
  // Only the button that saves has the token: a preview is an address.
  const token = html`name="csrf" value="${viewer.csrf}"`
  const main = html`<h1>${viewer.words.brand}</h1>
    <p class="lead">${words.lead}</p>
    <div class="pair">
      <div class="cards">
        <section class="card">
          <form method="post" action="${root}/brand">
            ${fields(viewer, wanted)}
            <p class="acts">
              <button class="button small plain" formmethod="get">${words.preview}</button>
              ${actButton(viewer, 'merchant.brand', words.save, '', token)}
            </p>
          </form>
          <p class="hint spaced">${words.adjusted(shadeOf('light', wanted.accent), shadeOf('dark', wanted.accent))}</p>
          ${!isSaved && html`<p class="say">${words.unsaved}</p>`}
        </section>
        ${logoCard(viewer, 'logo', brand.hasLogo)} ${brand.hasLogo && logoCard(viewer, 'darkLogo', brand.hasDarkLogo)}
        ${supportCard(viewer, brand)}
      </div>
      <section class="card previews">${picture('light')} ${picture('dark')}</section>
    </div>`
  return { title: viewer.words.brand, section: 'brand', main }
}

function fields({ language }: Viewer, { name, accent }: Facts['wanted']): Html {
  const words = BRAND_WORDS[language]
  return html`<div class="fields">
    <label class="field"
      >${words.name} <input name="name" required maxlength="60" value="${name}" autocomplete="organization"
    /></label>
    <label class="field"
      >${words.accent} <input type="color" name="accent" value="${accent}" />
      <span class="hint">${words.accentHint}</span></label
    >
  </div>`
}

function logoCard(viewer: Viewer, which: keyof typeof LOGO_PATHS, isSet: boolean): Html {
  const words = BRAND_WORDS[viewer.language]
  const path = LOGO_PATHS[which]
  const upload = { label: words.logoFile, hint: words.logoHint, button: words.upload }
  return html`<section class="card" aria-labelledby="${which}">
    <h2 id="${which}" class="first">${words[which]}</h2>
    ${which === 'darkLogo' && html`<p class="hint">${words.darkLogoHint}</p>`}
    ${uploadForm(viewer, 'merchant.brand', path, upload)}
    ${
      isSet &&
      html`<div class="acts">
        ${decisionForm(viewer, 'merchant.brand', `${path}/remove`, html``, words.remove[which], 'plain')}
      </div>`
    }
  </section>`
}

function supportCard(viewer: Viewer, { supportPhone, supportEmail, supportAddress }: Brand): Html {
  const words = BRAND_WORDS[viewer.language]
  const field = (label: string, name: string, value: string | null, more: Html) =>
    html`<label class="field">${label} <input name="${name}" value="${value ?? ''}" ${more} /></label>`
  const inputs = html`<div class="fields">
    ${field(words.phone, 'phone', supportPhone, html`type="tel" maxlength="24"`)}
    ${field(words.email, 'email', supportEmail, html`type="email" maxlength="120"`)}
    ${field(words.address, 'address', supportAddress, html`maxlength="200"`)}
  </div>`
  return html`<section class="card" aria-labelledby="support">
    <h2 id="support" class="first">${words.support}</h2>
    <p class="hint">${words.supportHint}</p>
    <div class="acts">${decisionForm(viewer, 'merchant.brand', '/brand/support', inputs, words.save)}</div>
  </section>`
}
