import { after } from 'node:test'
import type { AddressInfo } from 'node:net'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { compose } from '../../packages/server/src/compose.ts'
import type { Config } from '../../packages/server/src/config.ts'
import { watchDeposits } from '../../packages/server/src/domain/deposits/index.ts'
import { fundMerchant } from '../../packages/server/src/domain/matching/index.ts'
import type { NewMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { createMerchant, findMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { buildApi } from '../../packages/server/src/edges/api/app.ts'
import { mountCheckout } from '../../packages/server/src/edges/checkout/checkout.ts'
import { mountDocs } from '../../packages/server/src/edges/docs/mount-docs.ts'
import { mountMerchantConsole } from '../../packages/server/src/edges/merchant-console/mount.ts'
import { mountOperatorConsole } from '../../packages/server/src/edges/operator-console/mount.ts'
import { client } from './client.ts'
import { cheap } from './cheap-passwords.ts'
import { cloneDatabase, testConfig } from './database.ts'

/** The real service on a real port with its own database, optionally `through` a proxy; it ends with the test file. */
export async function startService(changes: Partial<Config> = {}, through?: (url: string) => Promise<string>) {
  const database = await cloneDatabase()
  const app = compose(testConfig(changes), through ? await through(database.url) : database.url)
  await app.checkoutKeys.load()
  const server = buildApi(app)
  // Pages see a change at once instead of within a second, because tests wait for it.
  const watch = watchDeposits(app, 50)
  mountCheckout(server, { ...app, watch })
  mountOperatorConsole(server, cheap(app))
  mountMerchantConsole(server, cheap(app))
  mountDocs(server, app)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const baseUrl = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  app.setListeningAt(baseUrl)
  const unfollow = await app.clock.follow(app.db, () => undefined)
  after(async () => {
    await unfollow()
    await server.close()
    await watch.stop()
    await app.db.end()
    await database.drop()
  })

  const actor = app.sandbox ? UNATTRIBUTED : operatorActor('ayse.yilmaz')
  // As in a sandbox: in live two admins give one person all of it.
  if (!app.sandbox) await addOperator({ ...app, sandbox: true }, UNATTRIBUTED, 'ayse.yilmaz', DECIDING)

  /** A merchant that may call from this machine, with its client; `funds` in kuruş. */
  async function merchant({ funds = 0n, ...options }: Partial<NewMerchant> & { funds?: bigint } = {}) {
    const credentials = await createMerchant(app, actor, {
      name: 'Deneme',
      allowedNetworks: ['127.0.0.1', '::1'],
      ...options,
    })
    if (funds > 0n) await fundMerchant(app, await findMerchant(app, credentials.merchantId), funds, 'TRY')
    return { ...credentials, ...client(baseUrl, credentials) }
  }

  return { app, server, baseUrl, databaseUrl: database.url, merchant }
}

/** A second process of the same deployment, which shares only the database. */
export async function startSecondProcess({ databaseUrl }: { databaseUrl: string }) {
  const app = compose(testConfig(), databaseUrl)
  const unfollow = await app.clock.follow(app.db, () => undefined)
  after(async () => {
    await unfollow()
    await app.db.end()
  })
  return app
}
