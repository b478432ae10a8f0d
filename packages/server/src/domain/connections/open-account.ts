import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { NewAccount } from '../banks/index.ts'
import { openCollectingAccount } from '../banks/index.ts'
import type { Authority } from '../people/index.ts'
import type { Connection } from './connection.ts'
import { chooseConnection, registerConnections } from './source-of-record.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids; connections: Connection[] }
type Facts = { iban: string; title: string; currency: string; connection?: string | undefined }

/**
 * Opens a collecting account with its source of record: the one named, or the only one that gives statements. If there are
 * several, the account waits for `account connect`: lines of two connections would be one payment booked twice.
 */
export function openConnectedAccount(app: Deps, actor: Actor, facts: Facts): Promise<NewAccount> {
  return openCollectingAccount(app, actor, facts, (tx) => connect(app, tx, facts.connection))
}

async function connect(app: Deps, tx: Tx, wanted: string | undefined) {
  await registerConnections(app, tx, wanted)
  return wanted === undefined ? chooseConnection(app, tx) : { connection: wanted, awaitsConnection: false }
}
