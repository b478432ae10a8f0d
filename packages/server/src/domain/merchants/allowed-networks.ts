import type { Actor } from '../../kernel/actor.ts'
import { parseNetwork } from '../../platform/http/ip.ts'
import { refuseField } from '../../kernel/refusals/refuse.ts'
import { loosens, mustBeApproved } from '../people/index.ts'
import type { SettingDeps } from './changes/change-setting.ts'
import { changeSetting } from './changes/change-setting.ts'
import { NOWHERE } from './settings-in-force.ts'
import { updateNetworks } from './store.ts'

export type NetworkChange = { add?: string[]; remove?: string[] }

/** Without a list a merchant may read from everywhere. */
export const opensNetworks = (before: string[], after: string[]) =>
  after.length === 0 ? before.length > 0 : loosens({ networks: before }, { networks: after })

/** A list that no one has decided is replaced by the first one that people decide. */
export const changedNetworks = (before: string[], { add = [], remove = [] }: NetworkChange) =>
  [...new Set([...before.filter((one) => one !== NOWHERE && !remove.includes(one)), ...add])].toSorted()

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
      const after = changedNetworks(networks, { add, remove })
      if (opensNetworks(networks, after)) mustBeApproved(app)
      await updateNetworks(tx, merchantId, after)
    },
    action: 'merchant.networks',
  })
}

export function checkNetworks(networks: string[]): void {
  for (const network of networks) {
    if (!parseNetwork(network)) throw refuseField('network', 'network_wrong', { network })
  }
}
