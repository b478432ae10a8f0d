import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import { base32 } from '../../../platform/crypto/totp.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Audit, Word } from '../../people/index.ts'
import { authorized, countedAdmins, decidesForMerchant, mustBeOfPerson, ofPeople } from '../../people/index.ts'
import type { IdentityDeps } from '../identity.ts'
import { everLoggedIn, everyUser } from '../store.ts'
import type { Invitation, Stored } from './store.ts'
import { lockInvitation, updateCodeMark } from './store.ts'
import { givingUsers, isByStaff, mayGive, teamTakesCode } from './user-givers.ts'

/** Eight letters and digits, to be told by phone. */
const BYTES = 5

type Deps = { sandbox: boolean; clock: Clock; marks: Marks }

/** Whether the person needs a code of someone else than the one who sees the link, who could become that person otherwise. */
export async function takesCode(app: Deps, db: Queryable, invitation: Invitation): Promise<boolean> {
  if (app.sandbox) return false
  const { merchantId } = invitation
  if (merchantId === null) return staffTakesCode(app, db, invitation)
  // Without a record of who invited it cannot be used: no one can give its code.
  if ((await ofPeople(app, db, [invitation], wordOf)).length === 0) return true
  const users = await everyUser(db, merchantId)
  // A new login that decides nothing: a role that does takes another invitation.
  if (!decidesForMerchant(invitation.role ?? '') && users.every(({ name }) => name !== invitation.name)) return false
  if (!isByStaff(invitation)) return teamTakesCode(users, invitation)
  return givingUsers(users, invitation).length > 0 || staffTakesCode(app, db, invitation)
}

/**
 * Not while no other admin has ever had a login, as in the first days. An admin who was disabled counts for a week, as for all that takes two,
 * unless no one has a login.
 */
async function staffTakesCode(app: Deps, db: Queryable, { name, invitedBy }: Invitation): Promise<boolean> {
  const { enabled, gone } = await countedAdmins(app, db)
  const withLogin = await everLoggedIn(db)
  if (withLogin.size === 0) return false
  const others = [...gone, ...enabled.filter((one) => withLogin.has(one.name))]
  return others.some((one) => one.name !== name && one.name !== invitedBy)
}

type Given = { name: string; code: string; expiresAt: Date }

/** The code of the open invitation of a person, shown once, to another admin than the one who invited. A new one replaces it. */
export async function giveInvitationCode(app: IdentityDeps, actor: Actor, name: string): Promise<Given> {
  return authorized(app, actor, 'operator.invite', async (tx, audit) => {
    const invitation = await lockInvitation(tx, { audience: 'operator', name }, app.clock.now())
    if (!invitation) throw refuse('invitation_missing', { name, merchant: null })
    if (invitation.invitedBy === actorName(actor))
      throw refuse('invitation_code_not_yours', { name, giver: giverOf(invitation) })
    const given = await give(app, tx, invitation)
    await audit(`operator:${name}`, { after: { invitationCode: true, invitedBy: invitation.invitedBy } })
    return given
  })
}

/** The same of a user of a merchant, to another person than the one who invited: of the staff, or of the merchant. */
export async function giveUserCode(app: IdentityDeps, actor: Actor, merchantId: string, email: string): Promise<Given> {
  const name = email.trim().toLowerCase()
  const decide = async (tx: Tx, audit: Audit) => {
    const invitation = await lockInvitation(tx, { audience: 'merchant', name }, app.clock.now())
    if (invitation?.merchantId !== merchantId) throw refuse('invitation_missing', { name, merchant: merchantId })
    if (!mayGive(actor, await everyUser(tx, merchantId), invitation))
      throw refuse('invitation_code_not_yours', { name, giver: giverOf(invitation) })
    const given = await give(app, tx, invitation)
    await audit(`merchant:${merchantId}`, { after: { invitationCode: true, invitedBy: invitation.invitedBy } })
    return given
  }
  return authorized(app, actor, 'merchant.code', decide, { usersOf: merchantId })
}

async function give(app: IdentityDeps, tx: Tx, invitation: Stored): Promise<Given> {
  await mustBeOfPerson(app, tx, wordOf(invitation))
  const code = base32(app.random.bytes(BYTES))
  await updateCodeMark(tx, invitation.id, await codeMark(app.marks, invitation, code))
  const { name, expiresAt } = invitation
  return { name, code: code.match(/.{4}/g)?.join('-').toLowerCase() ?? code, expiresAt }
}

function giverOf(invitation: Invitation) {
  if (invitation.audience === 'operator') return 'admin'
  return isByStaff(invitation) ? 'admin_or_owner' : 'owner_or_finance'
}

/** Who invited: the code is for another person to give. */
export const wordOf = ({ id, tokenHash, name, invitedBy }: Invitation): Word => ({
  row: ['login_invitations', id],
  person: invitedBy,
  says: { name, tokenHash },
})

/** Throws unless it is the code of this invitation, or none is needed. */
export async function mustHaveCode(app: IdentityDeps, db: Queryable, invitation: Stored, code: string): Promise<void> {
  if (!(await takesCode(app, db, invitation))) return
  const typed = code.replaceAll(/[\s-]/g, '').toUpperCase()
  if (invitation.codeMark !== null && invitation.codeMark === (await codeMark(app.marks, invitation, typed))) return
  throw refuse('invitation_code_wrong', { giver: giverOf(invitation) })
}

/** The code is not stored: its mark is. */
function codeMark(marks: Marks, { id, tokenHash }: Invitation, code: string): Promise<string> {
  return marks.of(`login_invitations/${id}/code`, { tokenHash, code })
}
