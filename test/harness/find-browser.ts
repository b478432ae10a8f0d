import { existsSync } from 'node:fs'

/** A browser for the tests: one that is installed, or the one in the npm package, which is an x64 Linux binary. */
export type FoundBrowser = { kind: 'installed'; path: string } | { kind: 'packaged' }

/** Without windows: a page costs a third of what it costs in a whole browser, which draws its own controls for each. */
const HEADLESS = '/usr/bin/chromium-headless-shell'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge-stable',
  '/usr/bin/microsoft-edge',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]

export const HOW_TO_GET_ONE =
  'Install Chromium, Chrome or Edge (Debian: apt-get install chromium-headless-shell), or set VEZNE_BROWSER to the path of one.'

/** Null if there is none. VEZNE_BROWSER names one; `none` hides all of them. */
export function findBrowser(): FoundBrowser | null {
  const chosen = process.env['VEZNE_BROWSER']
  if (chosen === 'none') return null
  if (chosen === 'packaged') return { kind: 'packaged' }
  if (chosen !== undefined) {
    if (!existsSync(chosen)) throw new Error(`VEZNE_BROWSER is ${chosen}, which does not exist. ${HOW_TO_GET_ONE}`)
    return { kind: 'installed', path: chosen }
  }
  if (existsSync(HEADLESS)) return { kind: 'installed', path: HEADLESS }
  if (process.platform === 'linux' && process.arch === 'x64') return { kind: 'packaged' }
  const path = INSTALLED.find((one) => existsSync(one))
  return path === undefined ? null : { kind: 'installed', path }
}
