import type { FastifyReply, FastifyRequest } from 'fastify'
import { UnopenedError } from '../../../platform/crypto/vault.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Html } from '../html.ts'
import type { Entry } from './login-forms.ts'
import { refusalText } from '../../../acts/refusals/say.ts'
import { languageOf, sendEntry } from './send-entry.ts'
import type { SiteDeps } from './site.ts'
import { rootPath } from './site.ts'

/** The visitor is told refusals, and nothing else. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal && error.code !== 'SERVICE_UNAVAILABLE') return error
  throw error
}

/** A page without menus. `refused`: why the last try failed. */
export async function sendStep(
  app: SiteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  refused: Refusal | null,
  step: (entry: Entry) => Promise<Html>,
): Promise<FastifyReply> {
  if (refused?.cause instanceof UnopenedError) app.log.warn({ err: refused.cause }, 'a second factor was refused')
  const language = languageOf(request, reply)
  const words = app.site.words[language]
  const main = await step({ words, root: rootPath(app), refused: refused && refusalText(language, refused) })
  const isTooMany = refused?.code === 'RATE_LIMITED'
  if (isTooMany) void reply.header('retry-after', String(refused.retryAfterSeconds ?? 1))
  return sendEntry(app, language, reply, isTooMany ? 429 : refused ? 409 : 200, words.logInTitle, main)
}
