import pg from 'pg'
import type { App } from '../../packages/server/src/compose.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { compose, prepare } from '../../packages/server/src/compose.ts'
import { fundMerchant } from '../../packages/server/src/domain/matching/index.ts'
import { createMerchant, findMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { testConfig } from '../../test/harness/database.ts'
import { markBalances } from '../../packages/server/src/domain/ledger/index.ts'
import { seedHistory } from '../../test/harness/seed-history.ts'
import type { Run } from '../creation.ts'
import { dropIndexes } from '../bulk-load.ts'
import { makeEmptyDatabase } from '../databases.ts'

const MERCHANTS = 20
const REQUESTS_PER_SECOND = 1_000_000

type Shop = Awaited<ReturnType<typeof createMerchant>>
export type History = { app: App; url: string; shops: [Shop, ...Shop[]] }

/** A database with so many old deposits, and what they leave in every table. */
export async function openHistory({ serverUrl, say, stops }: Run, name: string, deposits: number): Promise<History> {
  say(`writing ${deposits} deposits …`)
  const url = await makeEmptyDatabase(serverUrl, name)
  const app = compose(testConfig(), url)
  stops.push(() => app.db.end())
  await prepare(app)
  const shops: Shop[] = []
  for (let number = 0; number < MERCHANTS; number++)
    shops.push(
      await createMerchant(app, UNATTRIBUTED, {
        name: `Shop ${number}`,
        allowedNetworks: ['127.0.0.1'],
        requestsPerSecond: REQUESTS_PER_SECOND,
      }),
    )
  const [first] = shops
  if (!first) throw new Error('There is no shop.')
  await fundMerchant(app, await findMerchant(app, first.merchantId), 1_000_000n, 'TRY')
  const until = app.clock.now()
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  const rebuildIndexes = await dropIndexes(db)
  await seedHistory(db, { merchantIds: shops.map(({ merchantId }) => merchantId), deposits, until })
  await rebuildIndexes()
  await app.db.transaction((tx) => markBalances(tx, app.marks))
  await db.query('vacuum analyze')
  await db.end()
  return { app, url, shops: [first, ...shops.slice(1)] }
}
