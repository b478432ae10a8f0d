import { hashPassword } from '../../../platform/crypto/passwords.ts'
import { digestOf } from '../../../platform/crypto/tokens.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { lockActive } from '../../people/index.ts'
import { deleteFactors } from '../factors/store.ts'
import type { Audience, IdentityDeps } from '../identity.ts'
import { mustBeGoodPassword } from '../password-rules.ts'
import { revoke } from '../sessions/store.ts'
import { findLogin, insertLogin, lockLogin, updatePassword, updateRole } from '../store.ts'
import { takenElsewhere } from './invite.ts'
import type { Invitation } from './store.ts'
import { selectInvitation, takeInvitation } from './store.ts'

/** What the page of an invitation shows; null if it was used, replaced, or is older than 72 hours. */
export async function findInvitation(
  { db, clock }: IdentityDeps,
  token: string,
): Promise<Pick<Invitation, 'audience' | 'name' | 'merchantId' | 'role' | 'expiresAt'> | null> {
  return (await selectInvitation(db, digestOf(token), clock.now())) ?? null
}

/** Sets the password of a new login, or that of an existing one anew: its second factor and sessions end. */
export async function acceptInvitation(
  app: IdentityDeps,
  { token, password }: { token: string; password: string },
): Promise<{ audience: Audience; name: string }> {
  const invitation = await selectInvitation(app.db, digestOf(token), app.clock.now())
  if (!invitation) throw notValid()
  const { audience, name } = invitation
  // An operator in live has to set up a second factor next.
  mustBeGoodPassword(password, { name, hasFactor: audience === 'operator' && !app.sandbox })
  const hashed = await hashPassword(app, password, app.passwordCost)
  await app.db.transaction(async (tx) => {
    if (!(await takeInvitation(tx, invitation.id, app.clock.now()))) throw notValid()
    if (audience === 'operator' && !(await lockActive(tx, [name])).has(name)) throw notValid()
    await setPassword(app, tx, invitation, hashed)
  })
  return { audience, name }
}

const notValid = () =>
  new Refusal('NOT_FOUND', 'This invitation was used, replaced or is older than 72 hours. Ask for another one.')

async function setPassword(app: IdentityDeps, tx: Tx, invitation: Invitation, password: string): Promise<void> {
  const { audience, name, merchantId, role } = invitation
  const now = app.clock.now()
  const deviceKey = app.random.hex(32)
  const known = await findLogin(tx, audience, name)
  if (!known) {
    const id = app.ids.next()
    return insertLogin(tx, { id, audience, name, merchantId, role, password, deviceKey, createdAt: now })
  }
  if (known.merchantId !== merchantId) throw takenElsewhere()
  if (!(await lockLogin(tx, known.id))) throw notValid()
  if (!(await updatePassword(tx, known.id, { from: known.password, to: password, deviceKey }))) throw notValid()
  if (role !== null) await updateRole(tx, known.id, role)
  await deleteFactors(tx, known.id)
  await revoke(tx, { loginId: known.id }, now)
}
