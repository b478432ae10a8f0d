import { hashPassword } from '../../../platform/crypto/passwords.ts'
import { digestOf } from '../../../platform/crypto/tokens.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { recordLogin } from '../../people/index.ts'
import { attemptSucceeded, beginProof } from '../failures/attempts.ts'
import { deleteFactors } from '../factors/store.ts'
import type { Audience, IdentityDeps, Visitor } from '../identity.ts'
import { queueOf } from '../identity.ts'
import { auditOwn, entering } from '../own-acts.ts'
import { mustBeGoodPassword } from '../password-rules.ts'
import { takesFactor } from '../sessions/session.ts'
import { revoke } from '../sessions/store.ts'
import { changeLogin, invitationMark, loginMark } from '../mark-logins.ts'
import { insertLogin, lockLogin, selectLogin } from '../store.ts'
import { mustHaveCode, takesCode } from './codes.ts'
import { mustBeWithoutLogin, takenElsewhere } from './invite.ts'
import type { Stored } from './store.ts'
import { selectInvitation, takeInvitation } from './store.ts'

/** What the page of an invitation shows; null if it was used, replaced, or is older than 72 hours. */
export async function findInvitation(
  app: IdentityDeps,
  token: string,
): Promise<(Stored & { needsCode: boolean }) | null> {
  const found = await selectInvitation(app.db, digestOf(token), app.clock.now())
  if (!found || found.mark !== (await invitationMark(app.marks, found))) return null
  return { ...found, needsCode: await takesCode(app, app.db, found) }
}

/** Sets the password of a new login, or that of an existing one anew: its second factor and sessions end. */
export async function acceptInvitation(
  app: IdentityDeps,
  { token, password, code = '' }: { token: string; password: string; code?: string },
  visitor: Partial<Visitor> = {},
): Promise<{ audience: Audience; name: string }> {
  const invitation = await findInvitation(app, token)
  if (!invitation) throw notValid()
  const { audience, name, role } = invitation
  mustBeGoodPassword(password, { name, hasFactor: takesFactor(app, { audience, roles: [role ?? ''] }) })
  // First, since a hash takes long and anyone who has the link can ask for it.
  const attempt = invitation.needsCode ? await beginProof(app, invitation) : null
  await mustHaveCode(app, app.db, invitation, code)
  const hashed = await hashPassword(app, queueOf(invitation), password, app.passwordCost)
  await app.db.transaction(async (tx) => {
    if (!(await takeInvitation(tx, invitation.id, app.clock.now()))) throw notValid()
    await mustHaveCode(app, tx, invitation, code)
    if (audience === 'operator' && !(await recordLogin(tx, name))) throw notValid()
    const { id, isNew } = await setPassword(app, tx, invitation, hashed)
    const roles = audience === 'operator' ? [] : [invitation.role ?? '']
    const person = entering(null, { id, name, merchantId: invitation.merchantId, roles }, visitor)
    await auditOwn(app, tx, person, 'login.accept_invitation', { after: { isNew } })
    if (attempt) await attemptSucceeded(tx, attempt)
  })
  return { audience, name }
}

type Invited = NonNullable<Awaited<ReturnType<typeof findInvitation>>>

const notValid = () => refuse('invitation_over')

async function setPassword(app: IdentityDeps, tx: Tx, invitation: Invited, password: string) {
  const { audience, name, merchantId, role } = invitation
  const now = app.clock.now()
  const deviceKey = app.random.hex(32)
  const known = await selectLogin(tx, audience, name)
  if (!known) {
    const login = { id: app.ids.next(), audience, name, merchantId, role, password, deviceKey, createdAt: now }
    await insertLogin(tx, { ...login, mark: await loginMark(app.marks, login) })
    return { id: login.id, isNew: true }
  }
  if (known.merchantId !== merchantId) throw takenElsewhere()
  // It was made before the login was, or before there was a second admin.
  if (audience === 'operator') await mustBeWithoutLogin(app, tx, name)
  if (!(await lockLogin(tx, known.id))) throw notValid()
  await changeLogin(app, tx, known, { password, deviceKey, role })
  await deleteFactors(tx, known.id)
  await revoke(tx, { loginId: known.id }, now)
  return { id: known.id, isNew: false }
}
