import { resolve } from 'node:path'
import type { ConnectionUpdate, NewConnection } from '../connections/index.ts'
import {
  addConnection,
  changeConnection,
  checkNewConnection,
  checkUpdate,
  findConnection,
  lockConnection,
  sealGiven,
} from '../connections/index.ts'
import type { Difference } from '../people/index.ts'
import type { ProposalKind } from './proposal-kind.ts'

type Named = { name: string }

const OF_CONNECTION = { targetOf: ({ name }: Named) => `connection:${name}`, merchantOf: () => null }

/** Its key is sealed in the proposal. */
export const CONNECTION_ADD: ProposalKind<Named & { given: NewConnection }, void> = {
  ...OF_CONNECTION,
  action: 'connection.add',
  normalise(app, { name, given }) {
    if (given.kind === 'http_api')
      return Promise.resolve({ name, given: { ...sealGiven(app, name, given.url, given), url: given.url } })
    if (given.kind === 'manual') return Promise.resolve({ name, given })
    return Promise.resolve({ name, given: { ...given, folder: resolve(given.folder) } })
  },
  async describe(app, db, { name, given }) {
    await checkNewConnection(app, db, name, given)
    return {
      rows: [
        { field: 'connectionKind', as: 'text', before: null, after: given.kind },
        ...(given.kind === 'http_api' ? [text('url', null, given.url), text('key', null, 'key_set')] : []),
        ...(given.kind === 'file_exchange' ? [text('folder', null, given.folder), ordersRow(null, given.orders)] : []),
      ],
      alone: given.kind === 'manual',
    }
  },
  apply: (app, actor, { name, given }) => addConnection(app, actor, name, given),
}

/** Where money goes and comes from: address and key of a bank API, order profile of a file exchange. */
export const CONNECTION_CHANGE: ProposalKind<Named & ConnectionUpdate, void> = {
  ...OF_CONNECTION,
  action: 'connection.change',
  async normalise(app, { name, ...update }) {
    const row = await findConnection(app, name)
    const { access } = checkUpdate(app, row, update)
    return { name, ...(access ? sealGiven(app, name, access.url, update) : update) }
  },
  lock: async (tx, { name }) => void (await lockConnection(tx, name)),
  async describe(app, db, { name, ...update }) {
    const row = await findConnection({ db }, name)
    const { access, takesTwo } = checkUpdate(app, row, update)
    const { url, orders } = (row.settings ?? {}) as { url?: string; orders?: Record<string, unknown> | null }
    const rows = access
      ? [text('url', url ?? null, access.url), text('key', 'key_set', access.isNewKey ? 'key_changed' : 'key_set')]
      : [ordersRow(orders ?? null, update.orders ?? null)]
    return { rows, alone: !takesTwo }
  },
  apply: (app, actor, { name, ...update }) => changeConnection(app, actor, name, update),
}

const text = (field: string, before: string | null, after: string): Difference => ({ field, as: 'text', before, after })

function ordersRow(before: Record<string, unknown> | null, after: Record<string, unknown> | null): Difference {
  const texts = (profile: Record<string, unknown> | null) =>
    Object.entries(profile ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return { field: 'orders', as: 'list', before: texts(before), after: texts(after) }
}
