import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAccounts } from '../../packages/server/src/domain/banks/index.ts'
import { setSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import { MOST_SUMMED, SUMMED_AT_ONCE, sumTransactions } from '../../packages/server/src/domain/overview/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'

// The sum of a filtered list, and the banks of the first page.
const service = await startWithBank()
const { app } = service
await addPerson(service, 'ayse.yilmaz')
const accounts = await listAccounts(app.db)
const ibans = accounts.map(({ iban }) => iban)
await setSourceOfRecord(app, UNATTRIBUTED, ibans, service.connection.name)
const person = visitor(service)
await person.logIn('ayse.yilmaz')
const shop = await service.merchant()
const today = istanbul(app.clock.now()).day
const main = async (path: string) =>
  (/<main[^]*<\/main>/.exec((await person.request(path)).text)?.[0] ?? '').replace(/\s+/g, ' ')

test('the list has the number and the sum of all rows of its filter', async () => {
  await someDeposits(app, shop.merchantId, 60, 10_050n)
  assert.match(await main(`/transactions?kind=deposit&merchant=${shop.merchantId}`), /60 işlem · <b>6\.030,00 TL<\/b>/)
  assert.match(
    await main('/transactions?kind=deposit&status=pending&lang=en'),
    /60 transactions · <b>6\.030,00 TL<\/b>/,
  )
  assert.doesNotMatch(await main('/transactions?kind=withdrawal&lang=tr'), / işlem ·/, 'nothing to sum')
})

test('more than a thousand are summed when a person asks for it', async () => {
  await app.db.query(sql`
    insert into deposits (merchant_id, id, process_id, amount, fee, currency, status, sequence, customer_id, customer_name, customer_username, language, reference_code, created_at, updated_at, expires_at)
    select d.merchant_id, left(d.id, 8) || lpad(to_hex(n), 16, '0'), 'n' || n, 100, 0, 'TRY', 'expired', 1, d.customer_id, d.customer_name, d.customer_username, d.language, 'Z' || lpad(n::text, 7, '0'), d.created_at, d.updated_at, d.expires_at
    from (select * from deposits limit 1) as d, generate_series(1, ${SUMMED_AT_ONCE}) as n`)
  const filter = { kind: 'deposit' as const, merchantId: null, from: today, to: today, limit: 50 }
  assert.equal(await sumTransactions(app.db.report, filter, SUMMED_AT_ONCE), null)
  const expired = { currency: 'TRY', count: SUMMED_AT_ONCE, amount: 100_000n, completed: 0n, completedCount: 0 }
  assert.deepEqual(await sumTransactions(app.db.report, { ...filter, status: 'expired' }, SUMMED_AT_ONCE), [expired])
  const [all] = (await sumTransactions(app.db.report, filter, MOST_SUMMED)) ?? []
  assert.equal(all?.count, SUMMED_AT_ONCE + 60)
  const page = await main('/transactions?kind=deposit')
  const [, link = ''] = /1\.000\+ işlem · <a href="\/operator([^"]+)">Toplamı hesapla/.exec(page) ?? []
  assert.match(await main(link.replaceAll('&#38;', '&')), /1\.060 işlem · <b>7\.030,00 TL<\/b>/)
})

test('the first page shows banks with lines; the others are folded', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 77_700n)
  await service.pay(deposit)
  await service.readStatement()
  const text = await main('')
  const [shown = '', folded = ''] = text.slice(text.indexOf('Ekstre okumaları')).split('<details>')
  const paid = accounts.find(({ id }) => id === deposit?.collectingAccountId)?.bankName ?? ''
  assert.match(shown, new RegExp(paid))
  assert.equal(shown.split('<tr').length, 3, 'its head and one bank')
  assert.match(folded, /Diğer \d+ banka/)
})
