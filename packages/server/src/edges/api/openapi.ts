import { openApi } from '@vezne/contract/openapi'
import type { FastifyInstance } from 'fastify'
import { version } from '../../platform/version.ts'
import type { Api } from './route.ts'

/** Public: what it says is in the documents, too. */
export function mountOpenApi(app: FastifyInstance, { publicUrl }: Api): void {
  let written = { baseUrl: '', text: '' }
  app.get('/openapi.json', { exposeHeadRoute: true }, async (_request, reply) => {
    const baseUrl = publicUrl()
    if (written.baseUrl !== baseUrl)
      written = { baseUrl, text: JSON.stringify(openApi({ version: version(), baseUrl })) }
    // Tools that show it run on other origins.
    void reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' })
    return reply.type('application/json').send(written.text)
  })
}
