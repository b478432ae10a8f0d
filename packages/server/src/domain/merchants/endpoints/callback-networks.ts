import type { Actor } from '../../../kernel/actor.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import { partByMark } from '../../../platform/crypto/marks.ts'
import { isPrivateNetwork } from '../../../platform/http-client/outbound.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { ownerOf } from '../../../platform/postgres/sealed-rows.ts'
import { refuseField } from '../../../kernel/refusals/refuse.ts'
import { authorized, mustBeApproved } from '../../people/index.ts'
import type { NetworkChange } from '../allowed-networks.ts'
import type { SettingDeps } from '../changes/change-setting.ts'
import { mustFind } from '../find-merchants.ts'
import type { CallbackNetwork } from '../store.ts'
import { lockMerchant, selectCallbackNetworks, updateCallbackNetworks } from '../store.ts'

/** Private networks that callbacks of the merchant may go to. Two people allow one, in live; one takes it back. Returns all. */
export function changeCallbackNetworks(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  { add = [], remove = [] }: NetworkChange,
): Promise<string[]> {
  checkCallbackNetworks(add)
  return authorized(app, actor, 'endpoint.networks', async (tx, audit) => {
    if (add.length > 0) mustBeApproved(app)
    await lockMerchant(tx, merchantId)
    await mustFind(tx, merchantId)
    const inForce = () => callbackNetworks({ db: tx, marks: app.marks }, merchantId)
    const before = await inForce()
    const marked = add.map(async (network) => [network, await app.marks.of(rowOf({ merchantId, network }), null)])
    await updateCallbackNetworks(tx, merchantId, Object.fromEntries(await Promise.all(marked)), remove)
    const after = await inForce()
    await audit(`merchant:${merchantId}`, { before: { networks: before }, after: { networks: after } })
    return after
  })
}

export function checkCallbackNetworks(networks: string[]): void {
  for (const network of networks) {
    if (!isPrivateNetwork(network)) throw refuseField('network', 'callback_network_not_private', { network })
  }
}

type Deps = { db: Queryable; marks: Marks }

/** The connector asks at every new connection: one that was written in SQL must open no network. */
export async function callbackNetworks(app: Deps, merchantId: string): Promise<string[]> {
  return (await byMark(app, merchantId)).genuine.map(({ network }) => network)
}

/** Those that the service has not written. They count for nothing. */
export async function forgedNetworks(app: Deps): Promise<string[]> {
  return (await byMark(app, null)).forged.map(({ merchantId, network }) => `${network} of ${merchantId}`)
}

async function byMark({ db, marks }: Deps, merchantId: string | null) {
  const rows = await selectCallbackNetworks(db, merchantId)
  return partByMark(marks, rows, (row) => ({ name: rowOf(row), says: null, mark: row.mark }))
}

const rowOf = ({ merchantId, network }: Omit<CallbackNetwork, 'mark'>) =>
  ownerOf('callback_networks', [merchantId, network])
