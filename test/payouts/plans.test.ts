import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { selectUsedProcessIds } from '../../src/domain/withdrawals/store.ts'
import type { Tx } from '../../src/platform/db.ts'
import { planOf } from '../harness/plans.ts'
import { startService } from '../harness/service.ts'

const { databaseUrl } = await startService()

test('a processId is looked up by its index, also by a plan made when the table was counted and empty', async () => {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  const statement = {
    inTransaction: true,
    send: (tx: Tx) => selectUsedProcessIds(tx, [{ merchantId: 'm', processId: 'p' }]),
  }
  const byKey = /withdrawals_process_id .*\n\s+Index Cond: .*merchant_id = .*process_id = /
  assert.match(await planOf(client, statement), byKey)
  await client.query('vacuum analyze withdrawals')
  assert.match(await planOf(client, statement), byKey)
  await client.end()
})
