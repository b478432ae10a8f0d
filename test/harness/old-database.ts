import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { cloneDatabase } from './database.ts'

const FOLDER = join(import.meta.dirname, '../../packages/server/migrations')

/** A database of an earlier version: `before` applies the migrations below a number, `rest` the others. */
export async function openOldDatabase(number: string) {
  const database = await cloneDatabase('empty')
  const client = new pg.Client(database.url)
  await client.connect()
  after(async () => {
    await client.end()
    await database.drop()
  })
  const apply = async (wanted: (name: string) => boolean) => {
    for (const name of readdirSync(FOLDER).toSorted().filter(wanted))
      // In one transaction, where no index can be built concurrently.
      await client.query(readFileSync(join(FOLDER, name), 'utf8').replaceAll(' concurrently ', ' '))
  }
  return {
    client,
    url: database.url,
    before: () => apply((name) => name < number),
    rest: () => apply((name) => name >= number),
  }
}
