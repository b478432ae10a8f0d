import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CheckoutKeys, Deposit } from '../../domain/deposits/index.ts'
import { findByCheckoutToken, LATE_PAYMENT_DAYS } from '../../domain/deposits/index.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { DAY_MS } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { cookie, cookieNames } from '../web/browser-request.ts'

type Deps = { db: Db; checkoutKeys: CheckoutKeys; clock: Clock; publicUrl: () => string }

/** The deposit that a token gives access to, until its page expires. */
export async function openByToken(app: Deps, token: unknown): Promise<Deposit | null> {
  const deposit = typeof token === 'string' ? await findByCheckoutToken(app, token) : null
  if (!deposit) return null
  const age = app.clock.now().getTime() - deposit.createdAt.getTime()
  return age < LATE_PAYMENT_DAYS * DAY_MS ? deposit : null
}

/** Access by cookie, which must belong to the deposit in the URL. */
export async function openByCookie(app: Deps, request: FastifyRequest, id: string): Promise<Deposit | null> {
  if (!/^[0-9a-f]{24}$/.test(id)) return null
  const token = cookie(request, cookieName(app, id))
  const deposit = token === null ? null : await openByToken(app, token)
  return deposit?.id === id ? deposit : null
}

/** More open payments than a customer has; each adds about 120 bytes of headers to every request. */
const MAX_COOKIES = 20

/** Moves the token into a cookie, so that it does not show in the address bar, history or screenshots. */
export function rememberToken(
  app: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  token: string,
): void {
  const maxAge = (LATE_PAYMENT_DAYS * DAY_MS) / 1000
  const fresh = `${cookieName(app, id)}=${token}; ${scopeOf(app, id)}; HttpOnly; SameSite=Lax; Max-Age=${maxAge}`
  // Ids start with their creation time, so the smallest are the oldest; the payment link opens those again.
  const known = cookieNames(request).flatMap((name) => /^(?:__Host-)?vezne-([0-9a-f]{24})$/.exec(name)?.[1] ?? [])
  const old = known
    .filter((one) => one !== id)
    .toSorted(newestFirst)
    .slice(MAX_COOKIES - 1)
  const gone = old.map((one) => `${cookieName(app, one)}=; ${scopeOf(app, one)}; HttpOnly; SameSite=Lax; Max-Age=0`)
  void reply.header('set-cookie', [fresh, ...gone])
}

function newestFirst(a: string, b: string): number {
  return a < b ? 1 : -1
}

/** `__Host-` requires the path /; in return, no other host of the domain can set or replace the cookie. */
function scopeOf(app: Deps, id: string): string {
  return isSecure(app) ? 'Path=/; Secure' : `Path=${rootPath(app)}/${id}`
}

function cookieName(app: Deps, id: string): string {
  return `${isSecure(app) ? '__Host-' : ''}vezne-${id}`
}

function isSecure({ publicUrl }: Deps): boolean {
  return publicUrl().startsWith('https:')
}

/** The path of the pages, including the prefix of a proxy that serves them under its own path. */
export function rootPath({ publicUrl }: Pick<Deps, 'publicUrl'>): string {
  return `${new URL(publicUrl()).pathname.replace(/\/+$/, '')}/checkout`
}
