import type { Address } from '../../platform/http/ip.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { PasswordCost, Queue } from '../../platform/crypto/passwords.ts'
import type { Random } from '../../platform/crypto/random.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import type { Authority } from '../people/index.ts'

/** Which console a login is for. */
export type Audience = 'operator' | 'merchant'

/**
 * Times of sessions, invitations and failures are of `clock`, which follows the database: the same in every process. Codes of
 * authenticator apps are checked by `realClock`, because a sandbox can move the other.
 */
export type IdentityDeps = Authority & {
  db: Db
  clock: Clock
  realClock: Clock
  random: Random
  ids: Ids
  vault: Vault
  passwordCost: PasswordCost
}

/** Where a login comes from. */
export type Visitor = {
  address: Address | null
  userAgent: string | null
  /** The cookie of an earlier success, as `logIn` returned it. */
  device?: string | null
  /** Set by the command line: the token works on this host only. */
  host?: string
}

export function plusSeconds(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}

/** Where the password of a known person waits: with the staff, or with the users of the merchant. */
export function queueOf({ name, merchantId }: { name: string; merchantId: string | null }): Queue {
  return merchantId === null ? { name: 'staff', party: name } : { name: 'merchants', party: merchantId }
}
