import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { balanceOf } from '../../packages/server/src/domain/ledger/index.ts'
import { formatMoney, NO_FEE } from '../../packages/server/src/kernel/money.ts'
import { startBooks } from '../harness/books.ts'
import { openCommandLineOf } from '../harness/command-line.ts'

const books = await startBooks()
const vezne = openCommandLineOf(books)
const folder = mkdtempSync(join(tmpdir(), 'vezne-statement-'))
after(() => rmSync(folder, { recursive: true }))

const fees = { depositFee: { ...NO_FEE, bps: 150 }, withdrawFee: { ...NO_FEE, fixed: 400n } }
const shop = await books.merchant({ name: 'Çınar <Kitap> & Kırtasiye', ...fees })
// Both days in one month: the third and fourth of the next one.
await books.later(32 - Number(books.today().slice(8)))
await books.later(3 - Number(books.today().slice(8)))
await books.deposit(shop.merchantId, 500_000n)
await books.payout(shop, 40_000)
await books.later(1)
for (const amount of [100_000n, 250_000n, 75_050n]) await books.deposit(shop.merchantId, amount)
const month = books.today().slice(0, 7)

async function page(language: string): Promise<string> {
  const file = join(folder, `${language}.html`)
  const args = ['export', 'statement', shop.merchantId, '--month', month, '--language', language, '--out', file]
  const { code, errors } = await vezne(args)
  assert.equal(code, 0, errors)
  return readFileSync(file, 'utf8')
}

test('the statement of a month: opening, movements by day, fees, and the closing balance of the ledger', async () => {
  const text = await page('tr')
  const { available, held } = await balanceOf(books.app.db, shop.merchantId, 'TRY')
  assert.match(text, /Dönem başı bakiyesi<\/dt>\s*<dd>0,00 TL/)
  assert.ok(text.includes(formatMoney(available + held)))
  assert.equal(text.match(/class="day"/g)?.length, 2)
  assert.equal(text.match(/>\s*Yatırım\s*</g)?.length, 4)
  assert.ok(text.includes('-400,00 TL'), 'the payout')
  assert.ok(text.includes('Çınar &#60;Kitap&#62; &#38; Kırtasiye'), 'a name is no markup')
  assert.doesNotMatch(text, /<script|https?:|url\(/, 'it needs nothing else')
  assert.match(text, /Düzenlenme \(İstanbul saati\): <time[^>]*>\d\d\.\d\d\.\d{4} \d\d:\d\d/)
  assert.match(await page('en'), /Statement of account/)
})

test('a wrong month or language, and a file that exists, are refused', async () => {
  const refused = async (...args: string[]) => (await vezne(['export', 'statement', shop.merchantId, ...args])).errors
  assert.match(await refused('--month', '2026-13', '--out', join(folder, 'x.html')), /must be a month such as/)
  assert.match(await refused('--month', month, '--language', 'de', '--out', join(folder, 'x.html')), /tr or en/)
  assert.equal(existsSync(join(folder, 'x.html')), false)
  assert.match(await refused('--month', month, '--out', folder), /cannot be written/)
})
