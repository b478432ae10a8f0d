import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { listAccounts, openCollectingAccount, setAccountLimits } from '../../packages/server/src/domain/banks/index.ts'
import { setBrand, setMatching } from '../../packages/server/src/domain/merchants/index.ts'
import { openBrowser, openPage, screenOn } from '../harness/browser.ts'
import { turkishIban } from '../harness/iban.ts'
import { isAccessible } from './is-sound.ts'
import { accountIsBlocked, moneyArrives, moneyIsRefused, newDeposit, startCheckout, timePasses } from './stories.ts'

// Every screen in both languages and themes, at three widths, with and without JavaScript.

const SCREENSHOTS = join(import.meta.dirname, '../../.screenshots')
const WIDTHS = [360, 768, 1280]
const ENDED = new Set(['completed', 'cancelled', 'failed'])

const checkout = await startCheckout({ bankAppUrl: 'http://127.0.0.1:9/bank' })
const { app, baseUrl } = checkout
const browser = await openBrowser()
const shop = await checkout.merchant({ returnOrigins: ['https://kitaprafi.example'] })
await setBrand(app, UNATTRIBUTED, shop.merchantId, {
  supportPhone: '+90 212 555 00 11',
  supportEmail: 'destek@kitaprafi.example',
})
const strict = await checkout.merchant({ name: 'Denetimli Kitabevi' })
await setMatching(app, UNATTRIBUTED, strict.merchantId, { nameCheck: 'require' })
const title = 'Vezne Deneme Ödeme Hizmetleri A.Ş.'
await openCollectingAccount(app, UNATTRIBUTED, { iban: turkishIban({ provider: '00134' }), title, currency: 'TRY' })
const accounts = await listAccounts(app.db)
const idAt = (bank: string) => accounts.find(({ bankName }) => bankName === bank)?.bankId ?? assert.fail(bank)
const full = accounts.find(({ bankName }) => bankName === 'Garanti BBVA')
await setAccountLimits(app, UNATTRIBUTED, full?.id ?? '', { amount: 100n, count: null })

const order = {
  returnUrl: 'https://kitaprafi.example/siparis/7',
  metadata: { order: 'SIP-20417', description: 'Tutunamayanlar, ciltli' },
}
const byFast = { ...order, bankCode: 'FAST' }
type Deposit = Awaited<ReturnType<typeof newDeposit>>

/** Presses buttons of the Turkish page, as the customer of the story does. */
async function press(deposit: Deposit, ...names: string[]): Promise<void> {
  const { page, context } = await openPage(browser, baseUrl)
  await page.goto(deposit.link)
  for (const name of names) {
    const before = await page.locator('main').getAttribute('data-screen')
    await page.getByRole('button', { name }).click()
    await page.locator(`main:not([data-screen="${before}"])`).waitFor()
  }
  await context.close()
}

const claimed = async () => {
  const deposit = await newDeposit(shop, byFast)
  await press(deposit, 'Transferi yaptım')
  return deposit
}
const paid = async (amount?: bigint, body: object = byFast) => {
  const deposit = await newDeposit(shop, { ...body })
  await moneyArrives(checkout, deposit.id, amount === undefined ? {} : { amount })
  return deposit
}

/** In this order: the clock only moves on, and what it ends is made after it. */
const STORIES: [name: string, screen: string, play: () => Promise<Deposit>][] = [
  ['choose-bank', 'choose-bank', () => newDeposit(shop, order)],
  ['choose-large', 'choose-bank', () => newDeposit(shop, { ...order, amount: 15_000_000 })],
  ['no-account', 'no-account', () => newDeposit(shop, { ...order, bankCode: full?.bankId })],
  ['pay', 'pay', () => newDeposit(shop, byFast)],
  ['pay-same-bank', 'pay', () => newDeposit(shop, { ...order, bankCode: idAt('Akbank') })],
  ['pay-large', 'pay', () => newDeposit(shop, { ...order, amount: 15_000_000, bankCode: idAt('Akbank') })],
  ['pay-own-name', 'pay', () => newDeposit(strict, { bankCode: 'FAST' })],
  ['claimed', 'claimed', claimed],
  ['short', 'short', () => paid(100_000n)],
  [
    'short-claimed',
    'short-claimed',
    async () => {
      const deposit = await paid(100_000n)
      await press(deposit, 'Kalanı gönderdim')
      return deposit
    },
  ],
  ['over', 'over', () => paid(200_000n)],
  [
    'review',
    'review',
    async () => {
      const deposit = await newDeposit(strict, { bankCode: 'FAST' })
      await moneyArrives(checkout, deposit.id, { senderName: 'MEHMET DEMIR' })
      return deposit
    },
  ],
  ['completed', 'completed', () => paid()],
  [
    'completed-twice',
    'completed',
    async () => {
      const deposit = await paid()
      await moneyArrives(checkout, deposit.id)
      return deposit
    },
  ],
  [
    'cancelled',
    'cancelled',
    async () => {
      const deposit = await newDeposit(shop, byFast)
      await shop.post(`/v1/transactions/${deposit.id}/cancel`, undefined)
      return deposit
    },
  ],
  [
    'failed',
    'failed',
    async () => {
      const deposit = await paid(200_000n)
      await moneyIsRefused(checkout, deposit.id)
      return deposit
    },
  ],
  [
    'account-changed',
    'account-changed',
    async () => {
      const deposit = await newDeposit(shop, { ...order, bankCode: idAt('DenizBank') })
      await accountIsBlocked(checkout, deposit.id)
      return deposit
    },
  ],
  [
    'choose-again',
    'choose-bank',
    async () => {
      const deposit = await newDeposit(shop, { ...order, bankCode: idAt('DenizBank') })
      await accountIsBlocked(checkout, deposit.id)
      return deposit
    },
  ],
  [
    'last-minutes',
    'pay',
    async () => {
      const deposit = await newDeposit(shop, byFast)
      await timePasses(checkout, 26)
      return deposit
    },
  ],
  [
    'short-ended',
    'short-ended',
    async () => {
      const deposit = await paid(100_000n)
      await timePasses(checkout, 31)
      return deposit
    },
  ],
  [
    'expired',
    'expired',
    async () => {
      const deposit = await newDeposit(shop, byFast)
      await timePasses(checkout, 31)
      return deposit
    },
  ],
  [
    'expired-unseen',
    'expired',
    async () => {
      const deposit = await newDeposit(shop, order)
      await timePasses(checkout, 31)
      return deposit
    },
  ],
  [
    'expired-claimed',
    'expired',
    async () => {
      const deposit = await claimed()
      await timePasses(checkout, 31)
      return deposit
    },
  ],
  [
    'completed-late',
    'completed',
    async () => {
      const deposit = await newDeposit(shop, byFast)
      await timePasses(checkout, 31)
      await moneyArrives(checkout, deposit.id)
      return deposit
    },
  ],
]

for (const [name, screen, play] of STORIES)
  test(`${name}: both languages and themes, three widths, with and without JavaScript`, async () => {
    const deposit = await play()
    for (const javaScriptEnabled of [true, false])
      for (const language of ['tr', 'en']) {
        const { page, problems, context } = await openPage(browser, baseUrl, { javaScriptEnabled })
        await page.goto(`${deposit.link}&lang=${language}`)
        await screenOn(page, screen)
        assert.equal(await page.locator('html').getAttribute('lang'), language)
        // A screen that may still change can be asked for anew, also without a script.
        assert.equal(await page.locator('#refresh').isVisible(), !ENDED.has(screen))
        await fits(page, `${name}-${language}-${javaScriptEnabled ? 'js' : 'plain'}`)
        // Axe is a script itself. The Turkish screens are checked where their stories are told.
        if (javaScriptEnabled && language === 'en') await isAccessible(page)
        assert.deepEqual(problems, [])
        await context.close()
      }
  })

/** A theme changes colours only: it is looked at by people, and by axe. */
async function fits(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    assert.equal(overflow, 0, `scrolls sideways at ${width} px`)
    for (const colorScheme of existsSync(SCREENSHOTS) ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${colorScheme}-${width}.png`), fullPage: true })
    }
  }
}
