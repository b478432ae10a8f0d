import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { withdrawBody } from '../harness/examples.ts'
import { addPerson, PASSWORD } from '../harness/operator-console.ts'
import { startWithBank } from '../harness/payouts.ts'
import { until } from '../harness/until.ts'

const browser = await openBrowser()
const service = await startWithBank()
const { app } = service
await addPerson(service, 'ayse.yilmaz')
const shop = await service.merchantWithMoney(9_000_000n)
await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 100_000n })

test('the second of two quick clicks does not approve the card that has moved up; a slow one does', async () => {
  for (let count = 0; count < 3; count++) await shop.post('/v1/withdraw', withdrawBody({ amount: 200_000 }))
  await dispatchWithdrawals(app)
  const { page } = await openPage(browser, service.baseUrl, { clicksLikeAPerson: true })
  await page.goto('/operator/login')
  await page.getByLabel('Ad').fill('ayse.yilmaz')
  await page.getByLabel('Parola').fill(PASSWORD)
  await page.getByRole('button', { name: 'Giriş yap' }).click()
  await page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  await page.goto('/operator/approvals')
  const approve = page.getByRole('button', { name: 'Onayla', exact: true })
  assert.equal(await approve.count(), 3)
  const { x, y, width, height } = (await approve.first().boundingBox()) ?? assert.fail('no button')
  const clickThere = () => page.mouse.click(x + width / 2, y + height / 2)
  await clickThere()
  await page.getByText('Siz onayladınız').first().waitFor()
  const lastClickWas = (ms: number) =>
    page.evaluate(`sessionStorage.setItem('vezne-click', JSON.stringify({
      ...JSON.parse(sessionStorage.getItem('vezne-click')), at: performance.timeOrigin + performance.now() - ${ms},
    }))`)
  // Wherever the next one is now, it is under the pointer.
  const next = approve.first()
  const moved = (await next.boundingBox()) ?? assert.fail('no button')
  await page.mouse.wheel(0, moved.y - y)
  await until(
    async () => (await next.boundingBox())?.y,
    (top) => Math.abs((top ?? 0) - y) < 20,
  )
  // In the future, so that a slow machine is quick enough.
  await lastClickWas(-60_000)
  await clickThere()
  await page.reload()
  assert.equal(await approve.count(), 2, 'the second click approved another one')
  await lastClickWas(1000)
  await next.click()
  await page.waitForURL(/said=/)
  assert.equal(await approve.count(), 1)
})
