import type { Html } from '../html.ts'
import { html, render } from '../html.ts'
import { minute } from './parts.ts'

/** URLs of the files that a page loads. */
export type ConsoleLinks = {
  style: string
  script: string
  font: string
  icon: string
  /** Only for pages with a passkey form. */
  passkey: string
  /** Of pages without a session. */
  entry: string
  /** Only for pages with charts. */
  charts: { style: string; script: string }
}

/** The stream of a live page, where its script fetches it, and the version that it shows. */
export type LiveLink = { stream: string; at: string; version: string }

export type NavItem = { href: string; label: string; isCurrent: boolean; count?: number | undefined }

export type Frame = {
  language: 'tr' | 'en'
  title: string
  /** Path of the console, such as /operator. */
  root: string
  links: ConsoleLinks
  words: FrameWords
  person: string
  now: Date
  csrf: string
  sandbox: boolean
  /** What the page in the other language is asked for. */
  query: Record<string, unknown>
  nav: NavItem[]
  search: { text: string; label: string; hint: string }
  /** What happened to the last form; `bad` if it was refused. */
  said: { text: string; bad: boolean } | null
  main: Html
  withCharts?: boolean
  live: LiveLink | undefined
}

type FrameWords = {
  console: string
  skip: string
  logOut: string
  own: string
  sections: string
  sandbox: string
  otherLanguage: string
  otherCode: string
  liveLost: string
  liveEnded: string
  printedBy: string
}

export function consolePage(frame: Frame): string {
  const { language, title, links, words, main, said, live, person, now, withCharts = false } = frame
  return render(
    html`<!doctype html>
      <html lang="${language}">
        <head>
          ${head(links, `${title} · ${words.console}`)}
          <script src="${links.script}" defer></script>
          ${
            withCharts &&
            html`<link rel="stylesheet" href="${links.charts.style}" />
              <script src="${links.charts.script}" defer></script>`
          }
        </head>
        <body>
          <a class="skip" href="#main">${words.skip}</a>
          <div class="frame work">
            ${bar(frame)} ${side(frame)}
            <p class="print-only printed">${words.printedBy} ${person} · ${minute(now)}</p>
            <main
              id="main"
              tabindex="-1"
              ${live && html`data-live="${live.stream}" data-at="${live.at}" data-version="${live.version}"`}
            >
              ${said && html`<p class="say${said.bad && ' bad'}" role="status">${said.text}</p>`} ${main}
            </main>
          </div>
        </body>
      </html>`,
  )
}

/** A page without a session: logging in, or an error. */
export function entryPage(
  language: 'tr' | 'en',
  links: ConsoleLinks,
  console: string,
  title: string,
  main: Html,
): string {
  return render(
    html`<!doctype html>
      <html lang="${language}">
        <head>
          ${head(links, `${title} · ${console}`)}
          <script src="${links.entry}" defer></script>
        </head>
        <body>
          <main id="main" class="entry">
            <p class="mark"><img src="${links.icon}" alt="" />${console}</p>
            ${main}
          </main>
        </body>
      </html>`,
  )
}

function head(links: ConsoleLinks, title: string): Html {
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width,initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <meta name="format-detection" content="telephone=no" />
    <title>${title}</title>
    <link rel="preload" as="font" type="font/woff2" href="${links.font}" crossorigin />
    <link rel="stylesheet" href="${links.style}" />
    <link rel="icon" type="image/svg+xml" href="${links.icon}" />`
}

function bar({ root, links, words, person, csrf, search, sandbox, live, query }: Frame): Html {
  return html`<header class="bar">
    <a class="mark" href="${root}"><img src="${links.icon}" alt="" />${words.console}</a>
    <form class="find" role="search" action="${root}/search">
      <input
        type="search"
        name="q"
        id="find"
        value="${search.text}"
        maxlength="200"
        aria-label="${search.label}"
        placeholder="${search.hint}"
      />
    </form>
    ${sandbox && html`<span class="state busy" title="${words.sandbox}">Sandbox</span>`}
    ${live && html`<span id="live" class="live state bad" role="status" data-lost="${words.liveLost}" data-ended="${words.liveEnded}"></span>`}
    <div class="who">
      <a lang="${words.otherCode}" hreflang="${words.otherCode}" href="${inLanguage(query, words.otherCode)}"
        >${words.otherLanguage}</a
      >
      <a href="${root}/own" title="${words.own}">${person}</a>
      <form method="post" action="${root}/logout">
        <input type="hidden" name="csrf" value="${csrf}" />
        <button class="link">${words.logOut}</button>
      </form>
    </div>
  </header>`
}

/** The same page in the other language, from its first row on; what was said there is not said again. */
function inLanguage(query: Record<string, unknown>, language: string): string {
  const texts = Object.entries(query).filter((one): one is [string, string] => typeof one[1] === 'string')
  const kept = texts.filter(([name]) => !['said', 'lang', 'before'].includes(name))
  return `?${new URLSearchParams([...kept, ['lang', language]]).toString()}`
}

function side({ nav, words }: Frame): Html {
  return html`<nav class="side" aria-label="${words.sections}">
    <ul>
      ${nav.map(
        ({ href, label, isCurrent, count }) =>
          html`<li>
            <a href="${href}" ${isCurrent && html`aria-current="page"`}
              >${label} ${count !== undefined && count > 0 && html`<span class="count">${count}</span>`}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`
}
