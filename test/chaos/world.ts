import type { App } from '../../packages/server/src/compose.ts'
import { compose, prepare } from '../../packages/server/src/compose.ts'
import { bankApiConnection, fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import { moveClock, readOffsetSeconds } from '../../packages/server/src/platform/time/business-clock.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { startSimulatedBank } from '../../packages/server/src/simulated-bank.ts'
import { testConfig } from '../harness/database.ts'
import { matchAll } from '../harness/payments.ts'
import type { Witness } from '../harness/payouts.ts'

export type World = {
  app: App
  /** The bank's own API: faults, money, and its word on what left it. */
  call: <Body>(method: string, path: string, body?: object) => Promise<Body>
  /** What a `vezne work` process needs to work in this world. */
  workerEnv: Record<string, string>
  witness: () => Promise<Witness[]>
  readDeposits: () => Promise<void>
  /** Moves business time forward, for every process, and ends the leases that would have ended by then, dead workers' and others'. */
  travel: (seconds: number) => Promise<void>
  close: () => Promise<void>
}

/** A database and a simulated bank, without workers. `folder` is for what the bank writes. */
export async function openWorld(databaseUrl: string, folder: string): Promise<World> {
  const config = testConfig()
  const app = compose(config, databaseUrl)
  const nobody = { apiKey: 'none', apiSecret: 'none', callbackSecret: 'whsec_bm9uZQ==' }
  const place = { dataFolder: folder, host: '127.0.0.1', port: 0 }
  const bank = await startSimulatedBank({ ...place, vezneUrl: 'http://127.0.0.1:9', merchant: nobody })
  await prepare(app)
  const unfollow = await app.clock.follow(app.db, () => undefined)
  const connection = bankApiConnection(bank)

  async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(`${bank.baseUrl}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${bank.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }

  return {
    app,
    call,
    workerEnv: {
      DATABASE_URL: databaseUrl,
      VEZNE_DATA: folder,
      VEZNE_MASTER_KEY: config.masterKey.toString('hex'),
      VEZNE_BANK_API_URL: bank.baseUrl,
      VEZNE_BANK_API_KEY: bank.key,
    },
    witness: async () => (await call<{ transfers: Witness[] }>('GET', 'ledger/transfers')).transfers,
    async readDeposits() {
      while ((await fetchLines(app, connection)) > 0);
      await matchAll(app)
    },
    async travel(seconds) {
      await app.db.transaction(async (tx) => moveClock(tx, (await readOffsetSeconds(tx)) + seconds))
      await app.db.query(sql`
        update payouts p set lease_until = p.lease_until - ${seconds} * interval '1 second'
        from (select withdrawal_id from payouts where lease_until is not null for update skip locked) as leased
        where p.withdrawal_id = leased.withdrawal_id`)
    },
    async close() {
      await unfollow()
      await app.db.end()
      await bank.stop()
    },
  }
}
