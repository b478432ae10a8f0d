import type { Html, Part } from '../web/html.ts'
import { html, plainName, render, webAddress } from '../web/html.ts'
import { isFinal } from './screen.ts'
import type { Screen } from './screen.ts'
import { chooseBank } from './screens/choose-bank.ts'
import { completed, ended, expired, inReview } from './screens/outcome.ts'
import { sentence } from './screens/parts.ts'
import { accountChanged, pay, short } from './screens/pay.ts'
import { claimed } from './screens/waiting.ts'
import { windowTitle } from './titles.ts'
import type { View } from './view.ts'
import { secondsLeft } from './view.ts'

const SCREENS: Record<Screen, (view: View) => Html> = {
  'choose-bank': chooseBank,
  'no-account': chooseBank,
  'account-changed': accountChanged,
  pay,
  claimed,
  short,
  'short-claimed': claimed,
  'short-ended': short,
  over: inReview,
  review: inReview,
  completed,
  'awaiting-bank': expired,
  expired,
  cancelled: ended,
  failed: ended,
}

/** The part of the page that changes: the script replaces it with a newer one. */
export function mainPart(view: View): Html {
  const { deposit, screen } = view
  return html`<main
    id="main"
    class="${screen}"
    data-version="${deposit.version}"
    data-screen="${screen}"
    data-left="${secondsLeft(view)}"
    data-title="${windowTitle(view)}"
    ${!isFinal(screen) && html`data-live`}
  >
    ${SCREENS[screen](view)}
  </main>`
}

/** URLs of the files that a page loads. */
export type Links = { style: string; script: string; font: string; icon: string }

export function page(view: View, links: Links): string {
  const { words, deposit, language, path, query, sandbox } = view
  return render(
    html`<!doctype html>
      <html lang="${language}">
        <head>
          ${headPart(links, windowTitle(view))}
          <script src="${links.script}" defer></script>
        </head>
        <body data-path="${path}">
          <header>
            <p id="offline" hidden>${words.offline}</p>
            ${sandbox && html`<p class="band">${words.sandbox}</p>`}
            <div class="top">${merchantMark(view)}${otherLanguage(view)}</div>
          </header>
          ${mainPart(view)}
          <footer>
            <p><a id="refresh" href="${path}${query}">${words.refresh}</a> ${backLink(view)}</p>
            ${support(view)}
            <p class="by">${words.by}</p>
            <p class="transaction">${words.transaction} <span class="id">${deposit.id}</span></p>
          </footer>
          <p class="quiet" id="said" role="status"></p>
        </body>
      </html>`,
  )
}

/** A way back on every screen. The script replaces only main, so that it stays. */
function backLink({ deposit, words, brand }: View): Part {
  const address = webAddress(deposit.returnUrl)
  return address && html`<a id="back" href="${address}"><span>${sentence(words.returnTo, brand.displayName)}</span></a>`
}

function support({ words, brand }: View): Part {
  const { displayName, supportPhone: phone, supportEmail: email, supportAddress: address } = brand
  const links = [
    phone !== null && html`<a href="tel:${phone.replace(/[^+0-9]/g, '')}">${phone}</a>`,
    email !== null && html`<a href="mailto:${email}">${email}</a>`,
  ]
  const ways = [
    links.some(Boolean) && html`<p class="ways">${links}</p>`,
    address !== null && html`<p><bdi>${plainName(address)}</bdi></p>`,
  ]
  return (
    ways.some(Boolean) &&
    html`<div class="help">
      <p>${sentence(words.help, displayName)}</p>
      ${ways}
    </div>`
  )
}

function headPart(links: Omit<Links, 'script'>, title: string): Html {
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width,initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <meta name="format-detection" content="telephone=no" />
    <title>${title}</title>
    <link rel="stylesheet" href="${links.style}" />
    <link rel="preload" as="font" type="font/woff2" href="${links.font}" fetchpriority="low" crossorigin />
    <link rel="icon" type="image/svg+xml" href="${links.icon}" />`
}

/** A transparent logo gets a background in the theme in which it could not be seen. */
function merchantMark({ brand, path }: View): Html {
  const { displayName, hasLogo, hasDarkLogo, logoInk } = brand
  if (!hasLogo) return html`<p class="merchant"><bdi>${displayName}</bdi></p>`
  const plate = logoInk === 'light' ? 'by-day' : logoInk !== 'opaque' && !hasDarkLogo && 'by-night'
  return html`<p class="merchant">
    <picture>
      ${hasDarkLogo && html`<source srcset="${path}/logo-dark.png" media="(prefers-color-scheme:dark)" />`}
      <img class="${plate}" src="${path}/logo-light.png" alt="${displayName}" />
    </picture>
  </p>`
}

function otherLanguage({ language, path, words }: View): Html {
  const other = language === 'tr' ? 'en' : 'tr'
  return html`<a class="language" lang="${other}" hreflang="${other}" href="${path}?lang=${other}"
    >${words.otherLanguage}</a
  >`
}

/** The same bytes for every invalid link, whatever the reason; therefore the language is unknown too. */
export function unknownPage(links: Omit<Links, 'script'>): string {
  return simplePage(links, 'Bu ödeme bağlantısı geçerli değil', [
    html`Bağlantıyı satıcının sitesinden yeniden açın. Para gönderdiyseniz tekrar göndermeyin ve satıcıyla görüşün.`,
    html`<span lang="en"
      >This payment link is not valid. Open it again from the merchant’s site. If you have sent money, do not send it
      again; talk to the merchant.</span
    >`,
  ])
}

export function troublePage(links: Omit<Links, 'script'>, requestId: string): string {
  return simplePage(links, 'Sayfa şu anda açılamıyor', [
    html`Birazdan yeniden deneyin. Para gönderdiyseniz tekrar göndermeyin; paranız kaybolmaz.`,
    html`<span lang="en"
      >This page cannot be shown right now. Try again in a moment. If you have sent money, do not send it again; it is
      not lost.</span
    >`,
    html`<span class="id">${requestId}</span>`,
  ])
}

/** The same bytes for every refused request: it must cost almost nothing. */
export function crowdedPage(links: Omit<Links, 'script'>): string {
  return simplePage(links, 'Çok fazla istek', [
    html`Ağınızdan aynı anda çok fazla istek geldi. Birkaç saniye sonra sayfayı yenileyin. Para gönderdiyseniz tekrar
    göndermeyin; paranız kaybolmaz.`,
    html`<span lang="en"
      >Too many requests came from your network at once. Reload the page in a few seconds. If you have sent money, do
      not send it again; it is not lost.</span
    >`,
  ])
}

function simplePage(links: Omit<Links, 'script'>, title: string, lines: Html[]): string {
  return render(
    html`<!doctype html>
      <html lang="tr">
        <head>
          ${headPart(links, title)}
        </head>
        <body>
          <main id="main" class="simple">
            <div class="sheet">
              <h1>${title}</h1>
              ${lines.map((line) => html`<p>${line}</p>`)}
            </div>
          </main>
        </body>
      </html>`,
  )
}
