import type { FastifyRequest } from 'fastify'

/** One cookie of a request. The names are ours and need no decoding; a duplicate name counts as absent. */
export function cookie({ headers }: FastifyRequest, name: string): string | null {
  const found = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return found.length === 1 ? (found[0] ?? '').slice(name.length + 1) : null
}

/**
 * Whether a form was sent from one of our pages. If the browser sends `Sec-Fetch-Site`, that decides; otherwise `Origin` does. Older
 * browsers, and all on http, send "null" from our pages because of no-referrer: then the SameSite cookie protects alone.
 */
export function isFromOurPage({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = headers
  if (origin === undefined || origin === 'null') return true
  return origin === new URL(publicUrl).origin || (URL.canParse(origin) && new URL(origin).host === headers.host)
}

export function cookieNames({ headers }: FastifyRequest): string[] {
  return (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=')[0] ?? '')
}
