import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../domain/identity/index.ts'
import { csrfFits, findSession } from '../../domain/identity/index.ts'
import type { Role } from '../../domain/people/index.ts'
import { mayTake, RIGHTS } from '../../domain/people/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import { isFromOurPage } from '../web/browser-request.ts'
import { PAGE_HEADERS } from '../web/page-headers.ts'
import type { ConsoleDeps } from './deps.ts'
import { addressOf, rootPath } from './deps.ts'
import { linksAt, mountFiles } from './files.ts'
import { mountLogin } from './login.ts'
import type { Language, Said, Viewer } from './page.ts'
import { framed, WORDS } from './page.ts'
import type { Asked, Form, Shown, View } from './routes.ts'
import { FORMS, OUTCOMES, VIEWS } from './routes.ts'
import { languageOf, sendSimple, sendTrouble, TEXT } from './send-entry.ts'
import { sessionToken } from './session-cookie.ts'

/** Evidence and notes are a few hundred characters. */
const MAX_FORM_BYTES = 16_384
const ID = /^[0-9a-f]{24}$/

/** The pages of the operator's staff. Register before the server listens. */
export function mountOperatorConsole(server: FastifyInstance, app: ConsoleDeps): void {
  void server.register(async (scope) => mount(scope, app), { prefix: '/operator' })
}

function mount(scope: FastifyInstance, app: ConsoleDeps): void {
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
  for (const view of VIEWS) mountView(scope, app, view)
  for (const form of FORMS) mountForm(scope, app, form)
}

type Incoming = FastifyRequest<{ Params: { id?: string }; Querystring: Record<string, unknown> }>

function mountView(scope: FastifyInstance, app: ConsoleDeps, { path, show }: View): void {
  scope.get(path, async (request: Incoming, reply) => {
    const asked = await open(app, request, reply)
    if (!asked) return reply
    const shown = await show(app, asked)
    if ('redirect' in shown) return reply.redirect(asked.viewer.root + shown.redirect, 303)
    return sendPage(asked, reply, shown, saidBy(asked))
  })
}

/** Post/redirect/get. A refusal is shown on the page that the form was on, because its text is not for an address. */
function mountForm(scope: FastifyInstance, app: ConsoleDeps, { path, action, back, decide }: Form): void {
  scope.post(path, { bodyLimit: MAX_FORM_BYTES }, async (request: Incoming, reply) => {
    const asked = await open(app, request, reply)
    if (!asked) return reply
    const { viewer } = asked
    if (!mayTake(viewer.roles, action))
      return refuse(app, asked, reply, back, { status: 403, text: viewer.words.mayNot(RIGHTS[action].join(', ')) })
    if (!asked.steppedUp) return reply.redirect(`${viewer.root}/prove?back=${back}`, 303)
    try {
      const outcome = await decide(app, asked)
      return await reply.redirect(`${viewer.root}${back}?said=${outcome}`, 303)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'SERVICE_UNAVAILABLE') throw error
      return refuse(app, asked, reply, back, { status: 409, text: viewer.words.refused(error.message) })
    }
  })
}

async function refuse(
  app: ConsoleDeps,
  asked: Asked,
  reply: FastifyReply,
  back: string,
  why: { status: number; text: string },
) {
  const view = VIEWS.find(({ path }) => path === back)
  const shown = view && (await view.show(app, asked))
  if (!shown || 'redirect' in shown) throw new Error(`The form returns to ${back}, which shows no page.`)
  return sendPage(asked, reply, { ...shown, status: why.status }, { text: why.text, bad: true })
}

/** Who asks, or null after sending them to the login. A form must come from a page of this session. */
async function open(app: ConsoleDeps, request: Incoming, reply: FastifyReply): Promise<Asked | null> {
  const { id = '' } = request.params
  const session = await sessionOf(app, request)
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
  const { steppedUp, id: sessionId } = session
  const address = addressOf(app, request)?.toString()
  const actor = {
    ...session.actor,
    origin: { edge: 'console' as const, session: sessionId, ...(address !== undefined && { address }) },
  }
  return { viewer, actor, steppedUp, id, query: request.query, fields }
}

async function sessionOf(app: ConsoleDeps, request: FastifyRequest): Promise<Session | null> {
  const token = sessionToken(app, request)
  return token === null ? null : findSession(app, 'operator', token)
}

function viewerOf(app: ConsoleDeps, { name, roles, csrf }: Session, language: Language): Viewer {
  const words = WORDS[language]
  const { sandbox } = app
  return {
    name,
    roles: roles as readonly Role[],
    csrf,
    language,
    words,
    root: rootPath(app),
    now: app.clock.now(),
    sandbox,
  }
}

/** The address names the outcome; the text is ours. */
function saidBy({ viewer, query }: Asked): Said {
  const outcome = OUTCOMES.find((one) => one === query['said'])
  return outcome ? { text: viewer.words[outcome], bad: false } : null
}

function sendPage(
  { viewer }: Asked,
  reply: FastifyReply,
  { page, status = 200 }: Extract<Shown, { page: object }>,
  said: Said,
) {
  return reply
    .code(status)
    .type(TEXT)
    .send(framed(viewer, linksAt(viewer.root), page, said))
}
