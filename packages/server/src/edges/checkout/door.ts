import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CheckoutKeys, Deposit } from '../../domain/deposits/index.ts'
import { findByCheckoutToken, STATUS_PAGE_DAYS } from '../../domain/deposits/index.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { cookie, cookieNames } from '../web/browser-request.ts'

type Deps = { db: Db; checkoutKeys: CheckoutKeys; clock: Clock; publicUrl: () => string }

const DAY_MS = 86_400_000

/** The deposit that a token opens, as long as its page exists. */
export async function openByToken(app: Deps, token: unknown): Promise<Deposit | null> {
  const deposit = typeof token === 'string' ? await findByCheckoutToken(app, token) : null
  if (!deposit) return null
  const age = app.clock.now().getTime() - deposit.createdAt.getTime()
  return age < STATUS_PAGE_DAYS * DAY_MS ? deposit : null
}

/** By the cookie, which must be for the deposit that the address names. */
export async function openByCookie(app: Deps, request: FastifyRequest, id: string): Promise<Deposit | null> {
  if (!/^[0-9a-f]{24}$/.test(id)) return null
  const token = cookie(request, cookieName(app, id))
  const deposit = token === null ? null : await openByToken(app, token)
  return deposit?.id === id ? deposit : null
}

/** More open payments than a customer has; each costs a header of about 120 bytes with every request. */
const MOST_COOKIES = 20

/** From now on the browser knows the token, and no address bar, history or screenshot shows it. */
export function rememberToken(
  app: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  token: string,
): void {
  const maxAge = (STATUS_PAGE_DAYS * DAY_MS) / 1000
  const fresh = `${cookieName(app, id)}=${token}; ${scopeOf(app, id)}; HttpOnly; SameSite=Lax; Max-Age=${maxAge}`
  // Ids begin with their second, so the smallest are the oldest payments; their link opens them again.
  const known = cookieNames(request).flatMap((name) => /^(?:__Host-)?vezne-([0-9a-f]{24})$/.exec(name)?.[1] ?? [])
  const old = known
    .filter((one) => one !== id)
    .toSorted(newestFirst)
    .slice(MOST_COOKIES - 1)
  const gone = old.map((one) => `${cookieName(app, one)}=; ${scopeOf(app, one)}; HttpOnly; SameSite=Lax; Max-Age=0`)
  void reply.header('set-cookie', [fresh, ...gone])
}

function newestFirst(a: string, b: string): number {
  return a < b ? 1 : -1
}

/** `__Host-` only holds with the path /: then no neighbour on the domain can plant or replace the cookie. */
function scopeOf(app: Deps, id: string): string {
  return isSecure(app) ? 'Path=/; Secure' : `Path=${rootPath(app)}/${id}`
}

function cookieName(app: Deps, id: string): string {
  return `${isSecure(app) ? '__Host-' : ''}vezne-${id}`
}

function isSecure({ publicUrl }: Deps): boolean {
  return publicUrl().startsWith('https:')
}

/** Where the pages lie, also behind a proxy that serves them below a path of its own. */
export function rootPath({ publicUrl }: Pick<Deps, 'publicUrl'>): string {
  return `${new URL(publicUrl()).pathname.replace(/\/+$/, '')}/checkout`
}
