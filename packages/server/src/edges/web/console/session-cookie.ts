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

/** The session has ended: the page that the person was at is kept for after the login. `formPage`: that of a form. */
export function keepPlace(app: Deps, request: FastifyRequest, reply: FastifyReply, formPage?: string): void {
  const place = formPage ?? request.url.slice(app.site.audience.length + 1).replace(/[?&]said=\w*/, '')
  const kept = PLACE.test(place) ? place : '/'
  void reply.header('set-cookie', `${nameOf(app, '-place')}=${kept}; ${scopeOf(app)}; Max-Age=${PLACE_SECONDS}`)
}

/** Null if no session has ended just now; '' is the first page. */
export function keptPlace(app: Deps, request: FastifyRequest): string | null {
  const place = cookie(request, nameOf(app, '-place'))
  return place === null || place === '' ? null : PLACE.test(place) ? place : ''
}

export function dropPlace(app: Deps, reply: FastifyReply): void {
  void reply.header('set-cookie', `${nameOf(app, '-place')}=; ${scopeOf(app)}; Max-Age=0`)
}
