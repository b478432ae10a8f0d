import type { Html } from './html.ts'
import { html } from './html.ts'
import type { Language } from './language.ts'
import { localPath } from './language.ts'

const WORDS = {
  tr: { band: 'Sandbox: gerçek para yok', bank: 'Banka', shop: 'Mağaza', other: 'English', places: 'Bölümler' },
  en: { band: 'Sandbox: no real money', bank: 'Bank', shop: 'Shop', other: 'Türkçe', places: 'Sections' },
}

export type Page = {
  language: Language
  place: 'bank' | 'shop'
  title: string
  /** Path of the same page in the other language. */
  otherLanguage: string
  body: Html
  script?: string
}

export function renderPage({ language, place, title, otherLanguage, body, script }: Page): string {
  const words = WORDS[language]
  const link = (name: 'bank' | 'shop', path: string) =>
    html`<a href="${localPath(path, language)}" ${name === place && html`aria-current="true"`}>${words[name]}</a>`
  const other = language === 'tr' ? 'en' : 'tr'
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/icon.svg" />
        <link rel="stylesheet" href="/style.css" />
        ${script !== undefined && html`<script src="${script}" defer></script>`}
      </head>
      <body>
        <header>
          <p class="band">${words.band}</p>
          <nav aria-label="${words.places}">
            ${link('bank', '/')} ${link('shop', '/shop')}
            <a class="language" href="${otherLanguage}" lang="${other}" hreflang="${other}">${words.other}</a>
          </nav>
        </header>
        <main>${body}</main>
      </body>
    </html>`.markup
}
