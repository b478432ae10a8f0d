import { readFileSync } from 'node:fs'
import type { FastifyError, FastifyInstance } from 'fastify'
import { html } from './html.ts'
import { languageOf, localPath } from './language.ts'
import { renderPage } from './page.ts'

const STYLE = ['base.css', 'forms.css', 'slips.css']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n')
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0e5a6b"/>' +
  '<path d="M4 6h8M4 10h5" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>'

const WORDS = {
  tr: {
    missing: 'Bu adreste bir şey yok.',
    refused: 'Bu istek kabul edilmedi.',
    failed: 'Bir şeyler ters gitti. Para hareket etmediyse tekrar deneyin.',
    back: 'Başa dön',
  },
  en: {
    missing: 'There is nothing at this address.',
    refused: 'This request was not accepted.',
    failed: 'Something went wrong. If no money has moved, try again.',
    back: 'Back to the start',
  },
}

type Policy = { scripts?: boolean; formTargets?: string[] }

/** No scripts, no frames, no foreign resources; only the shop needs a script and a form with a redirect. */
function headersOf({ scripts = false, formTargets = [] }: Policy): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}

/** Shared by all pages of one place: headers, plain forms, and error pages. */
export function preparePages(app: FastifyInstance, place: 'bank' | 'shop', policy: Policy = {}): void {
  const headers = headersOf(policy)
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(body as string)),
  )
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(headers)
    // Another site must not be able to send money for this person, not even play money.
    const crossSite = request.headers['sec-fetch-site'] === 'cross-site'
    if (crossSite && request.method === 'POST') throw Object.assign(new Error('cross-site form'), { statusCode: 403 })
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500
    const language = languageOf(request.query)
    const words = WORDS[language]
    const title = status === 404 ? words.missing : status < 500 ? words.refused : words.failed
    const home = place === 'shop' ? '/shop' : '/'
    const body = html`<h1>${title}</h1>
      <p><a class="button" href="${localPath(home, language)}">${words.back}</a></p>`
    const otherLanguage = localPath(home, language === 'tr' ? 'en' : 'tr')
    return reply.code(status).headers(headers).send(renderPage({ language, place, title, otherLanguage, body }))
  })
}

export function notFound(): Error {
  return Object.assign(new Error('not found'), { statusCode: 404 })
}

export function mountAssets(app: FastifyInstance): void {
  const asset = (path: string, type: string, content: string) =>
    app.get(path, (_request, reply) =>
      reply
        .headers({ 'content-type': type, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
        .header('content-security-policy', "default-src 'none'")
        .send(content),
    )
  asset('/style.css', 'text/css; charset=utf-8', STYLE)
  asset('/icon.svg', 'image/svg+xml', ICON)
}
