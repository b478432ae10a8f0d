import type { Queryable } from '../../../platform/postgres/db.ts'
import { selectPasskeys } from '../passkeys/store.ts'
import { countRecoveryCodes } from '../store.ts'
import { selectTotp } from './store.ts'

/** What a login can prove itself with, besides the password; of recovery codes those that are left. */
export async function listFactors({ db }: { db: Queryable }, { loginId }: { loginId: string }) {
  const totp = (await selectTotp(db, loginId, true)) !== undefined
  const passkeys = (await selectPasskeys(db, loginId)).map(({ id, label, createdAt, lastUsedAt }) => {
    return { id, label, createdAt, lastUsedAt }
  })
  return { totp, passkeys, recoveryCodes: await countRecoveryCodes(db, loginId) }
}
