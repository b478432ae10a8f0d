import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { parseNetwork } from '../../platform/http/ip.ts'
import { invalidField } from '../../platform/refusal.ts'
import type { Authority } from '../people/index.ts'
import { authorized } from '../people/index.ts'
import { mustFind } from './find-merchants.ts'
import { deleteNetworks, insertNetworks } from './store.ts'

type Deps = Authority & { db: Db }

export async function allowNetworks(
  app: Deps & { clock: Clock },
  actor: Actor,
  merchantId: string,
  networks: string[],
): Promise<string[]> {
  checkNetworks(networks)
  return changeNetworks(app, actor, merchantId, (tx) => insertNetworks(tx, merchantId, networks, app.clock.now()))
}

export async function forbidNetworks(
  app: Deps,
  actor: Actor,
  merchantId: string,
  networks: string[],
): Promise<string[]> {
  return changeNetworks(app, actor, merchantId, (tx) => deleteNetworks(tx, merchantId, networks))
}

async function changeNetworks(
  app: Deps,
  actor: Actor,
  merchantId: string,
  change: (tx: Tx) => Promise<void>,
): Promise<string[]> {
  await mustFind(app.db, merchantId)
  await authorized(app, actor, change)
  return (await mustFind(app.db, merchantId)).networks
}

export function checkNetworks(networks: string[]): void {
  for (const network of networks) {
    if (!parseNetwork(network))
      throw invalidField('allowIp', `${network} must be an address or network such as 203.0.113.0/24`)
  }
}
