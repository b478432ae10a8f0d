import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser, screenOn } from '../harness/browser.ts'
import { isSound } from './is-sound.ts'
import { depositNow, moneyArrives, newDeposit, startCheckout, timePasses } from './stories.ts'
import { choose, visitsWith } from './visit.ts'

// Money that comes in parts, or twice, and what the receipt says afterwards.

const checkout = await startCheckout()
const browser = await openBrowser()
const shop = await checkout.merchant({ returnOrigins: ['https://kitaprafi.example'] })
const visit = visitsWith(browser, checkout.baseUrl)
const body = { bankCode: 'FAST', returnUrl: 'https://kitaprafi.example/siparis/7' }

test('a receipt keeps the time of payment and stays live: a second payment shows its sum and how it comes back', async () => {
  const deposit = await newDeposit(shop, body)
  await visit(deposit, async (page) => {
    await moneyArrives(checkout, deposit.id)
    await screenOn(page, 'completed')
    const time = page.getByText(/^\d\d\.\d\d\.\d{4} \d\d:\d\d\s+İstanbul saati$/)
    const paidAt = await time.innerText()
    await timePasses(checkout, 7)
    await moneyArrives(checkout, deposit.id, { amount: 70_000n })
    await page.getByRole('heading', { name: 'İkinci bir ödeme ulaştı' }).waitFor()
    await page.getByText('Aynı kodla 700,00 TL daha geldi; bu tutar ödemenize sayılmadı.').waitFor()
    await moneyArrives(checkout, deposit.id, { amount: 5_000n })
    await page.getByText('Aynı kodla 750,00 TL daha geldi').waitFor()
    await page.getByText('para yalnızca geldiği hesaba döner').waitFor()
    assert.equal(await time.innerText(), paidAt)
    await isSound(page, 'duplicate')
  })
})

test('short: what is missing, with the same account and code; the rest completes it', async () => {
  const deposit = await newDeposit(shop)
  await visit(deposit, async (page) => {
    await choose(page)
    const { referenceCode } = await depositNow(checkout, deposit.id)
    await moneyArrives(checkout, deposit.id, { amount: 100_000n })
    await screenOn(page, 'short')
    assert.equal(await page.locator('h1').textContent(), '250,00 TL kaldı')
    assert.equal(await page.locator('#copy-amount').getAttribute('data-copy'), '250,00')
    assert.equal(await page.locator('#copy-code').getAttribute('data-copy'), referenceCode)
    await isSound(page, 'short')
    await moneyArrives(checkout, deposit.id, { amount: 25_000n })
    await screenOn(page, 'completed')
  })
})

test('short: sums, an own deadline, a claim of the rest that can be taken back, and how the part comes back', async () => {
  const deposit = await newDeposit(shop, body)
  await visit(deposit, async (page) => {
    await page.getByRole('button', { name: 'Transferi yaptım' }).click()
    await screenOn(page, 'claimed')
    await timePasses(checkout, 20)
    await moneyArrives(checkout, deposit.id, { amount: 100_000n })
    await screenOn(page, 'short')
    assert.match(
      await page.locator('.facts').innerText(),
      /İstenen tutar\s+1\.250,00 TL\s+Ulaşan tutar\s+1\.000,00 TL\s+Kalan tutar\s+250,00 TL/,
    )
    await page.getByText('Kalanı göndermeyecekseniz').waitFor()
    const { updatedAt, expiresAt } = await depositNow(checkout, deposit.id)
    const until = await page.locator('.deadline time').getAttribute('datetime')
    assert.equal(until, new Date(updatedAt.getTime() + 30 * 60_000).toISOString())
    assert.ok(new Date(until ?? '') > expiresAt)
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.ok(await page.locator('.phone img').isVisible())
    await page.getByRole('button', { name: 'Kalanı gönderdim' }).click()
    await screenOn(page, 'short-claimed')
    assert.match(await page.locator('.head').innerText(), /Beklenen tutar\s+250,00 TL$/)
    await isSound(page, 'short-claimed')
    await page.getByRole('button', { name: 'Henüz göndermedim' }).click()
    await screenOn(page, 'short')
    await timePasses(checkout, 20)
    await moneyArrives(checkout, deposit.id, { amount: 10_000n })
    await page.getByRole('heading', { name: '150,00 TL kaldı' }).waitFor()
    await moneyArrives(checkout, deposit.id, { amount: 15_000n })
    await screenOn(page, 'completed')
    assert.equal(await page.locator('.late').count(), 0, 'the rest came before its own deadline')
  })
  assert.ok(!(await depositNow(checkout, deposit.id)).flags.includes('late'))
})

test('short, past its own deadline: no one is asked to send the rest; money that comes is late', async () => {
  const deposit = await newDeposit(shop, body)
  await visit(deposit, async (page) => {
    await moneyArrives(checkout, deposit.id, { amount: 100_000n })
    await screenOn(page, 'short')
    await timePasses(checkout, 31)
    await page.reload()
    await screenOn(page, 'short-ended')
    await page.getByText('Kalan tutarı gönderme süresi doldu.').waitFor()
    assert.equal(await page.locator('#value-iban, .deadline, .phone').count(), 0)
    await page.getByRole('link', { name: 'Kitap Rafı sitesine dön' }).waitFor()
    await isSound(page, 'short-ended')
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('heading', { name: '250.00 TL missing' }).waitFor()
    await page.getByText('1,000.00 TL arrived instead of 1,250.00 TL.').waitFor()
    await moneyArrives(checkout, deposit.id, { amount: 25_000n })
    await page.getByText('The money arrived after the deadline and was accepted.').waitFor()
  })
})
