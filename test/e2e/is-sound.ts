import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { until } from '../harness/until.ts'

/** For people who want to look at every screen: they are taken if there is this folder. */
const SCREENSHOTS = join(import.meta.dirname, '../../.screenshots')
const DESK = { width: 1280, height: 800 }

/** Nothing that axe finds, on a desk; nothing to scroll to on the smallest phone. */
export async function isSound(page: Page, name: string): Promise<void> {
  await page.setViewportSize(DESK)
  await isAccessible(page, (theme) => takePictures(page, `${name}-${theme}`))
  await page.setViewportSize({ width: 320, height: 640 })
  // Charts are drawn anew after the page has its width.
  await until(
    () => fitsNarrow(page),
    (beside) => beside.length === 0,
  )
}

/** Nothing that axe finds, in both themes. In the dark one only colours are looked at: the rest is the same page. */
export async function isAccessible(page: Page, show?: (theme: string) => Promise<void>): Promise<void> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await show?.(colorScheme)
    const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {}
    const options = JSON.stringify({ resultTypes: ['violations'], preload: false, ...rules })
    const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`)
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      [],
    )
  }
}

/** What is beside the screen or cut off on a phone: nothing of a page, no column of a table. Charts may scroll: they are regions with a name. */
export function fitsNarrow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`{
    const root = document.documentElement
    const wide = [...document.querySelectorAll('main .wide:not([role=region])')]
    const cells = [...document.querySelectorAll('main :is(th, td)')]
    const text = (one) => one.textContent.trim().replace(/\\s+/g, ' ').slice(0, 60)
    const isBeside = (one) => one.getClientRects().length > 0 && one.getBoundingClientRect().right > root.clientWidth + 1
    ;[
      ...(root.scrollWidth > root.clientWidth ? ['the page scrolls sideways'] : []),
      ...wide.filter((one) => one.scrollWidth > one.clientWidth).map((one) => 'a table is cut: ' + text(one)),
      ...cells.filter((one) => !one.closest('[role=region]') && isBeside(one)).map((one) => 'a cell is cut: ' + text(one)),
    ]
  }`)
}

export async function takePictures(page: Page, name: string): Promise<void> {
  if (!existsSync(SCREENSHOTS)) return
  for (const size of [{ width: 360, height: 800 }, DESK]) {
    await page.setViewportSize(size)
    await page.screenshot({ path: join(SCREENSHOTS, `${name}-${size.width}.png`), fullPage: true })
  }
}
