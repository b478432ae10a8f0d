import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { LoggedIn, Visitor } from '../../../domain/identity/index.ts'
import {
  acceptInvitation,
  confirmTotp,
  csrfFits,
  findInvitation,
  findSession,
  findUnfinishedSession,
  listFactors,
  logIn,
  logInWithPasskey,
  logOut,
  passkeyLogin,
  passkeyRegistration,
  passSecondFactor,
  passSecondFactorWithPasskey,
  registerPasskey,
  setUpTotp,
  takesPasskeys,
} from '../../../domain/identity/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isFromOurPage } from '../browser-request.ts'
import { refusalOf, sendStep } from './entry-steps.ts'
import {
  codeForm,
  goneInvitation,
  invitationForm,
  loginForm,
  passkeyLoginForm,
  recoveryCodes,
  setUpForm,
} from './login-forms.ts'
import { readPasskey } from './passkey-form.ts'
import { offeredPasskeys, proves } from './prove.ts'
import { languageOf, sendEntry, sendSimple } from './send-entry.ts'
import {
  deviceOf,
  dropName,
  dropPlace,
  dropSession,
  keepName,
  keepSession,
  keptName,
  keptPlace,
  sessionToken,
} from './session-cookie.ts'
import type { SiteDeps } from './site.ts'
import { addressOf, rootPath } from './site.ts'

function visitorOf(app: SiteDeps, request: FastifyRequest): Visitor {
  const userAgent = request.headers['user-agent'] ?? null
  return { address: addressOf(app, request), userAgent, device: deviceOf(app, request) }
}

const fieldsOf = ({ body }: FastifyRequest) => (body instanceof URLSearchParams ? body : new URLSearchParams())

/** Logging in and out, the second factor, invitations, and proving again who is there. */
export function mountLogin(scope: FastifyInstance, app: SiteDeps): void {
  scope.get('/login', (request, reply) => sendNext(app, request, reply, null))
  post(scope, app, '/login', async (request, reply) => {
    const fields = fieldsOf(request)
    const given = { name: fields.get('name') ?? '', password: fields.get('password') ?? '' }
    const result = await logIn(app, { audience: app.site.audience, ...given }, visitorOf(app, request))
    return enter(app, { request, reply }, result)
  })
  mountPasskeyLogin(scope, app)
  mountSecondFactor(scope, app)
  mountSessions(scope, app)
  mountInvitations(scope, app)
}

/** A page of its own: its challenge is of no use to who types a password. */
function mountPasskeyLogin(scope: FastifyInstance, app: SiteDeps): void {
  const path = '/login/by-passkey'
  scope.get(path, async (request, reply) => {
    if (!takesPasskeys(app)) return reply.redirect(`${rootPath(app)}/login`, 303)
    const options = await passkeyLogin(app)
    return sendStep(app, request, reply, null, async (entry) => passkeyLoginForm(entry, options))
  })
  post(scope, app, path, async (request, reply) => {
    const given = { audience: app.site.audience, response: readPasskey(fieldsOf(request).get('passkey')) }
    return enter(app, { request, reply }, await logInWithPasskey(app, given, visitorOf(app, request)))
  })
}

function mountSecondFactor(scope: FastifyInstance, app: SiteDeps): void {
  const { audience } = app.site
  post(scope, app, '/login/code', async (request, reply) => {
    const { token } = await mustBeUnfinished(app, request)
    const code = fieldsOf(request).get('code') ?? ''
    return enter(
      app,
      { request, reply },
      await passSecondFactor(app, { audience, token, code }, visitorOf(app, request)),
    )
  })
  post(scope, app, '/login/passkey', async (request, reply) => {
    const { token } = await mustBeUnfinished(app, request)
    const response = readPasskey(fieldsOf(request).get('passkey'))
    const given = { audience, token, response }
    return enter(app, { request, reply }, await passSecondFactorWithPasskey(app, given, visitorOf(app, request)))
  })
  post(scope, app, '/login/set-up', async (request, reply) => {
    const { session } = await mustBeUnfinished(app, request)
    const code = fieldsOf(request).get('code') ?? ''
    return sendCodes(app, request, reply, await confirmTotp(app, session, code, visitorOf(app, request)))
  })
  post(scope, app, '/login/set-up/passkey', async (request, reply) => {
    const { session } = await mustBeUnfinished(app, request)
    const fields = fieldsOf(request)
    const response = readPasskey(fields.get('passkey'))
    const given = { response, label: fields.get('label') ?? '' }
    return sendCodes(app, request, reply, await registerPasskey(app, session, given, visitorOf(app, request)))
  })
}

function sendCodes(
  app: SiteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { recoveryCodes: codes, ...result }: LoggedIn & { recoveryCodes: string[] },
) {
  keepSession(app, reply, result)
  return sendStep(app, request, reply, null, async (entry) => recoveryCodes(entry, codes))
}

function mountSessions(scope: FastifyInstance, app: SiteDeps): void {
  post(scope, app, '/logout', async (request, reply) => {
    const session = await sessionWithForm(app, request)
    if (session) await logOut(app, session)
    dropSession(app, reply)
    return reply.redirect(`${rootPath(app)}/login`, 303)
  })
  // For forms whose fields are not carried: those with a file or a secret.
  scope.get('/prove', async (request, reply) => {
    const session = await sessionOf(app, request)
    if (!session) return reply.redirect(`${rootPath(app)}/login`, 303)
    const { back } = request.query as { back?: unknown }
    const fields = new URLSearchParams({ csrf: session.csrf, back: sectionFrom(back) })
    await proves(app, session, { request, reply }, '/prove', fields)
    return reply
  })
  scope.post('/prove', async (request, reply) => {
    const session = await sessionWithForm(app, request)
    if (!session) return sendSimple(app, request, reply, 403)
    const fields = fieldsOf(request)
    const back = sectionFrom(fields.get('back'))
    if (!(await proves(app, session, { request, reply }, '/prove', fields))) return reply
    return reply.redirect(rootPath(app) + back, 303)
  })
}

/** Only a section of this console: no address of anyone else. */
function sectionFrom(back: unknown): string {
  return typeof back === 'string' && /^(\/[a-z\d-]{1,40}){1,4}$/.test(back) ? back : ''
}

function mountInvitations(scope: FastifyInstance, app: SiteDeps): void {
  const shown = async (request: FastifyRequest, reply: FastifyReply, token: string, refused: Refusal | null) => {
    const invitation = await findInvitation(app, token)
    if (invitation?.audience !== app.site.audience) return sendGone(app, request, reply)
    return sendStep(app, request, reply, refused, async (entry) => invitationForm(entry, { ...invitation, token }))
  }
  // In the path, which Vezne never logs, and not in the query, which others keep; a fragment would need a script.
  scope.get<{ Params: { token: string } }>('/invitation/:token', (request, reply) =>
    shown(request, reply, request.params.token, null),
  )
  scope.post('/invitation', async (request, reply) => {
    if (!isFromOurPage(request, app.publicUrl())) return sendSimple(app, request, reply, 403)
    const fields = fieldsOf(request)
    const read = (name: string) => fields.get(name) ?? ''
    const [token, password, code] = [read('token'), read('password'), read('code')]
    return acceptInvitation(app, { token, password, code }, visitorOf(app, request)).then(
      ({ name }) => {
        keepName(app, reply, name)
        return reply.redirect(`${rootPath(app)}/login`, 303)
      },
      (error: unknown) => shown(request, reply, token, refusalOf(error)),
    )
  })
}

/** The same for every token that opens nothing: it does not say whether there ever was one. */
function sendGone(app: SiteDeps, request: FastifyRequest, reply: FastifyReply) {
  const language = languageOf(request, reply)
  const words = app.site.words[language]
  const main = goneInvitation({ words, root: rootPath(app) })
  return sendEntry(app, language, reply, 404, words.invitationGoneTitle, main)
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
      return sendNext(app, request, reply, refusalOf(error))
    }
  })
}

/** After the last step: to the page at which the session before ended. */
function enter(
  app: SiteDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  result: LoggedIn,
): FastifyReply {
  keepSession(app, reply, result)
  if (result.needs !== null) return reply.redirect(`${rootPath(app)}/login`, 303)
  const place = keptPlace(app, request)
  if (place !== null) dropPlace(app, reply)
  if (keptName(app, request) !== null) dropName(app, reply)
  return reply.redirect(rootPath(app) + (place?.page ?? ''), 303)
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

async function sessionOf(app: SiteDeps, request: FastifyRequest) {
  const token = sessionToken(app, request)
  return token === null ? null : findSession(app, app.site.audience, token)
}

async function sessionWithForm(app: SiteDeps, request: FastifyRequest) {
  const session = await sessionOf(app, request)
  const isOurs = isFromOurPage(request, app.publicUrl())
  return session && isOurs && csrfFits(session, fieldsOf(request).get('csrf') ?? '') ? session : null
}

/** The form of the step that the visitor is at: password, second factor, or setting one up. */
async function sendNext(app: SiteDeps, request: FastifyRequest, reply: FastifyReply, refused: Refusal | null) {
  const found = await unfinished(app, request)
  return sendStep(app, request, reply, refused, async (entry) => {
    const before = { place: keptPlace(app, request), chosenBy: keptName(app, request) }
    if (!found) return loginForm(entry, { ...before, takesPasskeys: takesPasskeys(app) })
    const { session } = found
    if (session.needs === 'second_factor') {
      const { totp } = await listFactors(app, session)
      return codeForm(entry, session.csrf, await offeredPasskeys(app, session), totp)
    }
    const passkey = takesPasskeys(app) ? await passkeyRegistration(app, session) : null
    return setUpForm(entry, session.csrf, await setUpTotp(app, session), passkey)
  })
}
