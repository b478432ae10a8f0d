import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { LoggedIn, Visitor } from '../../../domain/identity/index.ts'
import {
  acceptInvitation,
  confirmTotp,
  csrfFits,
  findInvitation,
  findSession,
  findUnfinishedSession,
  logIn,
  logOut,
  passSecondFactor,
  setUpTotp,
  stepUp,
} from '../../../domain/identity/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isFromOurPage } from '../browser-request.ts'
import type { Html } from '../html.ts'
import { languageOf, sendEntry, sendSimple } from './send-entry.ts'
import { codeForm, invitationForm, loginForm, proveForm, recoveryCodes, setUpForm } from './login-forms.ts'
import { refusalText } from './refusals/translate.ts'
import { deviceOf, dropSession, keepSession, sessionToken } from './session-cookie.ts'
import type { SiteDeps } from './site.ts'
import { addressOf, rootPath } from './site.ts'

type Entry = Parameters<typeof loginForm>[0]
type Step = (entry: Entry) => Promise<Html>

function visitorOf(app: SiteDeps, request: FastifyRequest): Visitor {
  const userAgent = request.headers['user-agent'] ?? null
  return { address: addressOf(app, request), userAgent, device: deviceOf(app, request) }
}

const fieldsOf = ({ body }: FastifyRequest) => (body instanceof URLSearchParams ? body : new URLSearchParams())

/** Logging in and out, the second factor, invitations, and proving again who is there. */
export function mountLogin(scope: FastifyInstance, app: SiteDeps): void {
  scope.get('/login', (request, reply) => sendStep(app, request, reply, null))
  post(scope, app, '/login', async (request, reply) => {
    const fields = fieldsOf(request)
    const given = { name: fields.get('name') ?? '', password: fields.get('password') ?? '' }
    const result = await logIn(app, { audience: app.site.audience, ...given }, visitorOf(app, request))
    return enter(app, reply, result)
  })
  post(scope, app, '/login/code', async (request, reply) => {
    const { token } = await mustBeUnfinished(app, request)
    const code = fieldsOf(request).get('code') ?? ''
    return enter(
      app,
      reply,
      await passSecondFactor(app, { audience: app.site.audience, token, code }, visitorOf(app, request)),
    )
  })
  post(scope, app, '/login/set-up', async (request, reply) => {
    const { session } = await mustBeUnfinished(app, request)
    const { recoveryCodes: codes, ...result } = await confirmTotp(
      app,
      session,
      fieldsOf(request).get('code') ?? '',
      visitorOf(app, request),
    )
    keepSession(app, reply, result)
    return show(app, request, reply, null, async (entry) => recoveryCodes(entry, codes))
  })
  mountSessions(scope, app)
  mountInvitations(scope, app)
}

function mountSessions(scope: FastifyInstance, app: SiteDeps): void {
  post(scope, app, '/logout', async (request, reply) => {
    const session = await sessionWithForm(app, request)
    if (session) await logOut(app, session)
    dropSession(app, reply)
    return reply.redirect(`${rootPath(app)}/login`, 303)
  })
  scope.get('/prove', async (request, reply) => {
    const token = sessionToken(app, request)
    const session = token === null ? null : await findSession(app, app.site.audience, token)
    if (!session) return reply.redirect(`${rootPath(app)}/login`, 303)
    const { back } = request.query as { back?: unknown }
    return show(app, request, reply, null, async (entry) => proveForm(entry, session.csrf, sectionFrom(back)))
  })
  scope.post('/prove', async (request, reply) => {
    const session = await sessionWithForm(app, request)
    if (!session) return sendSimple(app, request, reply, 403)
    const fields = fieldsOf(request)
    const back = sectionFrom(fields.get('back'))
    return stepUp(app, session, { password: fields.get('password') ?? '' }).then(
      () => reply.redirect(rootPath(app) + back, 303),
      (error: unknown) =>
        show(app, request, reply, refusalOf(error), async (entry) => proveForm(entry, session.csrf, back)),
    )
  })
}

/** Only a section of this console: no address of anyone else. */
function sectionFrom(back: unknown): string {
  return typeof back === 'string' && /^(\/[a-z\d-]{1,40}){1,4}$/.test(back) ? back : ''
}

function mountInvitations(scope: FastifyInstance, app: SiteDeps): void {
  const shown = async (request: FastifyRequest, reply: FastifyReply, token: string, refused: Refusal | null) => {
    const invitation = await findInvitation(app, token)
    if (invitation?.audience !== app.site.audience) return sendSimple(app, request, reply, 404)
    return show(app, request, reply, refused, async (entry) => invitationForm(entry, invitation.name, token))
  }
  scope.get('/invitation', (request, reply) => {
    const { token } = request.query as { token?: unknown }
    return shown(request, reply, typeof token === 'string' ? token : '', null)
  })
  scope.post('/invitation', async (request, reply) => {
    if (!isFromOurPage(request, app.publicUrl())) return sendSimple(app, request, reply, 403)
    const fields = fieldsOf(request)
    const [token, password] = [fields.get('token') ?? '', fields.get('password') ?? '']
    return acceptInvitation(app, { token, password }).then(
      () => reply.redirect(`${rootPath(app)}/login`, 303),
      (error: unknown) => shown(request, reply, token, refusalOf(error)),
    )
  })
}

/** A step of the login. What is refused is shown with the form of the step that the person is at. */
function post(
  scope: FastifyInstance,
  app: SiteDeps,
  path: string,
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  scope.post(path, async (request, reply) => {
    if (!isFromOurPage(request, app.publicUrl())) return sendSimple(app, request, reply, 403)
    try {
      return await handle(request, reply)
    } catch (error) {
      return sendStep(app, request, reply, refusalOf(error))
    }
  })
}

/** The visitor is told refusals, and nothing else. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal && error.code !== 'SERVICE_UNAVAILABLE') return error
  throw error
}

function enter(app: SiteDeps, reply: FastifyReply, result: LoggedIn): FastifyReply {
  keepSession(app, reply, result)
  return reply.redirect(rootPath(app) + (result.needs === null ? '' : '/login'), 303)
}

async function unfinished(app: SiteDeps, request: FastifyRequest) {
  const token = sessionToken(app, request)
  const session = token === null ? null : await findUnfinishedSession(app, app.site.audience, token)
  return token === null || !session ? null : { token, session }
}

async function mustBeUnfinished(app: SiteDeps, request: FastifyRequest) {
  const found = await unfinished(app, request)
  if (found && csrfFits(found.session, fieldsOf(request).get('csrf') ?? '')) return found
  throw new Refusal('NOT_FOUND', 'This login took too long or was ended. Log in again.')
}

async function sessionWithForm(app: SiteDeps, request: FastifyRequest) {
  const token = sessionToken(app, request)
  const session = token === null ? null : await findSession(app, app.site.audience, token)
  const isOurs = isFromOurPage(request, app.publicUrl())
  return session && isOurs && csrfFits(session, fieldsOf(request).get('csrf') ?? '') ? session : null
}

/** The form of the step that the visitor is at: password, second factor, or setting one up. */
async function sendStep(app: SiteDeps, request: FastifyRequest, reply: FastifyReply, refused: Refusal | null) {
  const found = await unfinished(app, request)
  return show(app, request, reply, refused, async (entry) => {
    if (!found) return loginForm(entry)
    const { session } = found
    if (session.needs === 'second_factor') return codeForm(entry, session.csrf)
    return setUpForm(entry, session.csrf, await setUpTotp(app, session))
  })
}

async function show(
  app: SiteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  refused: Refusal | null,
  step: Step,
): Promise<FastifyReply> {
  const language = languageOf(request, reply)
  const words = app.site.words[language]
  const main = await step({ words, root: rootPath(app), refused: refused && refusalText(language, refused) })
  const isTooMany = refused?.code === 'RATE_LIMITED'
  if (isTooMany) void reply.header('retry-after', String(refused.retryAfterSeconds ?? 1))
  return sendEntry(app, language, reply, isTooMany ? 429 : refused ? 409 : 200, words.logInTitle, main)
}
