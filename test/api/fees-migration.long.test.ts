import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOldDatabase } from '../harness/old-database.ts'

const { client, before, rest } = await openOldDatabase('0024')

test("a merchant's terms from before become its first ones, in force since it was created", async () => {
  await before()
  await client.query(`
    insert into merchants (id, name, requests_per_second, created_at, deposit_fee_bps, deposit_fee_fixed,
      deposit_fee_min, deposit_fee_max, withdraw_fee_bps, withdraw_fee_fixed, withdraw_fee_min, withdraw_fee_max)
    values ('m', 'Kitap Evi', 10, '2026-01-02T03:04:05Z', 150, 25, 100, 5000, 50, 1, 2, null)`)
  await rest()
  const { rows } = await client.query(`
    select merchant_id, number, effective_from = '2026-01-02T03:04:05Z' as from_creation,
      array[deposit_bps, deposit_fixed, deposit_min, deposit_max]::text as deposit,
      array[withdraw_bps, withdraw_fixed, withdraw_min, withdraw_max]::text as withdraw, set_by
    from merchant_fees where merchant_id = 'm'`)
  const terms = { deposit: '{150,25,100,5000}', withdraw: '{50,1,2,NULL}' }
  assert.deepEqual(rows, [{ merchant_id: 'm', number: 1, from_creation: true, ...terms, set_by: null }])
})
