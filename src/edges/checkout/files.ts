import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Asset } from '../web/assets.ts'
import { asset, packed } from '../web/assets.ts'
import { DARK_PAPERS, LIGHT_PAPERS, readableOn } from '../web/contrast.ts'
import { ASSET_HEADERS } from '../web/page-headers.ts'
import type { Links } from './page.ts'

const WEB = join(import.meta.dirname, '../web')
const FONT = asset('ibm-plex-sans.woff2', [join(WEB, 'fonts/ibm-plex-sans.woff2')])
const ICON = asset('icon.svg', [join(WEB, 'icon.svg')])
const SCRIPT = asset('checkout.js', [join(import.meta.dirname, 'checkout.js')])
const STYLE = asset(
  'checkout.css',
  [join(WEB, 'base.css'), join(import.meta.dirname, 'checkout.css')],
  [{ as: 'ibm-plex-sans.woff2', asset: FONT }],
)

export function linksAt(root: string, accent: string | null): Links {
  const at = (name: string) => `${root}/assets/${name}`
  const style = accent === null ? STYLE.name : STYLE.name.replace('.css', `.${accent.slice(1)}.css`)
  return { style: at(style), script: at(SCRIPT.name), font: at(FONT.name), icon: at(ICON.name) }
}

/**
 * A merchant's colour comes as a stylesheet of its own, base and accent in one: no inline style, no further request,
 * and as cacheable as the base, since the colour stands in the address.
 */
function find(file: string): Asset | undefined {
  const known = [FONT, ICON, SCRIPT, STYLE].find(({ name }) => name === file)
  if (known) return known
  const [, stem, accent] = /^(checkout-[0-9a-f]+)\.([0-9a-f]{6})\.css$/.exec(file) ?? []
  if (accent === undefined || `${stem}.css` !== STYLE.name) return undefined
  return coloured(accent)
}

/** Few merchants have a colour; any six digits can be asked for. */
const MAX_COLOURS = 50
const colours = new Map<string, Asset>()

/** The same bytes each time, so that they are compressed once. */
function coloured(accent: string): Asset {
  const known = colours.get(accent)
  if (known) return known
  if (colours.size >= MAX_COLOURS) colours.clear()
  const made = { ...STYLE, body: Buffer.concat([STYLE.body, Buffer.from(accentRules(`#${accent}`))]) }
  colours.set(accent, made)
  return made
}

/** The merchant's colour as it is, or the nearest shade that can be read. */
function accentRules(accent: string): string {
  return (
    `:root{--accent:${readableOn(LIGHT_PAPERS, accent)}}` +
    `@media(prefers-color-scheme:dark){:root{--accent:${readableOn(DARK_PAPERS, accent)}}}`
  )
}

/** Public: nothing in these files is about anybody. */
export function mountFiles(scope: FastifyInstance): void {
  scope.get<{ Params: { file: string } }>('/assets/:file', async (request, reply) => {
    const found = find(request.params.file)
    if (!found) return reply.callNotFound()
    void reply.headers({ ...ASSET_HEADERS, 'content-type': found.type })
    return reply.send(found.type === FONT.type ? found.body : packed(request, reply, found.body))
  })
}
