import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import { hmacSha256 } from '../../../platform/crypto/hmac.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import { NoMarkKey, openMarks } from '../../../platform/crypto/marks.ts'
import type { Random } from '../../../platform/crypto/random.ts'
import { SettingsError } from '../../../platform/read-setting.ts'
import { ownerOf } from '../../../platform/postgres/sealed-rows.ts'
import type { Vault } from '../../../platform/crypto/vault.ts'
import { UnopenedError } from '../../../platform/crypto/vault.ts'
import { upgradeMerchantSecrets } from '../../merchants/index.ts'
import { deleteSecret, deploymentSecrets, insertSecret, lockSecrets, selectSecrets } from './store.ts'
import { LATE_PAYMENT_DAYS } from '../deposit.ts'

/** Keys for checkout tokens: they derive 256 bits in hex for a deposit, which only this deployment can compute. */
export type CheckoutKeys = {
  /** Called once before the first request, so that responses contain a checkout address without a database query. */
  load: () => Promise<void>
  derive: (subject: string) => string
  /** Also derives with the key from before this table existed, for as long as pages made with it live. */
  deriveAll: (subject: string) => string[]
}

type Deps = { db: Db; clock: Clock; random: Random; vault: Vault }
type Mac = ReturnType<typeof hmacSha256>

// In this order in the table: new tokens are made with the first.
const CURRENT = 'checkout-token'
const BEFORE = 'checkout-token-before-0027'
const MARKS = 'row-marks'
const DAY_MS = 86_400_000

export function openCheckoutKeys(app: { db: Queryable; vault: Vault }): CheckoutKeys {
  let macs: Mac[] = []
  const derive = (mac: Mac | undefined, subject: string) => {
    if (!mac) throw new Error('No checkout key was loaded. Run: vezne migrate')
    return mac([`checkout:${subject}`], 'hex')
  }
  return {
    async load() {
      macs = (await openKeys(app)).map((key) => hmacSha256(Buffer.from(key, 'hex')))
    },
    derive: (subject) => derive(macs[0], subject),
    deriveAll: (subject) => macs.map((mac) => derive(mac, subject)),
  }
}

/**
 * Checks the master key at every start. The first start makes the token key and reseals rows of the first format:
 * only then, or an old row could be copied to another merchant later. Older tokens were derived from `masterKey`.
 */
export async function prepareCheckoutKeys(app: Deps, masterKey: Buffer): Promise<void> {
  if ((await openKeys(app)).length === 0) await makeKeys(app, masterKey)
  const pagesEnded = new Date(app.clock.now().getTime() - (LATE_PAYMENT_DAYS + 1) * DAY_MS)
  await app.db.oneStatement((tx) => deleteSecret(tx, BEFORE, pagesEnded))
}

/** A setting to correct, whatever needed the key first: a start, a secret to seal, or a mark. */
export const wrongMasterKey = (problem: string) => new SettingsError([`VEZNE_MASTER_KEY does not fit: ${problem}`])

/** Why this process must not seal a secret: none of the deployment's processes could open it. Null if its key fits. */
export async function masterKeyProblem(app: { db: Queryable; vault: Vault }): Promise<string | null> {
  try {
    return (await openKeys(app)).length > 0 ? null : 'the database has no secret yet. Run: vezne migrate'
  } catch (error) {
    return (error as Error).message
  }
}

function makeKeys({ db, clock, random, vault }: Deps, masterKey: Buffer): Promise<void> {
  return db.transaction(async (tx) => {
    await lockSecrets(tx)
    if ((await tokenKeys(tx)).length > 0) return
    const insert = (name: string, key: string) =>
      insertSecret(tx, { name, sealed: vault.seal(key, ownerOf(deploymentSecrets.name, [name])) }, clock.now())
    const { found, upgraded } = await upgradeMerchantSecrets(tx, vault)
    if (found > 0 && upgraded === 0) {
      throw new UnopenedError(
        "no merchant's secret in this database opens. Start with the key that they were sealed with.",
      )
    }
    await insert(CURRENT, random.hex(32))
    if (found > 0) await insert(BEFORE, masterKey.toString('hex'))
  })
}

async function openKeys({ db, vault }: { db: Queryable; vault: Vault }): Promise<string[]> {
  const rows = await tokenKeys(db)
  return rows.map(({ name, sealed }) => vault.open(sealed, ownerOf(deploymentSecrets.name, [name])))
}

const tokenKeys = async (db: Queryable) => (await selectSecrets(db)).filter(({ name }) => name !== MARKS)

/** The key of the marks of rows. A new master key reseals it, so marks survive a rotation. */
export async function loadMarkKey({ db, vault }: { db: Queryable; vault: Vault }): Promise<Buffer> {
  const found = await findMarkKey(db)
  if (!found)
    throw new SettingsError(
      [
        'The database has no key for the marks of rows. Run: vezne migrate. If that says that the key is lost, see docs/operations.md, "The key of the marks is lost".',
      ],
      { cause: new NoMarkKey() },
    )
  try {
    return Buffer.from(vault.open(found.sealed, ownerOf(deploymentSecrets.name, [MARKS])), 'hex')
  } catch (error) {
    throw error instanceof UnopenedError ? wrongMasterKey(error.message) : error
  }
}

const findMarkKey = async (db: Queryable) => (await selectSecrets(db)).find(({ name }) => name === MARKS)

/** The first start makes the key and, in the same transaction, marks what is there: only then, or a row of an attacker would be, too. */
export async function prepareMarkKey(app: Deps, markAll: (tx: Tx, marks: Marks) => Promise<void>): Promise<void> {
  if (await findMarkKey(app.db)) return
  await app.db.transaction(async (tx) => {
    await lockSecrets(tx)
    if (await findMarkKey(tx)) return
    const key = app.random.hex(32)
    const sealed = app.vault.seal(key, ownerOf(deploymentSecrets.name, [MARKS]))
    await insertSecret(tx, { name: MARKS, sealed }, app.clock.now())
    await markAll(
      tx,
      openMarks(app.random, async () => Buffer.from(key, 'hex')),
    )
  })
}
