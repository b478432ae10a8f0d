import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Asset } from '../assets.ts'
import { asset, packed } from '../assets.ts'
import type { ConsoleLinks } from './layout.ts'
import { ASSET_HEADERS } from '../page-headers.ts'

const WEB = join(import.meta.dirname, '..')
const FONT = asset('ibm-plex-sans.woff2', [join(WEB, 'fonts/ibm-plex-sans.woff2')])
const ICON = asset('icon.svg', [join(WEB, 'icon.svg')])
const STYLE = asset(
  'pages.css',
  ['base.css', 'console/styles.css', 'console/forms.css', 'console/changes/changes.css'].map((name) => join(WEB, name)),
  [{ as: 'ibm-plex-sans.woff2', asset: FONT }],
)
let madeScript: Asset | undefined
/** Created on first use: stripping the types takes 60 ms, which workers and commands would otherwise spend at every start. */
const script = () =>
  (madeScript ??= asset(
    'pages.js',
    ['keyboard', 'copy', 'upload'].map((name) => join(WEB, `console/${name}.client.ts`)),
  ))

let madePasskey: Asset | undefined
/** Only the pages that have a passkey form load it. */
const passkey = () => (madePasskey ??= asset('passkey.js', [join(WEB, 'console/passkey.client.ts')]))

export function linksAt(root: string): ConsoleLinks {
  const at = ({ name }: Asset) => `${root}/assets/${name}`
  return { style: at(STYLE), script: at(script()), passkey: at(passkey()), font: at(FONT), icon: at(ICON) }
}

/** Public: these files contain no data. */
export function mountFiles(scope: FastifyInstance): void {
  scope.get<{ Params: { file: string } }>('/assets/:file', async (request, reply) => {
    const found = [FONT, ICON, STYLE, script(), passkey()].find(({ name }) => name === request.params.file)
    if (!found) return reply.callNotFound()
    void reply.headers({ ...ASSET_HEADERS, 'content-type': found.type })
    return reply.send(found === FONT ? found.body : packed(request, reply, found.body))
  })
}
