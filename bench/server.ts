import type { AddressInfo } from 'node:net'
import { compose } from '../packages/server/src/compose.ts'
import { buildApi } from '../packages/server/src/edges/api/app.ts'
import { watchDeposits } from '../packages/server/src/domain/deposits/index.ts'
import { mountCheckout } from '../packages/server/src/edges/checkout/checkout.ts'
import { mountMerchantConsole } from '../packages/server/src/edges/merchant-console/mount.ts'
import { mountOperatorConsole } from '../packages/server/src/edges/operator-console/mount.ts'
import { testConfig } from '../test/harness/database.ts'
import { openNaive } from './naive.ts'

// One server in its own process: VARIANT=naive|vezne DATABASE_URL=… Same HTTP app for both; only the creation of
// deposits and withdrawals differs. Ends with its parent process.

const { VARIANT, DATABASE_URL } = process.env
if (!DATABASE_URL || !process.send) throw new Error('Started by bench/run.ts only.')

const app = compose(testConfig({ logLevel: 'warn' }), DATABASE_URL)
const naive = VARIANT === 'naive' ? openNaive(app) : null
await app.checkoutKeys.load()
const server = buildApi(naive ? { ...app, ...naive } : app)
const watch = watchDeposits(app)
mountCheckout(server, { ...app, watch })
mountOperatorConsole(server, app)
mountMerchantConsole(server, app)
await server.listen({ host: '127.0.0.1', port: 0 })
const address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
app.setListeningAt(address)
process.send({ ready: address })

process.once('disconnect', () => void stop())

async function stop(): Promise<void> {
  await server.close()
  await watch.stop()
  await naive?.end()
  await app.db.end()
  app.log.flush()
  // Exits explicitly: a CPU profile is written at exit, and the server must not outlive the run.
  process.exit(0)
}
