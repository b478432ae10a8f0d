import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { compose, prepare } from '../../packages/server/src/compose.ts'
import { createMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { client } from '../../test/harness/client.ts'
import { testConfig } from '../../test/harness/database.ts'
import { depositBody } from '../../test/harness/examples.ts'
import { findBrowser, HOW_TO_GET_ONE } from '../../test/harness/find-browser.ts'
import type { Run } from '../creation.ts'
import { makeEmptyDatabase } from '../databases.ts'
import { median, table } from '../report.ts'
import { startServer } from '../servers.ts'

/** Slow 3G: 400 kbit/s both ways, 400 ms for every answer. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const MAX_LCP_MS = 1800
const MAX_SHIFT = 0.02
const ROUNDS = 5

type Measured = { page: string; lcp: number; shift: number }

/** Opens the payment page by its link as a first visitor does, on a phone and a desk, in both languages. */
export async function benchCheckout(run: Run) {
  const { address, shop } = await openShop(run)
  const found = findBrowser()
  if (found?.kind !== 'installed') throw new Error(`This needs an installed browser. ${HOW_TO_GET_ONE}`)
  const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu'] })
  run.stops.push(() => browser.close())
  const took: Measured[] = []
  for (const language of ['tr', 'en'])
    for (const bankCode of [undefined, 'FAST'])
      for (const viewport of [
        { width: 360, height: 740 },
        { width: 1280, height: 800 },
      ]) {
        const rounds: Omit<Measured, 'page'>[] = []
        for (let round = 0; round < (run.quick ? 1 : ROUNDS); round++) {
          const { bankCode: _, ...body } = depositBody({ language })
          const { body: answer } = await shop.post('/v1/deposit', bankCode ? { ...body, bankCode } : body)
          const { pathname, search } = new URL((answer as { data: { checkoutUrl: string } }).data.checkoutUrl)
          rounds.push(await visit(browser, address + pathname + search, viewport))
        }
        took.push({
          page: `${bankCode ? 'pay' : 'choose-bank'} ${language} ${viewport.width}`,
          lcp: median(rounds.map(({ lcp }) => lcp)),
          shift: Math.max(...rounds.map(({ shift }) => shift)),
        })
      }
  const rows = took.map(({ page, lcp, shift }) => [page, lcp.toFixed(0), shift.toFixed(4)])
  run.say(`\n${table(['slow 3G, first visit', 'largest paint, ms', 'layout shift'], rows)}`)
  const right = took.every(({ lcp, shift }) => lcp > 0 && lcp <= MAX_LCP_MS && shift <= MAX_SHIFT)
  run.say(`\n${right ? 'within' : 'NOT within'} ${MAX_LCP_MS} ms and ${MAX_SHIFT}`)
  return { right, took }
}

async function openShop(run: Run) {
  const url = await makeEmptyDatabase(run.serverUrl, 'checkout')
  const app = compose(testConfig(), url)
  await prepare(app)
  const credentials = await createMerchant(app, UNATTRIBUTED, { name: 'Kitap Rafı', allowedNetworks: ['127.0.0.1'] })
  await app.db.end()
  const server = await startServer('vezne', url)
  run.stops.push(server.stop)
  return { address: server.address, shop: client(server.address, credentials) }
}

/** Until the font and the script have arrived and what they change is painted. */
async function visit(browser: Browser, link: string, viewport: { width: number; height: number }) {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_3G)
  await page.addInitScript(`
    window.measured = { lcp: 0, shift: 0 }
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) measured.lcp = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) measured.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })`)
  await page.goto(link, { waitUntil: 'load' })
  await page.evaluate('document.fonts.ready')
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  const measured = await page.evaluate<{ lcp: number; shift: number }>('measured')
  await context.close()
  return measured
}
