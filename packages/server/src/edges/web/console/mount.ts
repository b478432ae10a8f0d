import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Action } from '../../../domain/people/index.ts'
import { takesProof } from '../../../domain/people/index.ts'
import type { Session } from '../../../domain/identity/index.ts'
import { csrfFits, findSession, peekSession } from '../../../domain/identity/index.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { isDay } from '../../../kernel/istanbul.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isFromOurPage } from '../browser-request.ts'
import { requestLimiter } from '../limit-requests.ts'
import { PAGE_HEADERS } from '../page-headers.ts'
import { linksAt, mountFiles } from './files.ts'
import type { LivePages } from './live.ts'
import { isByScript, livePages } from './live.ts'
import { mountLogin } from './login.ts'
import { noRightPage, rolesForAll } from './no-right.ts'
import { proves } from './prove.ts'
import { FileTooLarge, readUpload, TooManyFiles, withoutFile } from './read-upload.ts'
import { plainName } from '../html.ts'
import { refusalText } from '../../../acts/refusals/say.ts'
import type { Asked, Console, Form, Kind, Page, Said, Shown, Uploaded, View, Viewer } from './routes.ts'
import { sendDownload } from './send-download.ts'
import { languageOf, sendSimple, sendTrouble, TEXT } from './send-entry.ts'
import { keepPlace, keepSession, sessionToken } from './session-cookie.ts'
import type { Language } from './site.ts'
import { addressOf, rootPath } from './site.ts'
import type { SharedWords } from './words-tr.ts'

/** Evidence and notes are a few hundred characters. */
const MAX_FORM_BYTES = 16_384
const ID = /^[0-9a-f]{24}$/
/** What a parameter of a path may be, by its name. */
const PARAMETERS: Record<string, { test: (text: string) => boolean }> = {
  id: ID,
  event: ID,
  endpoint: ID,
  day: { test: isDay },
  name: /^[a-z][a-z0-9._-]{1,39}$/,
}

/** Mounts the pages. Register before the server listens. */
export function mountConsole<K extends Kind>(server: FastifyInstance, app: K['app'], site: Console<K>): void {
  const mounted = { ...app, site }
  void server.register(async (scope) => mount(scope, mounted), { prefix: `/${site.audience}` })
}

type Mounted<K extends Kind> = K['app'] & { site: Console<K>; live: LivePages<K> }

function mount<K extends Kind>(scope: FastifyInstance, given: K['app'] & { site: Console<K> }): void {
  const secondsToWait = requestLimiter(given)
  const app: Mounted<K> = { ...given, live: livePages<K>(scope, given) }
  scope.addHook('onRequest', (request, reply, done) => {
    void reply.headers(PAGE_HEADERS)
    const wait = secondsToWait(request)
    if (wait === 0) return done()
    void sendSimple(app, request, reply.header('retry-after', String(wait)), 429)
  })
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  // Given on as it arrives: only a form with `upload` reads it, after its token.
  scope.addContentTypeParser('multipart/form-data', (_request, body, done) => done(null, body))
  scope.setNotFoundHandler((request, reply) => sendSimple(app, request, reply, 404))
  scope.setErrorHandler((error, request, reply) => sendTrouble(app, error, request, reply))
  mountFiles(scope)
  mountLogin(scope, app)
  for (const { views, forms } of app.site.sections) {
    for (const view of views) mountView(scope, app, view)
    for (const form of forms) mountForm(scope, app, form)
  }
}

type Incoming = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>

function mountView<K extends Kind>(scope: FastifyInstance, app: Mounted<K>, view: View<K>): void {
  scope.get(view.path, async (request: Incoming, reply) => {
    const asked = await open(app, request, reply)
    if (!asked) return reply
    if (view.action && !asked.viewer.may(view.action)) return sendNoRight(app, asked, reply, view.action)
    const shown = await show(app, view, asked)
    return shown ? sendShown(app, asked, reply, shown, saidBy(app, asked)) : sendSimple(app, request, reply, 404)
  })
}

/** Null if there is nothing with this id. */
async function show<K extends Kind>(app: Mounted<K>, view: View<K>, asked: Asked<K>): Promise<Shown | null> {
  try {
    const facts = await app.live.factsOf(view, asked)
    const shown = await view.show(app, asked, facts)
    return view.live && 'page' in shown ? { ...shown, page: livePage(app, view, asked, shown.page, facts) } : shown
  } catch (error) {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return null
    throw error
  }
}

function livePage<K extends Kind>({ live }: Mounted<K>, view: View<K>, asked: Asked<K>, page: Page, facts: unknown) {
  const { root } = asked.viewer
  const at = root + (page.at ?? filled(view.path, asked))
  return { ...page, live: { stream: `${root}/live/${view.live?.name}`, at, version: live.versionOf(facts) } }
}

/** Post/redirect/get. A refusal is shown on the page that the form was on, because its text is not for an address. */
function mountForm<K extends Kind>(scope: FastifyInstance, app: Mounted<K>, form: Form<K>): void {
  const { path, action, back, decide } = form
  scope.post(path, { bodyLimit: MAX_FORM_BYTES }, async (request: Incoming, reply) => {
    const opened = await open(app, request, reply, form)
    if (!opened) return reply
    const { viewer } = opened
    if (action && !viewer.may(action)) return sendNoRight(app, opened, reply, action, filled(back, opened))
    const asked = await proven(app, opened, form, { request, reply })
    if (!asked) return reply
    try {
      const outcome = await decide(app, asked)
      if (outcome === null) return await sendSimple(app, request, reply, 404)
      if (typeof outcome !== 'string') return await sendShown(app, asked, reply, outcome, null)
      return await reply.redirect(`${viewer.root}${filled(back, asked)}?said=${outcome}`, 303)
    } catch (error) {
      const why = refusalOf(error, viewer)
      if (why === null) throw error
      return await refuse(app, asked, { request, reply, back, why })
    }
  })
}

/** Null after asking for a proof, with a form that has what was typed; a file or a secret is given again. */
async function proven<K extends Kind>(
  app: Mounted<K>,
  asked: Asked<K>,
  { path, back, upload, isSecret = false, action, needsProof = !action || takesProof(action) }: Form<K>,
  { request, reply }: { request: Incoming; reply: FastifyReply },
): Promise<Asked<K> | null> {
  const { viewer, session, fields } = asked
  if (!needsProof || asked.steppedUp) return asked
  if (upload || isSecret) {
    void reply.redirect(`${viewer.root}/prove?back=${filled(back, asked)}`, 303)
    return null
  }
  const query = /\?.*$/s.exec(request.url)?.[0] ?? ''
  const isProven = await proves(app, session, { request, reply }, filled(path, asked) + query, fields)
  if (!isProven) return null
  const actor = { ...asked.actor, proved: true } as Actor
  return { ...asked, actor, steppedUp: true, session: { ...session, actor, steppedUp: true } }
}

/** What a person can mend, in words; null for any other error. */
function refusalOf(
  error: unknown,
  { language, words }: Pick<Viewer<SharedWords>, 'language' | 'words'>,
): string | null {
  if (error instanceof FileTooLarge) return words.fileTooLarge(error.megabytes)
  if (error instanceof TooManyFiles) return words.tooManyFiles(error.most)
  const isMendable = error instanceof Refusal && error.code !== 'SERVICE_UNAVAILABLE'
  return isMendable ? words.refused(plainName(refusalText(language, error))) : null
}

function sendNoRight<K extends Kind>(
  app: Mounted<K>,
  asked: Asked<K>,
  reply: FastifyReply,
  action: Action,
  back?: string,
) {
  const { viewer } = asked
  const text = viewer.words.mayNot(rolesForAll(app.site.rolesFor, viewer.words, [action]))
  const page = noRightPage(viewer, back)
  return sendPage(app, asked, reply, { page, status: 403 }, { text, bad: true })
}

/** `back` with the parameters of the form. */
const filled = (back: string, { params }: { params: Record<string, string> }) =>
  back.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')

type Refused = { request: Incoming; reply: FastifyReply; back: string; why: string }

async function refuse<K extends Kind>(app: Mounted<K>, asked: Asked<K>, { request, reply, back, why }: Refused) {
  const view = app.site.sections.flatMap(({ views }) => views).find(({ path }) => path === back)
  const shown = view && (await show(app, view, asked))
  if (shown === null) return sendSimple(app, request, reply, 404)
  if (!shown || !('page' in shown)) throw new Error(`The form returns to ${back}, which shows no page.`)
  return sendPage(app, asked, reply, { ...shown, status: 409 }, { text: why, bad: true })
}

/** Who asks, or null after sending them to the login. A form must come from a page of this session. */
async function open<K extends Kind>(
  app: Mounted<K>,
  request: Incoming,
  reply: FastifyReply,
  form?: Form<K>,
): Promise<Asked<K> | null> {
  const { params } = request
  const token = sessionToken(app, request)
  const byScript = isByScript(request)
  const find = byScript ? peekSession : findSession
  const session = token === null ? null : await find(app, app.site.audience, token)
  if (!session) {
    if (token !== null && !byScript) keepPlace(app, request, reply, form && filled(form.back, { params }))
    void reply.redirect(`${rootPath(app)}/login`, 303)
    return null
  }
  const { fields: sent, file, others } = await readBody(request, reply, form?.upload)
  const fields = new URLSearchParams([...sent].map(([name, value]): [string, string] => [name, withoutNul(value)]))
  const isForm = request.method === 'POST'
  const isForged = isForm && !(isFromOurPage(request, app.publicUrl()) && csrfFits(session, fields.get('csrf') ?? ''))
  if (isForged || !Object.entries(params).every(([name, value]) => PARAMETERS[name]?.test(value))) {
    void sendSimple(app, request, reply, isForged ? 403 : 404)
    return null
  }
  const query = storable(request.query)
  const viewer = { ...viewerOf(app, session, languageOf(request, reply)), query }
  const { merchantId, steppedUp, id: sessionId } = session
  const address = addressOf(app, request)?.toString()
  const actor = {
    ...session.actor,
    origin: { edge: 'console' as const, session: sessionId, ...(address !== undefined && { address }) },
  }
  return {
    viewer,
    actor,
    merchantId,
    steppedUp,
    session: { ...session, actor },
    byScript,
    id: params['id'] ?? '',
    params,
    query,
    fields,
    file,
    otherFiles: others,
  }
}

/** Of a form with a file the fields before it. What no one has read is dropped after the answer, as of other requests. */
function readBody({ body, raw, headers }: Incoming, reply: FastifyReply, upload: Uploaded | undefined) {
  if (!upload || !(body instanceof Readable)) return withoutFile(body)
  reply.raw.once('finish', () => raw.unpipe().resume())
  return readUpload(body, headers, upload.maxBytes, upload.maxFiles)
}

function viewerOf<K extends Kind>(
  app: Mounted<K>,
  { name, roles, csrf }: Session,
  language: Language,
): Omit<Viewer<K['words']>, 'query'> {
  const { site, sandbox } = app
  const words = site.words[language]
  return {
    name,
    may: (action) => site.rolesFor(action).some((role) => roles.includes(role)),
    needs: (...actions) => words.needsRole(rolesForAll(site.rolesFor, words, actions)),
    csrf,
    language,
    words,
    root: rootPath(app),
    now: app.clock.now(),
    sandbox,
  }
}

/** The address names the outcome; the text is ours. */
function saidBy<K extends Kind>({ site }: Mounted<K>, { viewer, query }: Asked<K>): Said {
  const given = query['said']
  const texts = site.sections.map(({ said }) => new Map(Object.entries(said[viewer.language])).get(String(given)))
  const text = texts.find((one) => one !== undefined)
  return text === undefined ? null : { text, bad: false }
}

async function sendShown<K extends Kind>(
  app: Mounted<K>,
  asked: Asked<K>,
  reply: FastifyReply,
  shown: Shown,
  said: Said,
): Promise<FastifyReply> {
  if ('answer' in shown) return reply.send(shown.answer)
  const loggedIn = 'loggedIn' in shown ? shown.loggedIn : undefined
  if (loggedIn) keepSession(app, reply, loggedIn)
  if ('redirect' in shown) return reply.redirect(asked.viewer.root + shown.redirect, 303)
  if ('page' in shown) {
    // The forms around the page take the new token.
    const session = loggedIn ? await findSession(app, app.site.audience, loggedIn.token) : null
    const viewer = { ...asked.viewer, csrf: (session ?? asked.session).csrf }
    return sendPage(app, { ...asked, viewer }, reply, shown, said)
  }
  return sendDownload(reply, shown.download)
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

const withoutNul = (text: string) => text.replaceAll('\0', '')

/** A database stores no NUL, and what is asked for is compared with what it stores. */
function storable(query: Record<string, unknown>): Record<string, unknown> {
  const clean = (value: unknown) => (typeof value === 'string' ? withoutNul(value) : value)
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, clean(value)]))
}
