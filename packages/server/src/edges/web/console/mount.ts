import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../../domain/identity/index.ts'
import { csrfFits, findSession } from '../../../domain/identity/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isFromOurPage } from '../browser-request.ts'
import { PAGE_HEADERS } from '../page-headers.ts'
import { linksAt, mountFiles } from './files.ts'
import { mountLogin } from './login.ts'
import type { Asked, Console, Form, Kind, Page, Said, Shown, View, Viewer } from './routes.ts'
import { languageOf, sendSimple, sendTrouble, TEXT } from './send-entry.ts'
import { sessionToken } from './session-cookie.ts'
import type { Language } from './site.ts'
import { addressOf, rootPath } from './site.ts'

/** Evidence and notes are a few hundred characters. */
const MAX_FORM_BYTES = 16_384
const ID = /^[0-9a-f]{24}$/

/** Mounts the pages. Register before the server listens. */
export function mountConsole<K extends Kind>(server: FastifyInstance, app: K['app'], site: Console<K>): void {
  const mounted = { ...app, site }
  void server.register(async (scope) => mount(scope, mounted), { prefix: `/${site.audience}` })
}

type Mounted<K extends Kind> = K['app'] & { site: Console<K> }

function mount<K extends Kind>(scope: FastifyInstance, app: Mounted<K>): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(PAGE_HEADERS)
    done()
  })
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  scope.setNotFoundHandler((request, reply) => sendSimple(app, request, reply, 404))
  scope.setErrorHandler((error, request, reply) => sendTrouble(app, error, request, reply))
  mountFiles(scope)
  mountLogin(scope, app)
  for (const view of app.site.views) mountView(scope, app, view)
  for (const form of app.site.forms) mountForm(scope, app, form)
}

type Incoming = FastifyRequest<{ Params: { id?: string }; Querystring: Record<string, unknown> }>

function mountView<K extends Kind>(scope: FastifyInstance, app: Mounted<K>, { path, show }: View<K>): void {
  scope.get(path, async (request: Incoming, reply) => {
    const asked = await open(app, request, reply)
    if (!asked) return reply
    const shown = await show(app, asked)
    if ('redirect' in shown) return reply.redirect(asked.viewer.root + shown.redirect, 303)
    return sendPage(app, asked, reply, shown, saidBy(app, asked))
  })
}

/** Post/redirect/get. A refusal is shown on the page that the form was on, because its text is not for an address. */
function mountForm<K extends Kind>(
  scope: FastifyInstance,
  app: Mounted<K>,
  { path, action, back, decide }: Form<K>,
): void {
  scope.post(path, { bodyLimit: MAX_FORM_BYTES }, async (request: Incoming, reply) => {
    const asked = await open(app, request, reply)
    if (!asked) return reply
    const { viewer } = asked
    if (!viewer.may(action)) {
      const roles = app.site.rolesFor(action).join(', ')
      return refuse(app, asked, reply, back, { status: 403, text: viewer.words.mayNot(roles) })
    }
    if (!asked.steppedUp) return reply.redirect(`${viewer.root}/prove?back=${back}`, 303)
    try {
      const outcome = await decide(app, asked)
      if (outcome === null) return await sendSimple(app, request, reply, 404)
      return await reply.redirect(`${viewer.root}${back}?said=${outcome}`, 303)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'SERVICE_UNAVAILABLE') throw error
      return refuse(app, asked, reply, back, { status: 409, text: viewer.words.refused(error.message) })
    }
  })
}

async function refuse<K extends Kind>(
  app: Mounted<K>,
  asked: Asked<K>,
  reply: FastifyReply,
  back: string,
  why: { status: number; text: string },
) {
  const view = app.site.views.find(({ path }) => path === back)
  const shown = view && (await view.show(app, asked))
  if (!shown || 'redirect' in shown) throw new Error(`The form returns to ${back}, which shows no page.`)
  return sendPage(app, asked, reply, { ...shown, status: why.status }, { text: why.text, bad: true })
}

/** Who asks, or null after sending them to the login. A form must come from a page of this session. */
async function open<K extends Kind>(app: Mounted<K>, request: Incoming, reply: FastifyReply): Promise<Asked<K> | null> {
  const { id = '' } = request.params
  const token = sessionToken(app, request)
  const session = token === null ? null : await findSession(app, app.site.audience, token)
  if (!session) {
    void reply.redirect(`${rootPath(app)}/login`, 303)
    return null
  }
  const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const isForm = request.method === 'POST'
  const isForged = isForm && !(isFromOurPage(request, app.publicUrl()) && csrfFits(session, fields.get('csrf') ?? ''))
  if (isForged || (request.params.id !== undefined && !ID.test(id))) {
    void sendSimple(app, request, reply, isForged ? 403 : 404)
    return null
  }
  const viewer = viewerOf(app, session, languageOf(request, reply))
  const { merchantId, steppedUp, id: sessionId } = session
  const address = addressOf(app, request)?.toString()
  const actor = {
    ...session.actor,
    origin: { edge: 'console' as const, session: sessionId, ...(address !== undefined && { address }) },
  }
  return { viewer, actor, merchantId, steppedUp, id, query: request.query, fields }
}

function viewerOf<K extends Kind>(
  app: Mounted<K>,
  { name, roles, csrf }: Session,
  language: Language,
): Viewer<K['words']> {
  const { site, sandbox } = app
  return {
    name,
    may: (action) => site.rolesFor(action).some((role) => roles.includes(role)),
    csrf,
    language,
    words: site.words[language],
    root: rootPath(app),
    now: app.clock.now(),
    sandbox,
  }
}

/** The address names the outcome; the text is ours. */
function saidBy<K extends Kind>({ site }: Mounted<K>, { viewer, query }: Asked<K>): Said {
  const text = site.outcomeText(viewer.words, query['said'])
  return text === undefined ? null : { text, bad: false }
}

function sendPage<K extends Kind>(
  { site }: Mounted<K>,
  { viewer }: Asked<K>,
  reply: FastifyReply,
  { page, status = 200 }: Extract<Shown, { page: Page }>,
  said: Said,
) {
  return reply
    .code(status)
    .type(TEXT)
    .send(site.framed(viewer, linksAt(viewer.root), page, said))
}
