import { createHash } from 'node:crypto'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Random } from '../../platform/crypto/random.ts'
import type { Deposit } from './deposit.ts'
import { findDeposit, setHandover, takeHandover } from './store.ts'

/**
 * Hands a checkout page over to another device: a code that works once, for a few minutes, so that a photo of the QR code
 * opens nothing later. A deposit has one at a time; a newer one replaces it.
 */
const ID_BYTES = 12
const SECRET_BYTES = 16
const SHAPE = /^[A-Za-z0-9_-]{54}$/

/** Enough to take the phone out and unlock it; the page renews the code before. */
const VALID_MS = 5 * 60_000

type Deps = { db: Db; clock: Clock }
type Key = Pick<Deposit, 'merchantId' | 'id'>

export async function makeHandover(app: Deps & { random: Random }, { merchantId, id }: Key): Promise<string> {
  const secret = app.random.bytes(SECRET_BYTES)
  const until = new Date(app.clock.now().getTime() + VALID_MS)
  await app.db.oneStatement((tx) => setHandover(tx, { merchantId, id }, hashOf(secret), until))
  return Buffer.concat([Buffer.from(merchantId + id, 'hex'), secret]).toString('base64url')
}

/** Returns the deposit that a code opens, and makes the code useless; null for any that is wrong, used or old. */
export async function useHandover(app: Deps, code: string): Promise<Deposit | null> {
  const bytes = SHAPE.test(code) ? Buffer.from(code, 'base64url') : Buffer.alloc(0)
  if (bytes.length !== 2 * ID_BYTES + SECRET_BYTES) return null
  const merchantId = bytes.subarray(0, ID_BYTES).toString('hex')
  const id = bytes.subarray(ID_BYTES, 2 * ID_BYTES).toString('hex')
  const hash = hashOf(bytes.subarray(2 * ID_BYTES))
  const taken = await app.db.oneStatement((tx) => takeHandover(tx, { merchantId, id }, hash, app.clock.now()))
  return taken ? ((await findDeposit(app.db, merchantId, id)) ?? null) : null
}

function hashOf(secret: Buffer): Buffer {
  return createHash('sha256').update(secret).digest()
}
