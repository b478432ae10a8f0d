import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Asset } from '../web/assets.ts'
import { asset, packed } from '../web/assets.ts'
import { ASSET_HEADERS } from '../web/page-headers.ts'
import type { DocLinks } from './layout.ts'

const WEB = join(import.meta.dirname, '../web')

/** Created on first use: stripping types takes time that workers and commands would otherwise spend at every start. */
function make() {
  const font = asset('ibm-plex-sans.woff2', [join(WEB, 'fonts/ibm-plex-sans.woff2')])
  const icon = asset('icon.svg', [join(WEB, 'icon.svg')])
  const script = asset(
    'docs.js',
    ['playground', 'copy'].map((name) => join(import.meta.dirname, `${name}.client.ts`)),
  )
  const styles = [join(WEB, 'base.css'), join(import.meta.dirname, 'styles.css')]
  const style = asset('docs.css', styles, [{ as: 'ibm-plex-sans.woff2', asset: font }])
  return { font, icon, script, style }
}

let made: Record<keyof DocLinks, Asset> | undefined
const files = () => (made ??= make())

export function docLinks(): DocLinks {
  const { style, script, font, icon } = files()
  const at = ({ name }: Asset) => `/docs/assets/${name}`
  return { style: at(style), script: at(script), font: at(font), icon: at(icon) }
}

export function mountDocFiles(scope: FastifyInstance): void {
  scope.get<{ Params: { file: string } }>('/assets/:file', async (request, reply) => {
    const found = Object.values(files()).find(({ name }) => name === request.params.file)
    if (!found) return reply.callNotFound()
    return reply
      .headers(ASSET_HEADERS)
      .type(found.type)
      .send(packed(request, reply, found.body))
  })
}
