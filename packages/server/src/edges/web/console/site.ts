import type { Audience, LoginDeps } from '../../../domain/identity/index.ts'
import type { FastifyRequest } from 'fastify'
import type { Address } from '../../../platform/http/ip.ts'
import { callerAddress } from '../../../platform/http/ip.ts'
import type { Log } from '../../../platform/log.ts'
import type { RequestLimits } from '../limit-requests.ts'
import type { SharedWords } from './words-tr.ts'

export type Language = 'tr' | 'en'

/** One of the consoles, as a visitor without a session sees it. The audience is also its path and in the names of its cookies. */
export type Site<Words extends SharedWords = SharedWords> = { audience: Audience; words: Record<Language, Words> }

export type ConsoleDeps = LoginDeps & RequestLimits & { log: Log; publicUrl: () => string }

export type SiteDeps = ConsoleDeps & { site: Site }

/** Path of the console, including the prefix of a proxy that serves it under its own path. */
export function rootPath({ publicUrl, site }: Pick<SiteDeps, 'publicUrl' | 'site'>): string {
  return `${new URL(publicUrl()).pathname.replace(/\/+$/, '')}/${site.audience}`
}

export function addressOf(
  { trustedProxies }: Pick<ConsoleDeps, 'trustedProxies'>,
  { raw, headers }: FastifyRequest,
): Address | null {
  return callerAddress(raw.socket.remoteAddress, headers['x-forwarded-for']?.toString(), trustedProxies) ?? null
}
