import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import chromium, { inflate } from '@sparticuz/chromium'
import type { Browser, BrowserContextOptions, LaunchOptions, Page } from 'playwright-core'
import { chromium as playwright } from 'playwright-core'
import { findBrowser, HOW_TO_GET_ONE } from './find-browser.ts'

const ROOT = join(import.meta.dirname, '../..')

/** What the package would switch off is what these tests are about: origins, sites and their isolation. */
const UNSAFE =
  /--(disable-web-security|allow-running-insecure-content|disable-site-isolation-trials|single-process|headless)|site-per-process/

/** Without a graphics card, it would have one calculated for it, which takes three times as long as drawing by itself. */
const GRAPHICS_CARD = /gpu|--use-gl|--use-angle|swiftshader/

/** What a browser calls home for would be refused by a closed network, and is none of the tests' business. */
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']

export async function openBrowser(): Promise<Browser> {
  const found = findBrowser()
  if (!found) throw new Error(`There is no browser for this test. ${HOW_TO_GET_ONE}`)
  const options = found.kind === 'installed' ? { executablePath: found.path, args: QUIET } : await packaged()
  // It notices by itself when this process is gone. Playwright's own handlers would keep a signal from ending the process.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  const browser = await playwright.launch({ ...options, ...signals })
  // A browser that does not want to close is left to the end of its process.
  after(() => Promise.race([browser.close(), once(AbortSignal.timeout(5000), 'abort')]))
  return browser
}

/** The Chromium from npm with the libraries and fonts that it needs, so that a machine with Node alone can run this. */
async function packaged(): Promise<LaunchOptions> {
  const folder = await unpacked()
  const args = chromium.args.filter((argument) => !UNSAFE.test(argument) && !GRAPHICS_CARD.test(argument))
  return {
    executablePath: join(folder, 'chromium'),
    args: [...args, ...QUIET],
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  }
}

/** Who starts at the same time unpacks into a folder of its own, and the first to finish gives it the name. */
export async function unpacked(): Promise<string> {
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
  // The package's own file names folders that exist on its home platform only: without fonts, text has no size.
  const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`
  writeFileSync(join(draft, 'fonts/fonts.conf'), fonts)
  try {
    renameSync(draft, folder)
  } catch {
    rmSync(draft, { recursive: true })
  }
  return folder
}

/** A page that fails its test when anything on it goes wrong: a script error, a blocked resource, a foreign request. */
export async function openPage(browser: Browser, baseUrl: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: baseUrl, locale: 'tr-TR', ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // A stream that ends with its server, or that a test blocks, is noted by the browser and mended by the page.
    const expected = /Failed to load resource|ERR_FAILED|ERR_INCOMPLETE/.test(message.text())
    if (message.type() === 'error' && !expected) problems.push(message.text())
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(baseUrl).origin) problems.push(`foreign: ${request.url()}`)
  })
  return { context, page, problems }
}

/** The screen that the page shows now. */
export async function screenOn(page: Page, screen: string): Promise<void> {
  await page.locator(`main[data-screen="${screen}"]`).waitFor()
}
