import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../platform/refusal.ts'
import { cookie } from '../browser-request.ts'
import { entryPage } from './layout.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { PAGE_HEADERS } from '../page-headers.ts'
import { linksAt } from './files.ts'
import type { Language, SiteDeps } from './site.ts'
import { rootPath } from './site.ts'

export const TEXT = 'text/html; charset=utf-8'

const LANGUAGE = 'vezne-language'

/** The language that the address asks for is kept for the next pages. */
export function languageOf(request: FastifyRequest, reply: FastifyReply): Language {
  const asked = (request.query as Record<string, unknown>)['lang']
  if (asked !== 'tr' && asked !== 'en') return cookie(request, LANGUAGE) === 'en' ? 'en' : 'tr'
  void reply.header('set-cookie', `${LANGUAGE}=${asked}; Path=/; SameSite=Lax; Max-Age=31536000`)
  return asked
}

export function sendEntry(
  app: SiteDeps,
  language: Language,
  reply: FastifyReply,
  status: number,
  title: string,
  main: Html,
) {
  const page = entryPage(language, linksAt(rootPath(app)), app.site.words[language].console, title, main)
  return reply.headers(PAGE_HEADERS).code(status).type(TEXT).send(page)
}

export function sendSimple(app: SiteDeps, request: FastifyRequest, reply: FastifyReply, status: 403 | 404 | 429) {
  const language = languageOf(request, reply)
  const words = app.site.words[language]
  const { title, text } = {
    403: { title: words.forgedTitle, text: words.forgedText },
    404: { title: words.notFoundTitle, text: words.notFoundText },
    429: { title: words.crowdedTitle, text: words.crowdedText },
  }[status]
  const main = html`<h1>${title}</h1>
    <p>${text}</p>
    <p><a href="${rootPath(app)}">${words.home}</a></p>`
  return sendEntry(app, language, reply, status, title, main)
}

export function sendTrouble(app: SiteDeps, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode = 500 } = error as { statusCode?: number }
  const away = error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE'
  const status = away ? 503 : statusCode >= 400 && statusCode < 500 ? statusCode : 500
  if (away) void reply.header('retry-after', '5')
  if (status === 500) app.log.error({ err: error, requestId: request.id }, `${app.site.audience} console page failed`)
  const language = languageOf(request, reply)
  const words = app.site.words[language]
  const main = html`<h1>${words.troubleTitle}</h1>
    <p>${words.troubleText} <span class="id">${request.id}</span></p>`
  void sendEntry(app, language, reply, status, words.troubleTitle, main)
}
