import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Asset } from '../web/assets.ts'
import { asset, packed } from '../web/assets.ts'
import { ASSET_HEADERS } from '../web/page-headers.ts'
import { openColouredStyles } from './coloured-styles.ts'
import type { Links } from './page.ts'

const WEB = join(import.meta.dirname, '../web')
const FONT = asset('ibm-plex-sans.woff2', [join(WEB, 'fonts/ibm-plex-sans.woff2')])
const ICON = asset('icon.svg', [join(WEB, 'icon.svg')])
let madeScript: Asset | undefined
/** Created on first use: stripping the types takes 60 ms, which workers and commands would otherwise spend at every start. */
const script = () => (madeScript ??= asset('checkout.js', [join(import.meta.dirname, 'page-script.client.ts')]))
const STYLES = ['layout.css', 'transfer.css', 'banks.css', 'progress.css', 'widths.css']
const STYLE = asset(
  'checkout.css',
  [join(WEB, 'base.css'), ...STYLES.map((name) => join(import.meta.dirname, 'styles', name))],
  [{ as: 'ibm-plex-sans.woff2', asset: FONT }],
)

/** More merchants with a colour than one deployment has; beyond this, files are generated per request. */
const COLOURED = openColouredStyles(STYLE, 500)

export function linksAt(root: string, accent: string | null): Links {
  const at = (name: string) => `${root}/assets/${name}`
  const style = accent === null ? STYLE.name : COLOURED.nameFor(accent)
  return { style: at(style), script: at(script().name), font: at(FONT.name), icon: at(ICON.name) }
}

function find(file: string): { asset: Asset; kept: boolean } | undefined {
  const known = [FONT, ICON, script(), STYLE].find(({ name }) => name === file)
  return known ? { asset: known, kept: true } : COLOURED.find(file)
}

/** Public: these files contain no personal data. */
export function mountFiles(scope: FastifyInstance): void {
  scope.get<{ Params: { file: string } }>('/assets/:file', async (request, reply) => {
    const found = find(request.params.file)
    if (!found) return reply.callNotFound()
    const { type, body } = found.asset
    void reply.headers({ ...ASSET_HEADERS, 'content-type': type })
    // Compressing a file generated per request would let anyone keep the CPU busy.
    return reply.send(type === FONT.type || !found.kept ? body : packed(request, reply, body))
  })
}
