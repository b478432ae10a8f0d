import type { App } from './compose.ts'
import { bankApiConnection, SANDBOX_BANK } from './domain/connections/index.ts'
import type { MerchantCredentials } from './domain/merchants/index.ts'
import { changeEndpoint, findEndpoints, findMerchant, setReturnOrigins } from './domain/merchants/index.ts'
import { readSandbox } from './edges/cli/core/context.ts'
import { UNATTRIBUTED } from './kernel/actor.ts'
import { readOffsetSeconds } from './platform/time/business-clock.ts'
import { realClock } from './platform/time/clock.ts'
import type { SimulatedBank } from './simulated-bank.ts'
import { setBankClock, startSimulatedBank } from './simulated-bank.ts'

type Stop = () => Promise<void>

/**
 * Starts the simulated bank on the next port, adds it as a connection, and lets the demo shop receive returning customers.
 */
export async function startSandboxBank(app: App, merchant: MerchantCredentials, stops: Stop[]): Promise<SimulatedBank> {
  const { host, port, dataFolder } = app.config
  const settings = { host, dataFolder, vezneUrl: app.publicUrl(), merchant }
  const bank = await startSimulatedBank({ ...settings, port: port === 0 ? 0 : port + 1 }).catch((error: Error) => {
    if (port === 0) throw error
    return startSimulatedBank({ ...settings, port: 0 })
  })
  stops.push(bank.stop)
  const offsetMs = (await readOffsetSeconds(app.db)) * 1000
  await setBankClock(bank, offsetMs === 0 ? null : new Date(realClock.now().getTime() + offsetMs))
  app.connections.push(app.tracedConnection(bankApiConnection({ ...bank, name: SANDBOX_BANK })))
  app.setBankAppUrl(bank.baseUrl)
  await allowReturnToShop(app, merchant.merchantId, bank)
  await sendCallbacksToShop(app, merchant.merchantId, bank)
  return bank
}

/**
 * Lets customers return to the shop. Keeps origins that a developer has registered; replaces only the shop's old one.
 */
async function allowReturnToShop(app: App, merchantId: string, bank: SimulatedBank): Promise<void> {
  const { bankUrl } = readSandbox(app.config) ?? {}
  const before = bankUrl === undefined ? null : new URL(bankUrl).origin
  const now = new URL(bank.baseUrl).origin
  const { returnOrigins } = await findMerchant(app, merchantId)
  if (returnOrigins.includes(now) && (before === now || before === null)) return
  const otherOrigins = returnOrigins.filter((origin) => origin !== before && origin !== now)
  await setReturnOrigins(app, UNATTRIBUTED, merchantId, [...otherOrigins, now])
}

/** Sends callbacks to the shop as to any merchant. Keeps an address that a developer has set. */
async function sendCallbacksToShop(app: App, merchantId: string, bank: SimulatedBank): Promise<void> {
  const path = '/shop/callbacks'
  const [first] = await findEndpoints(app.db, [merchantId])
  if (!first || (first.url !== null && new URL(first.url).pathname !== path)) return
  const wanted = { url: bank.baseUrl + path, description: 'demo shop' }
  if (first.url === wanted.url && first.description === wanted.description) return
  await changeEndpoint(app, UNATTRIBUTED, merchantId, first.id, wanted)
}
