import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import { mountBankApp } from './bank-app/mount-bank-app.ts'
import { mountBankApi } from './bank/bank-api.ts'
import type { Bank } from './bank/bank.ts'
import { openBank } from './bank/bank.ts'
import type { Settings } from './settings.ts'
import type { Shop } from './shop/mount-shop.ts'
import { mountCallbacks, mountShop } from './shop/mount-shop.ts'
import { openOrders } from './shop/orders.ts'
import { vezneClient } from './shop/vezne-client.ts'
import type { Now } from './time.ts'
import { mountAssets, notFound, preparePages } from './web/pages-scope.ts'

export type Simulator = { url: string; stop: () => Promise<void> }

const MAX_BODY_BYTES = 64 * 1024

export async function startSimulator(settings: Settings, now: Now): Promise<Simulator> {
  const bank = openBank({ path: join(settings.dataFolder, 'bank.jsonl'), now })
  const orders = openOrders({ path: join(settings.dataFolder, 'shop.jsonl'), now })
  let url = ''
  const shop: Shop = {
    orders,
    vezne: settings.vezne && vezneClient(settings.vezne, now),
    checkoutOrigins: settings.checkoutOrigins,
    callbackSecret: settings.callbackSecret,
    customerName: bank.customers()[0]?.holder ?? '',
    origin: () => settings.publicUrl ?? url,
    now,
  }
  const app = build(bank, shop, settings.bankKey)
  await app.listen({ host: settings.host, port: settings.port })
  url = localUrl(app.server.address() as AddressInfo)
  return {
    url,
    async stop() {
      await app.close()
      bank.stop()
      orders.stop()
    },
  }
}

function build(bank: Bank, shop: Shop, key: string): FastifyInstance {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    return503OnClosing: false,
    // Does not wait for open connections when closing, such as those that browsers open in advance.
    forceCloseConnections: true,
    // A reference of 140 characters, each encoded as %XX%XX%XX%XX.
    routerOptions: { maxParamLength: 2000 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
  })
  mountAssets(app)
  // A scope each: the API key check, the pages' policies and the callbacks' raw bodies must not mix.
  void app.register(async (scope) => mountBankApi(scope, { bank, key }), { prefix: '/api' })
  void app.register(async (scope) => mountBankApp(scope, { bank }))
  void app.register(async (scope) => mountShop(scope, shop))
  void app.register(async (scope) => mountCallbacks(scope, shop))
  void app.register(async (scope) => {
    preparePages(scope, 'bank')
    scope.all('*', () => {
      throw notFound()
    })
  })
  return app
}

/** An address that a browser on this machine can open: the wildcard address is not one. */
function localUrl({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
