import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { postmanCollection } from '@vezne/contract/openapi'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { version } from '../../platform/version.ts'
import { packed } from '../web/assets.ts'
import { html } from '../web/html.ts'
import type { RequestLimits } from '../web/limit-requests.ts'
import { requestLimiter } from '../web/limit-requests.ts'
import { PAGE_HEADERS } from '../web/page-headers.ts'
import { docLinks, mountDocFiles } from './files.ts'
import type { DocPage } from './layout.ts'
import { docPage } from './layout.ts'
import type { Library } from './library.ts'
import { openLibrary } from './library.ts'
import { searchPages } from './search.ts'
import type { Language } from './site-map.ts'
import { DOCS } from './site-map.ts'
import { WORDS } from './words.ts'

/** Pages change only with the version of the service. Private: some depend on the language of the browser. */
const CACHED = 'private, max-age=300'
const MAX_QUERY = 100
/** For programs that check links. */
const WITH_HEAD = { exposeHeadRoute: true }

type DocsDeps = RequestLimits & { publicUrl: () => string }

/** The documentation: public, without personal data. */
export function mountDocs(server: FastifyInstance, app: DocsDeps): void {
  void server.register(async (scope) => mount(scope, app), { prefix: '/docs' })
}

function mount(scope: FastifyInstance, app: DocsDeps): void {
  const library = openLibrary(version(), app.publicUrl)
  const secondsToWait = requestLimiter(app)
  scope.addHook('onRequest', (request, reply, done) => {
    void reply.headers(PAGE_HEADERS)
    const wait = secondsToWait(request)
    if (wait === 0) return done()
    void reply.code(429).header('retry-after', String(wait)).type('text/plain; charset=utf-8')
    void reply.send('Too many requests. Try again in a moment.')
  })
  scope.setNotFoundHandler((request, reply) => sendUnknown(library, request, reply))
  mountDocFiles(scope)
  scope.get('/', WITH_HEAD, (request, reply) => reply.redirect(`/docs/${preferred(request)}/quickstart`, 303))
  scope.get<{ Querystring: { q?: unknown; lang?: unknown } }>('/search', WITH_HEAD, async (request, reply) =>
    sendSearch(library, request, reply),
  )
  scope.get('/postman.json', WITH_HEAD, (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(postmanCollection(app.publicUrl()), null, 2)),
  )
  scope.get<{ Params: { name: string } }>('/examples/:name', WITH_HEAD, async ({ params: { name } }, reply) => {
    if (!/^\w[\w.-]*$/.test(name)) return reply.callNotFound()
    const text = await readFile(join(DOCS, 'examples', name), 'utf8').catch(() => null)
    return text === null ? reply.callNotFound() : reply.type('text/plain; charset=utf-8').send(text)
  })
  scope.get('/*', WITH_HEAD, async (request, reply) => sendPage(library, request, reply))
}

async function sendPage(library: Library, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const address = request.url.replace(/\?.*/, '')
  const found = library.page(address)
  if (!found) return sendUnknown(library, request, reply)
  void reply.header('cache-control', CACHED)
  const [, own] = /^\/docs\/(en|tr)\//.exec(address) ?? []
  const language = (own as Language | undefined) ?? asked(request)
  const otherLanguage = language === 'en' ? 'tr' : 'en'
  const other = own ? address.replace(`/docs/${own}/`, `/docs/${otherLanguage}/`) : `${address}?lang=${otherLanguage}`
  const { inEnglish } = WORDS[language]
  const note = !own && inEnglish !== '' && html`<p class="hint">${inEnglish}</p>`
  const body = html`${note}
    <div lang="${own ?? 'en'}">${found.body}</div>`
  return send(library, request, reply, { language, address, other, title: found.title, body, sections: found.sections })
}

function sendSearch(
  library: Library,
  request: FastifyRequest<{ Querystring: { q?: unknown; lang?: unknown } }>,
  reply: FastifyReply,
): FastifyReply {
  const { q } = request.query
  const text = typeof q === 'string' ? q.slice(0, MAX_QUERY) : ''
  const language = asked(request)
  const words = WORDS[language]
  const found = searchPages(library.pagesOf(language), text)
  const body = html`<h1>${words.search}</h1>
    <p>${found.length > 0 ? words.results(text, found.length) : words.nothing}</p>
    <ul class="found">
      ${found.map(
        ({ address, page, title, snippet }) =>
          html`<li>
            <a href="${address}">${title}</a> <span class="hint">${page}</span>
            <p>${snippet}</p>
          </li>`,
      )}
    </ul>`
  const query = `q=${encodeURIComponent(text)}`
  const other = `/docs/search?lang=${language === 'en' ? 'tr' : 'en'}&${query}`
  return send(library, request, reply, {
    language,
    address: '',
    other,
    title: words.search,
    body,
    sections: null,
    text,
  })
}

function sendUnknown(library: Library, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = asked(request)
  const { unknown } = WORDS[language]
  const other = `/docs/${language === 'en' ? 'tr' : 'en'}/quickstart`
  void reply.code(404)
  return send(library, request, reply, { language, address: '', other, title: unknown, body: html`<h1>${unknown}</h1>`, sections: null }) // prettier-ignore
}

function send(library: Library, request: FastifyRequest, reply: FastifyReply, page: DocPage): FastifyReply {
  const text = docPage(docLinks(), library.menuOf(page.language), page)
  return reply.type('text/html; charset=utf-8').send(packed(request, reply, text))
}

/** The language of `?lang=`, or of the browser. */
function asked(request: FastifyRequest): Language {
  const { lang } = request.query as { lang?: unknown }
  return lang === 'en' || lang === 'tr' ? lang : preferred(request)
}

const preferred = ({ headers }: FastifyRequest): Language =>
  /^tr\b/i.test(headers['accept-language'] ?? '') ? 'tr' : 'en'
