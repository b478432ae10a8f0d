import type { Actor } from '../../kernel/actor.ts'
import { parseNetwork } from '../../platform/http/ip.ts'
import { refuseField } from '../../kernel/refusals/refuse.ts'
import { loosens, mustBeApproved } from '../people/index.ts'
import type { SettingDeps } from './changes/change-setting.ts'
import { changeSetting } from './changes/change-setting.ts'
import { deleteNetworks, insertNetworks } from './store.ts'

export type NetworkChange = { add?: string[]; remove?: string[] }

/** Without a list a merchant may read from everywhere. */
export const opensNetworks = (before: string[], after: string[]) =>
  after.length === 0 ? before.length > 0 : loosens({ networks: before }, { networks: after })

/** To add one, or to remove the last one, takes two people in live: who may call may ask for money. Returns the list. */
export function changeNetworks(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  { add = [], remove = [] }: NetworkChange,
): Promise<string[]> {
  checkNetworks(add)
  return changeSetting(app, actor, merchantId, {
    what: 'networks',
    of: ({ networks }) => networks,
    async write(tx, networks) {
      const after = [...networks.filter((one) => !remove.includes(one)), ...add]
      if (opensNetworks(networks, after)) mustBeApproved(app)
      await deleteNetworks(tx, merchantId, remove)
      await insertNetworks(tx, merchantId, add, app.clock.now())
    },
    action: 'merchant.networks',
  })
}

export function checkNetworks(networks: string[]): void {
  for (const network of networks) {
    if (!parseNetwork(network)) throw refuseField('network', 'network_wrong', { network })
  }
}
