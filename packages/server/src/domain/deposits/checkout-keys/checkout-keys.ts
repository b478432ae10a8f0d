import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import { hmacSha256 } from '../../../platform/crypto/hmac.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import { openMarks } from '../../../platform/crypto/marks.ts'
import type { Random } from '../../../platform/crypto/random.ts'
import { SettingsError } from '../../../platform/read-setting.ts'
import { ownerOf } from '../../../platform/postgres/sealed-rows.ts'
import type { Vault } from '../../../platform/crypto/vault.ts'
import { UnopenedError } from '../../../platform/crypto/vault.ts'
import { deploymentSecrets, insertSecret, lockSecrets, selectSecrets } from './store.ts'

/** The key for checkout tokens: it derives 256 bits in hex for a deposit, which only this deployment can compute. */
export type CheckoutKeys = {
  /** Called once before the first request, so that responses contain a checkout address without a database query. */
  load: () => Promise<void>
  derive: (subject: string) => string
}

type Deps = { db: Db; clock: Clock; random: Random; vault: Vault }
type Opened = { db: Queryable; vault: Vault }

const TOKENS = 'checkout-token'
const MARKS = 'row-marks'

export function openCheckoutKeys(app: Opened): CheckoutKeys {
  let mac: ReturnType<typeof hmacSha256> | null = null
  return {
    async load() {
      const key = await openKey(app, TOKENS)
      mac = key && hmacSha256(key)
    },
    derive(subject) {
      if (!mac) throw new Error('No checkout key was loaded. Run: vezne migrate')
      return mac([`checkout:${subject}`], 'hex')
    },
  }
}

/** Checks the master key at every start. The first start makes the key of tokens. */
export async function prepareCheckoutKeys(app: Deps): Promise<void> {
  if (!(await openKey(app, TOKENS))) await makeKey(app, TOKENS)
}

/** A setting to correct, whatever needed the key first: a start, a secret to seal, or a mark. */
export const wrongMasterKey = (problem: string) => new SettingsError([`VEZNE_MASTER_KEY does not fit: ${problem}`])

/** Why this process must not seal a secret: none of the deployment's processes could open it. Null if its key fits. */
export async function masterKeyProblem(app: Opened): Promise<string | null> {
  try {
    return (await openKey(app, TOKENS)) ? null : 'the database has no secret yet. Run: vezne migrate'
  } catch (error) {
    return (error as Error).message
  }
}

/** The key of the marks of rows. A new master key reseals it, so marks survive a rotation. */
export async function loadMarkKey(app: Opened): Promise<Buffer> {
  try {
    const key = await openKey(app, MARKS)
    if (key) return key
  } catch (error) {
    throw error instanceof UnopenedError ? wrongMasterKey(error.message) : error
  }
  throw new SettingsError([
    'The database has no key for the marks of rows. Run: vezne migrate. If that says that the key is lost, see docs/operations.md, "The key of the marks is lost".',
  ])
}

/** The first start makes the key and, in the same transaction, marks what is there: only then, or a row of an attacker would be, too. */
export async function prepareMarkKey(app: Deps, markAll: (tx: Tx, marks: Marks) => Promise<void>): Promise<void> {
  if (await findSecret(app.db, MARKS)) return
  await makeKey(app, MARKS, (tx, key) =>
    markAll(
      tx,
      openMarks(app.random, async () => key),
    ),
  )
}

const findSecret = async (db: Queryable, name: string) => (await selectSecrets(db)).find((one) => one.name === name)

async function openKey({ db, vault }: Opened, name: string): Promise<Buffer | null> {
  const found = await findSecret(db, name)
  return found ? Buffer.from(vault.open(found.sealed, ownerOf(deploymentSecrets.name, [name])), 'hex') : null
}

/** Of several processes that start at once, one makes the key and does what belongs to it. */
function makeKey(app: Deps, name: string, also?: (tx: Tx, key: Buffer) => Promise<void>): Promise<void> {
  return app.db.transaction(async (tx) => {
    await lockSecrets(tx)
    if (await findSecret(tx, name)) return
    const key = app.random.hex(32)
    const sealed = app.vault.seal(key, ownerOf(deploymentSecrets.name, [name]))
    await insertSecret(tx, { name, sealed }, app.clock.now())
    await also?.(tx, Buffer.from(key, 'hex'))
  })
}
