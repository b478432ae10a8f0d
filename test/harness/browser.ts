import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import chromium, { inflate } from '@sparticuz/chromium'
import type { Browser, BrowserContextOptions, BrowserServer, LaunchOptions, Page } from 'playwright-core'
import { chromium as playwright } from 'playwright-core'
import { findBrowser, HOW_TO_GET_ONE } from './find-browser.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Flags of the package that would disable what is tested here: origins, sites and their isolation. */
const UNSAFE =
  /--(disable-web-security|allow-running-insecure-content|disable-site-isolation-trials|single-process|headless)|site-per-process/

/** Flags for software emulation of a GPU, which takes three times as long as drawing without one. */
const GRAPHICS_CARD = /gpu|--use-gl|--use-angle|swiftshader/

/** Disables background requests, which a closed network would refuse. */
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']

/** A command of Playwright waits so long: as `until`, far longer than anything takes on a busy machine. */
const PATIENCE_MS = 120_000

/** One browser for a whole run: test/run.ts starts it, and tells the processes of its files where it is. */
export async function startBrowser(): Promise<BrowserServer> {
  const found = findBrowser()
  if (!found) throw new Error(`There is no browser for this test. ${HOW_TO_GET_ONE}`)
  const options = found.kind === 'installed' ? { executablePath: found.path, args: QUIET } : await packaged()
  // The browser exits when this process is gone. Playwright's signal handlers would keep a signal from ending the
  // process.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  return playwright.launchServer({ ...options, ...signals, host: '127.0.0.1' })
}

/** The browser of the run. What a file opens in it is closed with the file, and seen by no other. */
export async function openBrowser(): Promise<Browser> {
  const browser = await playwright.connect(process.env['VEZNE_TEST_BROWSER'] ?? (await startBrowser()).wsEndpoint())
  // What does not close ends with this process.
  after(() => Promise.race([browser.close(), once(AbortSignal.timeout(5000), 'abort')]))
  return browser
}

/** The Chromium from npm with its libraries and fonts, so that Node alone is enough to run this. */
async function packaged(): Promise<LaunchOptions> {
  const folder = await unpacked()
  const args = chromium.args.filter((argument) => !UNSAFE.test(argument) && !GRAPHICS_CARD.test(argument))
  return {
    executablePath: join(folder, 'chromium'),
    args: [...args, ...QUIET],
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  }
}

/** Runs may start at once: each unpacks into its own folder, and the first to finish renames it. */
async function unpacked(): Promise<string> {
  const archives = globSync(join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin/*.br'))
  const version = archives.map((file) => `${file}:${statSync(file).size}`).join()
  const cache = join(ROOT, 'node_modules/.cache')
  const folder = join(cache, `chromium-${createHash('sha256').update(version).digest('hex').slice(0, 12)}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(join(cache, 'draft-'))
  const temporary = process.env['TMPDIR']
  process.env['TMPDIR'] = draft
  try {
    await Promise.all(archives.map((file) => inflate(file)))
  } finally {
    if (temporary === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = temporary
  }
  // The package's own file names folders of its home platform: without fonts, text has no size.
  const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`
  writeFileSync(join(draft, 'fonts/fonts.conf'), fonts)
  try {
    renameSync(draft, folder)
  } catch {
    rmSync(draft, { recursive: true })
  }
  return folder
}

type PageOptions = BrowserContextOptions & { clicksLikeAPerson?: boolean }

/**
 * A page that fails its test on any problem: a script error, a blocked resource, a foreign request. A test clicks faster than a person
 * can: its last click does not count on the next page, unless `clicksLikeAPerson`.
 */
export async function openPage(browser: Browser, baseUrl: string, options: PageOptions = {}) {
  const { clicksLikeAPerson = false, ...rest } = options
  const context = await browser.newContext({ baseURL: baseUrl, locale: 'tr-TR', ...rest })
  context.setDefaultTimeout(PATIENCE_MS)
  if (!clicksLikeAPerson) await context.addInitScript("try { sessionStorage.removeItem('vezne-click') } catch {}")
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // The browser logs a stream that ends with its server or is blocked by a test; the page recovers by itself.
    const expected = /Failed to load resource|ERR_FAILED|ERR_INCOMPLETE/.test(message.text())
    if (message.type() === 'error' && !expected) problems.push(message.text())
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(baseUrl).origin) problems.push(`foreign: ${request.url()}`)
  })
  return { context, page, problems }
}

/** Waits until the page shows this screen. */
export async function screenOn(page: Page, screen: string): Promise<void> {
  await page.locator(`main[data-screen="${screen}"]`).waitFor()
}
