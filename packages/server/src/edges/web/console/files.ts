import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Asset } from '../assets.ts'
import { memoize } from '../../../platform/concurrency/memoize.ts'
import { asset, packed } from '../assets.ts'
import type { ConsoleLinks } from './layout.ts'
import { ASSET_HEADERS } from '../page-headers.ts'

const WEB = join(import.meta.dirname, '..')
const FONT = asset('ibm-plex-sans.woff2', [join(WEB, 'fonts/ibm-plex-sans.woff2')])
const ICON = asset('icon.svg', [join(WEB, 'icon.svg')])
/** By subject; what is more specific comes later. */
const STYLES = [
  ...['frame', 'controls', 'tables', 'cards', 'figures', 'transactions', 'books', 'accounts', 'matching'],
  ...['uploads', 'settings', 'entry', 'print'],
]
const STYLE = asset(
  'pages.css',
  [join(WEB, 'base.css'), ...STYLES.map((name) => join(WEB, `console/styles/${name}.css`))],
  [{ as: 'ibm-plex-sans.woff2', asset: FONT }],
)
const UPLOT = fileURLToPath(import.meta.resolve('uplot/dist/uPlot.iife.min.js'))
const CHARTS_STYLE = asset('charts.css', [join(UPLOT, '../uPlot.min.css'), join(WEB, 'console/charts/charts.css')])
/** Only the pages with charts, with a passkey form, or without a session load theirs. */
const SCRIPTS = {
  pages: ['keyboard.client.ts', 'second-click.client.ts', 'copy.client.ts', 'upload.client.ts', 'live.client.ts'],
  charts: [relative(join(WEB, 'console'), UPLOT), 'charts/charts.client.ts'],
  passkey: ['passkey.client.ts'],
  entry: ['copy.client.ts'],
}
/** Created on first use: stripping the types takes 60 ms, which workers and commands would otherwise spend at every start. */
const script = memoize((name: keyof typeof SCRIPTS) =>
  asset(
    `${name}.js`,
    SCRIPTS[name].map((path) => join(WEB, 'console', path)),
  ),
)

export function linksAt(root: string): ConsoleLinks {
  const at = ({ name }: Asset) => `${root}/assets/${name}`
  const charts = { style: at(CHARTS_STYLE), script: at(script('charts')) }
  const [pages, passkey, entry] = [at(script('pages')), at(script('passkey')), at(script('entry'))]
  return { style: at(STYLE), script: pages, passkey, entry, font: at(FONT), icon: at(ICON), charts }
}

/** Public: these files contain no data. */
export function mountFiles(scope: FastifyInstance): void {
  scope.get<{ Params: { file: string } }>('/assets/:file', async (request, reply) => {
    const all = [FONT, ICON, STYLE, script('pages'), script('passkey'), script('entry'), CHARTS_STYLE, script('charts')]
    const found = all.find(({ name }) => name === request.params.file)
    if (!found) return reply.callNotFound()
    void reply.headers({ ...ASSET_HEADERS, 'content-type': found.type })
    return reply.send(found === FONT ? found.body : packed(request, reply, found.body))
  })
}
