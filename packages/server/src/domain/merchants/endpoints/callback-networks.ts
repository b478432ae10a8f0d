import type { Actor } from '../../../kernel/actor.ts'
import type { Network } from '../../../platform/http/ip.ts'
import { parseNetwork } from '../../../platform/http/ip.ts'
import { privateNetworkProblem } from '../../../platform/http-client/outbound.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { authorized, mustBeApproved } from '../../people/index.ts'
import type { NetworkChange } from '../allowed-networks.ts'
import type { SettingDeps } from '../changes/change-setting.ts'
import { deleteCallbackNetworks, insertCallbackNetworks, selectCallbackNetworks } from './store.ts'

/** Private networks that callbacks of any merchant may go to. Two people allow one, in live; one takes it back. Returns all. */
export function changeCallbackNetworks(
  app: SettingDeps,
  actor: Actor,
  { add = [], remove = [] }: NetworkChange,
): Promise<string[]> {
  checkCallbackNetworks(add)
  return authorized(app, actor, 'endpoint.networks', async (tx, audit) => {
    if (add.length > 0) mustBeApproved(app)
    const before = await selectCallbackNetworks(tx)
    await deleteCallbackNetworks(tx, remove)
    await insertCallbackNetworks(tx, add, app.clock.now())
    const after = await selectCallbackNetworks(tx)
    await audit('callbacks:networks', { before: { networks: before }, after: { networks: after } })
    return after
  })
}

export function checkCallbackNetworks(networks: string[]): void {
  for (const network of networks) {
    const problem = privateNetworkProblem(network)
    if (problem !== null) throw new Refusal('VALIDATION_ERROR', problem)
  }
}

/** For the connector, which checks every resolved address. */
export async function callbackNetworks(db: Queryable): Promise<readonly Network[]> {
  return (await selectCallbackNetworks(db)).flatMap((text) => parseNetwork(text) ?? [])
}
