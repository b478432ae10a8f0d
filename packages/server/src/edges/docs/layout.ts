import type { Html } from '../web/html.ts'
import { html, render } from '../web/html.ts'
import type { Section } from './markdown.ts'
import type { Language } from './site-map.ts'
import { WORDS } from './words.ts'

export type DocLinks = { style: string; script: string; font: string; icon: string }
type MenuItem = { address: string; title: string }
export type Menu = { guides: MenuItem[]; details: MenuItem[] }

export type DocPage = {
  language: Language
  /** Its own path, and that of the same page in the other language. */
  address: string
  other: string
  title: string
  body: Html
  /** Null: a page without a list of contents. */
  sections: Section[] | null
  /** Of the search box. */
  text?: string
}

export function docPage(links: DocLinks, menu: Menu, page: DocPage): string {
  const { language, other, title, body, text = '' } = page
  const words = WORDS[language]
  const otherLanguage = language === 'en' ? 'tr' : 'en'
  return render(
    html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width,initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title} · ${words.site}</title>
          <link rel="preload" as="font" type="font/woff2" href="${links.font}" crossorigin />
          <link rel="stylesheet" href="${links.style}" />
          <link rel="icon" type="image/svg+xml" href="${links.icon}" />
          <script src="${links.script}" defer></script>
        </head>
        <body data-copy="${words.copy}" data-copied="${words.copied}" data-selected="${words.selected}">
          <a class="skip" href="#main">${words.skip}</a>
          <header>
            <a class="mark" href="/docs/${language}/quickstart"><img src="${links.icon}" alt="" />${words.site}</a>
            <a class="to-menu" href="#menu">${words.menu}</a>
            <form role="search" action="/docs/search">
              <input type="hidden" name="lang" value="${language}" />
              <input
                type="search"
                name="q"
                value="${text}"
                maxlength="100"
                aria-label="${words.search}"
                placeholder="${words.searchHint}"
              />
            </form>
            <a lang="${otherLanguage}" hreflang="${otherLanguage}" href="${other}">${words.otherLanguage}</a>
          </header>
          <div class="columns">
            <main id="main" tabindex="-1">${body}</main>
            <nav id="menu" aria-label="${words.menu}">
              ${list(words.guides, menu.guides, page)} ${list(words.details, menu.details, page)}
            </nav>
          </div>
        </body>
      </html>`,
  )
}

/** Pages; below the one that is shown, its sections. */
const list = (title: string, items: MenuItem[], shown: DocPage): Html =>
  html`<p class="label">${title}</p>
    <ul>
      ${items.map(({ address, title: name }) =>
        address === shown.address
          ? html`<li><a href="${address}" aria-current="page">${name}</a>${contents(shown)}</li>`
          : html`<li><a href="${address}">${name}</a></li>`,
      )}
    </ul>`

function contents({ language, sections }: DocPage): Html | null {
  const shown = (sections ?? []).filter(({ depth }) => depth === 2)
  if (shown.length < 2) return null
  return html`<ul class="contents" aria-label="${WORDS[language].contents}">
    ${shown.map(({ id, title, inMenu }) => html`<li><a href="#${id}">${inMenu ?? title}</a></li>`)}
  </ul>`
}
