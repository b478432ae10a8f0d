import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { parseNetwork } from '../../platform/http/ip.ts'
import { invalidField } from '../../platform/refusal.ts'
import { mustFind } from './find-merchants.ts'
import { deleteNetworks, insertNetworks } from './store.ts'

export async function allowNetworks(
  { db, clock }: { db: Db; clock: Clock },
  merchantId: string,
  networks: string[],
): Promise<string[]> {
  checkNetworks(networks)
  return changeNetworks(db, merchantId, (tx) => insertNetworks(tx, merchantId, networks, clock.now()))
}

export async function forbidNetworks({ db }: { db: Db }, merchantId: string, networks: string[]): Promise<string[]> {
  return changeNetworks(db, merchantId, (tx) => deleteNetworks(tx, merchantId, networks))
}

async function changeNetworks(db: Db, merchantId: string, change: (tx: Tx) => Promise<void>): Promise<string[]> {
  await mustFind(db, merchantId)
  await db.transaction(change)
  return (await mustFind(db, merchantId)).networks
}

export function checkNetworks(networks: string[]): void {
  for (const network of networks) {
    if (!parseNetwork(network))
      throw invalidField('allowIp', `${network} must be an address or network such as 203.0.113.0/24`)
  }
}
