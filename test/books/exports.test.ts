import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openWorkbook } from '../../packages/bank-formats/src/xlsx-workbook.ts'
import { sheetRows } from '../../packages/bank-formats/src/xlsx-rows.ts'
import { balanceOf } from '../../packages/server/src/domain/ledger/index.ts'
import { addDays } from '../../packages/server/src/kernel/istanbul.ts'
import { NO_FEE } from '../../packages/server/src/kernel/money.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { startBooks } from '../harness/books.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { withdrawBody } from '../harness/examples.ts'

const books = await startBooks()
const { app } = books
const vezne = openCommandLineOf(books)
const folder = mkdtempSync(join(tmpdir(), 'vezne-exports-'))
after(() => rmSync(folder, { recursive: true }))

const fees = { depositFee: { ...NO_FEE, bps: 150 }, withdrawFee: { ...NO_FEE, fixed: 400n } }
const first = await books.later(1)
const shop = await books.merchant({ name: '=HYPERLINK("http://x")', ...fees })
const other = await books.merchant({ name: 'Öteki; Mağaza', ...fees })
await books.deposit(shop.merchantId, 500_000n)
const second = await books.later(1)
await books.deposit(shop.merchantId, 100_000n)
await books.deposit(other.merchantId, 70_000n)
await books.payout(shop, 40_000)
await books.take(await books.lineOf({ amount: 3_000n }))
await shop.post('/v1/withdraw', withdrawBody({ amount: 5_000 }))

let files = 0
async function exported(kind: string, format: 'csv' | 'xlsx', ...more: string[]): Promise<string> {
  const file = join(folder, `${++files}.${format}`)
  const args = ['export', kind, '--from', second, '--to', second, '--format', format, '--out', file, ...more]
  const { code, errors } = await vezne(args)
  assert.equal(code, 0, errors)
  return file
}

/** Rows as objects by the names of the columns; the last one has the totals. */
function rowsOf(file: string): Record<string, string>[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').replace('\uFEFF', '').trimEnd().split('\r\n')
  const plain = (cell: string) => cell.replace(/;$/, '').replace(/^"(.*)"$/s, '$1')
  const names = head.split(';').map(plain)
  return lines.map((line) => {
    const cells = line.match(/("(?:[^"]|"")*"|[^;]*)(;|$)/g)?.map(plain) ?? []
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']))
  })
}

const kurus = (text: string | undefined) => BigInt((text ?? '').replace(',', ''))
const sum = (rows: Record<string, string>[], name: string) => rows.reduce((total, row) => total + kurus(row[name]), 0n)

async function changeOf(kinds: string[], merchantId: string | null): Promise<bigint> {
  const [row] = await app.db.query<{ change: bigint }>(sql`
    select coalesce(sum(case when a.id = t.to_account then t.amount else -t.amount end), 0)::bigint as change
    from transfers t join accounts a on a.id in (t.from_account, t.to_account)
    where t.effective_on = ${second} and a.kind = any(${kinds}::text[]) and a.merchant_id = coalesce(${merchantId}, a.merchant_id)`)
  return row?.change ?? 0n
}

const MONEY = ['merchant_available', 'merchant_held', 'payouts_in_transit']

test('transactions: the totals are the sums of the columns, and what the ledger says', async () => {
  const rows = rowsOf(await exported('transactions', 'csv'))
  const total = rows.pop()
  assert.equal(total?.['merchant id'], 'TOTAL')
  assert.deepEqual(rows.map(({ event = '' }) => event).toSorted(), [
    'deposit_settlement',
    'deposit_settlement',
    'withdrawal_settlement',
  ])
  for (const name of ['amount', 'fee', 'net']) assert.equal(kurus(total?.[name]), sum(rows, name), name)
  assert.equal(kurus(total?.['net']), await changeOf(MONEY, null))
  assert.equal(kurus(total?.['fee']), await changeOf(['fees'], null))
  assert.ok(rows.every((row) => row['process id'] !== ''))
  assert.equal(rows.find((row) => row['merchant id'] === shop.merchantId)?.['merchant'], `'=HYPERLINK(""http://x"")`)
})

test('one merchant: its rows only', async () => {
  const rows = rowsOf(await exported('transactions', 'csv', '--merchant', other.merchantId))
  assert.equal(rows.length, 2)
  assert.equal(kurus(rows.at(-1)?.['net']), await changeOf(MONEY, other.merchantId))
})

test('balances: opening and movements make closing, which is the balance', async () => {
  const rows = rowsOf(await exported('balances', 'csv'))
  const total = rows.pop()
  assert.equal(rows.length, 2)
  const parts = ['opening', 'deposits', 'withdrawals', 'returns', 'other', 'fees']
  for (const row of [...rows, total]) {
    const made = parts.reduce((all, name) => all + kurus(row?.[name]), 0n)
    assert.equal(made, kurus(row?.['closing']))
  }
  const its = rows.find((row) => row['merchant id'] === shop.merchantId)
  const { available, held } = await balanceOf(app.db, shop.merchantId, 'TRY')
  assert.equal(kurus(its?.['closing']), available + held)
  assert.equal(kurus(its?.['opening']), 492_500n)
})

test('balances after a close are the same: they start at the stored balances', async () => {
  const before = rowsOf(await exported('balances', 'csv'))
  await books.later(1)
  await books.close(first)
  assert.deepEqual(rowsOf(await exported('balances', 'csv')), before)
})

test('fees and journal: their totals are what the ledger moved', async () => {
  const rows = rowsOf(await exported('fees', 'csv'))
  assert.equal(kurus(rows.at(-1)?.['fee']), await changeOf(['fees'], null))
  const journal = rowsOf(await exported('journal', 'csv'))
  const [moved] = await app.db.query<{ amount: bigint; count: number }>(sql`
    select sum(amount)::bigint as amount, count(*)::int as count from transfers where effective_on = ${second}`)
  assert.deepEqual([kurus(journal.at(-1)?.['amount']), journal.length - 1], [moved?.amount, moved?.count])
})

test('XLSX has the same figures as CSV, as numbers', async () => {
  const csv = rowsOf(await exported('transactions', 'csv'))
  const workbook = await openWorkbook(readFileSync(await exported('transactions', 'xlsx')))
  const [sheet] = workbook.sheets
  assert.ok(sheet)
  const [head, ...rows] = await Array.fromAsync(sheetRows(workbook, sheet), ({ cells }) => cells)
  const net = head?.findIndex(({ text }) => text === 'net') ?? -1
  const numbers = rows.map((cells) => cells[net])
  assert.ok(numbers.every((cell) => cell?.kind === 'number'))
  assert.deepEqual(
    numbers.map((cell) => Number(cell?.text)),
    csv.map((row) => Number(row['net']?.replace(',', '.'))),
  )
})

test('wrong periods and formats are refused with what to write', async () => {
  const out = join(folder, 'never.csv')
  const refused = async (...args: string[]) => (await vezne(['export', 'fees', '--out', out, ...args])).errors
  assert.match(await refused('--from', '2026-13-01', '--to', second), /from must be a day/)
  assert.match(await refused('--from', second, '--to', addDays(second, -1)), /must not be before/)
  assert.match(await refused('--from', second, '--to', second, '--format', 'pdf'), /csv or xlsx/)
  assert.match(await refused('--from', second, '--to', second, '--merchant', 'nobody'), /no merchant/i)
})
