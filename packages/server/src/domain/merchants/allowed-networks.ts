import type { Actor } from '../../kernel/actor.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { parseNetwork } from '../../platform/http/ip.ts'
import { invalidField } from '../../platform/refusal.ts'
import type { SettingDeps } from './changes/change-setting.ts'
import { changeSetting } from './changes/change-setting.ts'
import { deleteNetworks, insertNetworks } from './store.ts'

export async function allowNetworks(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  networks: string[],
): Promise<string[]> {
  checkNetworks(networks)
  return changeNetworks(app, actor, merchantId, (tx) => insertNetworks(tx, merchantId, networks, app.clock.now()))
}

export async function forbidNetworks(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  networks: string[],
): Promise<string[]> {
  return changeNetworks(app, actor, merchantId, (tx) => deleteNetworks(tx, merchantId, networks))
}

function changeNetworks(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  change: (tx: Tx) => Promise<void>,
): Promise<string[]> {
  return changeSetting(app, actor, merchantId, {
    what: 'networks',
    of: ({ networks }) => networks,
    write: change,
    action: 'merchant.networks',
  })
}

export function checkNetworks(networks: string[]): void {
  for (const network of networks) {
    if (!parseNetwork(network))
      throw invalidField('allowIp', `${network} must be an address or network such as 203.0.113.0/24`)
  }
}
