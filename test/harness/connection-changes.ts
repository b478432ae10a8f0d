import type { App } from '../../packages/server/src/compose.ts'
import { findAccount } from '../../packages/server/src/domain/banks/index.ts'
import {
  addConnection,
  changeConnection,
  selectConnections,
  setSourceOfRecord,
} from '../../packages/server/src/domain/connections/index.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'

const ADDED = { kind: 'http_api' as const, url: 'https://bank.example', key: 'k' }
const MOVED = { url: 'https://new.example', key: 'k2' }

/** Changes of a connection, and of the one of an account, that take two people: one after the other. */
export async function connectionChanges(app: App, actor: Actor, accountId: string) {
  const [name, connection] = ['garanti', 'manual-desk']
  await addConnection(app, actor, connection, { kind: 'manual' })
  const urlOf = async () => (await selectConnections(app.db)).find((one) => one.name === name)?.settings?.['url']
  return {
    'account.connect': {
      terms: { accounts: [accountId], connection },
      alone: () => setSourceOfRecord(app, actor, [accountId], connection),
      after: async () => (await findAccount(app, accountId)).connection,
      is: connection,
    },
    'connection.add': {
      terms: { name, given: ADDED },
      alone: () => addConnection(app, actor, name, ADDED),
      after: urlOf,
      is: ADDED.url,
    },
    'connection.change': {
      terms: { name, ...MOVED },
      alone: () => changeConnection(app, actor, name, MOVED),
      after: urlOf,
      is: MOVED.url,
    },
  }
}
