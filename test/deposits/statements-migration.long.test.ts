import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { compose } from '../../packages/server/src/compose.ts'
import { listAccounts } from '../../packages/server/src/domain/banks/index.ts'
import { bankApiConnection, fillSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import { fillStatements, listStatements } from '../../packages/server/src/domain/statements/index.ts'
import { testConfig } from '../harness/database.ts'
import { openOldDatabase } from '../harness/old-database.ts'

const { client, url, before, rest } = await openOldDatabase('0033')

/** As the version before writes them. */
async function oldVersionWrites(ids: string, account: string): Promise<void> {
  await client.query(`
    insert into bank_lines (id, collecting_account_id, natural_key, occurrence, source, amount, currency, direction, value_date,
      booked_at, sender_name, narrative, state, created_at)
    select id, '${account}', id, 1, 'bank-api:bank.example', 5, 'TRY', 'credit', '2026-01-05', '2026-01-05T23:00:00Z', '', '', 'new', now()
    from unnest('${ids}'::text[]) as id`)
}

const openAccount = (id: string) =>
  client.query(`
    insert into collecting_accounts (id, bank_id, title, iban, currency, state, created_at)
    values ('${id}', '0046', 'Vezne', 'TR${id}', 'TRY', 'active', now())`)

test('an old database: its lines and accounts, and those that the version before still writes, are carried over', async () => {
  await before()
  await client.query(
    `insert into banks (id, code, name, official_name, kind, enabled) values ('0046', '0046', 'b', 'b', 'bank', true)`,
  )
  await openAccount('a1')
  await client.query(
    `insert into statement_cursors (source, cursor) values ('bank-api:bank.example', '7'), ('manual', '0')`,
  )
  await oldVersionWrites('{l1,l2}', 'a1')
  await rest()
  const { rows } = await client.query('select name, kind from connections order by name')
  assert.deepEqual(rows, [
    { name: 'bank-api:bank.example', kind: 'http_api' },
    { name: 'manual', kind: 'manual' },
  ])
  await openAccount('a2')
  await oldVersionWrites('{l3}', 'a1')
  await oldVersionWrites('{l4}', 'a2')

  const app = compose(testConfig(), url)
  after(() => app.db.end())
  app.connections.push(bankApiConnection({ baseUrl: 'https://bank.example', key: 'k' }))
  assert.equal(await fillSourceOfRecord(app), 2)
  assert.deepEqual(
    (await listAccounts(app.db)).map(({ connection }) => connection),
    ['bank-api:bank.example', 'bank-api:bank.example'],
  )
  assert.equal(await fillStatements(app), 4)
  assert.equal(await fillStatements(app), 0)
  const statements = await listStatements(app, { limit: 10 })
  const shown = statements.map((one) => `${one.collectingAccountId} ${one.fromDay} ${one.lines}`)
  assert.deepEqual(shown.toSorted(), ['a1 2026-01-06 3', 'a2 2026-01-06 1'])
})
