import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** For people who want to look at every screen: they are taken if there is this folder. */
const SCREENSHOTS = join(import.meta.dirname, '../../.screenshots')
const DESK = { width: 1280, height: 800 }

/** Nothing that axe finds, on a desk and in both themes; nothing to scroll to on the smallest phone. */
export async function isSound(page: Page, name: string): Promise<void> {
  await page.setViewportSize(DESK)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await takePictures(page, `${name}-${colorScheme}`)
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      [],
    )
  }
  await page.setViewportSize({ width: 320, height: 640 })
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  assert.equal(overflow, 0, 'scrolls sideways at 320 px')
}

export async function takePictures(page: Page, name: string): Promise<void> {
  if (!existsSync(SCREENSHOTS)) return
  for (const size of [{ width: 360, height: 800 }, DESK]) {
    await page.setViewportSize(size)
    await page.screenshot({ path: join(SCREENSHOTS, `${name}-${size.width}.png`), fullPage: true })
  }
}
