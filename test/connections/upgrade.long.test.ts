import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { compose } from '../../packages/server/src/compose.ts'
import { addConnection, selectConnections } from '../../packages/server/src/domain/connections/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { testConfig } from '../harness/database.ts'
import { openOldDatabase } from '../harness/old-database.ts'

const { client, url, before, rest } = await openOldDatabase('0050')

/** As the version before writes them. */
const oldVersionRegisters = (name: string, kind: string) =>
  client.query('insert into connections (name, kind, created_at) values ($1, $2, now())', [name, kind])

test('an old database: its connections stay as they are, the version before still registers its own, new ones are added beside', async () => {
  await before()
  await oldVersionRegisters('bank-api:bank.example/api', 'http_api')
  await oldVersionRegisters('manual', 'manual')
  await rest()
  await oldVersionRegisters('bank-api:127.0.0.1', 'http_api')
  const app = compose(testConfig(), url)
  after(() => app.db.end())
  await app.loadConnections()
  assert.deepEqual(app.connections, [], 'their settings are not in the database')
  await addConnection(app, UNATTRIBUTED, 'garanti', { kind: 'http_api', url: 'https://bank.example', key: 'k' })
  await app.loadConnections()
  assert.deepEqual(
    app.connections.map(({ name }) => name),
    ['garanti'],
  )
  assert.deepEqual(
    (await selectConnections(app.db)).map(({ name, settings, disabledAt }) => [name, settings, disabledAt]),
    [
      ['bank-api:127.0.0.1', null, null],
      ['bank-api:bank.example/api', null, null],
      ['garanti', { url: 'https://bank.example' }, null],
      ['manual', null, null],
    ],
  )
  const refused = [
    ['manual-x', 'http_api'],
    ['x', 'manual'],
  ] as const
  for (const [name, kind] of refused)
    await assert.rejects(oldVersionRegisters(name, kind), /connections_manual_by_name/)
})
