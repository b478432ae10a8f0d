import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { openPage, screenOn } from '../harness/browser.ts'

/** A customer on the page of a new deposit, who leaves when the test is over. */
export function visitsWith(browser: Browser, baseUrl: string) {
  return async (
    deposit: { link: string },
    play: (page: Page) => Promise<void>,
    options: Parameters<typeof openPage>[2] = {},
  ): Promise<void> => {
    const { page, problems, context } = await openPage(browser, baseUrl, options)
    try {
      await page.goto(deposit.link)
      await play(page)
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  }
}

export async function choose(page: Page, bank = 'FAST'): Promise<void> {
  await page.getByRole('radio', { name: bank }).check()
  await page.getByRole('button', { name: 'Devam et' }).click()
  await screenOn(page, 'pay')
}
