import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookie } from '../browser-request.ts'
import type { SiteDeps } from './site.ts'

type Deps = Pick<SiteDeps, 'publicUrl' | 'site'>

const isSecure = ({ publicUrl }: Pick<Deps, 'publicUrl'>) => publicUrl().startsWith('https:')
/** `__Host-`: no other host of the domain can set or replace it. */
const nameOf = (app: Deps, what: string) => `${isSecure(app) ? '__Host-' : ''}vezne-${app.site.audience}${what}`
const scopeOf = (app: Deps) => `Path=/; HttpOnly; SameSite=Lax${isSecure(app) ? '; Secure' : ''}`

export function sessionToken(app: Deps, request: FastifyRequest): string | null {
  return cookie(request, nameOf(app, ''))
}

/** Marks a browser that has logged in before, so that failures of others do not hold it up. */
export function deviceOf(app: Deps, request: FastifyRequest): string | null {
  return cookie(request, nameOf(app, '-device'))
}

const YEAR_SECONDS = 31_536_000

/** The session ends with the browser, or on the server before that. */
export function keepSession(
  app: Deps,
  reply: FastifyReply,
  { token, device }: { token: string; device: string | null },
): void {
  void reply.header('set-cookie', `${nameOf(app, '')}=${token}; ${scopeOf(app)}`)
  if (device !== null)
    void reply.header('set-cookie', `${nameOf(app, '-device')}=${device}; ${scopeOf(app)}; Max-Age=${YEAR_SECONDS}`)
}

export function dropSession(app: Deps, reply: FastifyReply): void {
  void reply.header('set-cookie', `${nameOf(app, '')}=; ${scopeOf(app)}; Max-Age=0`)
}

/** Pages below the path of this console only: whatever is kept, the way back leads to no other host. */
const PLACE = /^(?:\/[a-z\d][\w.-]{0,59}){1,6}(?:\?[\w.=&%+-]{0,300})?$/
const PLACE_SECONDS = 900
const FORM = 'form:'

/** The session has ended: the page that the person was at is kept for after the login. `formPage`: that of a form. */
export function keepPlace(app: Deps, request: FastifyRequest, reply: FastifyReply, formPage?: string): void {
  const place = formPage ?? request.url.slice(app.site.audience.length + 1).replace(/[?&]said=\w*/, '')
  const kept = PLACE.test(place) ? place : '/'
  const value = (formPage === undefined ? '' : FORM) + kept
  void reply.header('set-cookie', `${nameOf(app, '-place')}=${value}; ${scopeOf(app)}; Max-Age=${PLACE_SECONDS}`)
}

/** Null if no session has ended just now; the page '' is the first one. `lostForm`: a form was sent, and not processed. */
export function keptPlace(app: Deps, request: FastifyRequest): { page: string; lostForm: boolean } | null {
  const value = cookie(request, nameOf(app, '-place'))
  if (value === null || value === '') return null
  const lostForm = value.startsWith(FORM)
  const page = lostForm ? value.slice(FORM.length) : value
  return { page: PLACE.test(page) ? page : '', lostForm }
}

export function dropPlace(app: Deps, reply: FastifyReply): void {
  void reply.header('set-cookie', `${nameOf(app, '-place')}=; ${scopeOf(app)}; Max-Age=0`)
}

/** Who has just chosen a password: kept for the login, and not in its address, because it may be an e-mail address. */
export function keepName(app: Deps, reply: FastifyReply, name: string): void {
  const value = encodeURIComponent(name)
  void reply.header('set-cookie', `${nameOf(app, '-name')}=${value}; ${scopeOf(app)}; Max-Age=${PLACE_SECONDS}`)
}

/** Null if no one has. */
export function keptName(app: Deps, request: FastifyRequest): string | null {
  const value = cookie(request, nameOf(app, '-name'))
  return value !== null && /^(?:[\w.!~*'()-]|%[\dA-F]{2}){1,300}$/.test(value) ? decoded(value) : null
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}

export function dropName(app: Deps, reply: FastifyReply): void {
  void reply.header('set-cookie', `${nameOf(app, '-name')}=; ${scopeOf(app)}; Max-Age=0`)
}
