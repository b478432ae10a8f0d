import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { App } from '../../packages/server/src/compose.ts'
import { compose, prepare } from '../../packages/server/src/compose.ts'
import { fundMerchant } from '../../packages/server/src/domain/matching/index.ts'
import { createMerchant, findMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import type { Child } from '../harness/child-process.ts'
import { ready, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { testConfig } from '../harness/database.ts'

export type World = {
  /** Straight to the database, past the faults. */
  app: App
  shop: ReturnType<typeof client>
  baseUrl: string
  /** Another process of this deployment. */
  start: (role: 'serve' | 'work', env?: Record<string, string>) => Promise<Child>
  close: () => Promise<void>
}

/** Enough for every withdrawal of a run. */
const FUNDS = 1_000_000_000n

/** One `serve` and one `work` on a database of their own. `throughUrl` is how they reach it. */
export async function openWorld(directUrl: string, throughUrl: string, dataFolder: string): Promise<World> {
  const config = testConfig({ dataFolder })
  const app = compose(config, directUrl)
  const children: Child[] = []
  async function start(role: 'serve' | 'work', env: Record<string, string> = {}): Promise<Child> {
    const child = vezne([role], {
      DATABASE_URL: throughUrl,
      VEZNE_DATA: dataFolder,
      VEZNE_MASTER_KEY: config.masterKey.toString('hex'),
      ...env,
    })
    children.push(child)
    return child
  }
  async function close(): Promise<void> {
    for (const { process } of children) process.kill('SIGKILL')
    await Promise.all(children.map(({ exited }) => exited))
    await app.db.end()
  }
  try {
    await prepare(app)
    const credentials = await createMerchant(app, UNATTRIBUTED, {
      name: 'Faults',
      allowedNetworks: ['127.0.0.1', '::1'],
      requestsPerSecond: 100_000,
      maxOpenDeposits: 1_000_000,
    })
    await fundMerchant(app, await findMerchant(app, credentials.merchantId), FUNDS, 'TRY')
    const baseUrl = await ready(await start('serve'))
    await start('work')
    return { app, shop: client(baseUrl, credentials), baseUrl, start, close }
  } catch (error) {
    await close()
    throw error
  }
}
