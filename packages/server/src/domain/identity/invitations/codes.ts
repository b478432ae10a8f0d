import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import { base32 } from '../../../platform/crypto/totp.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Word } from '../../people/index.ts'
import { authorized, countedAdmins, mustBeOfPerson } from '../../people/index.ts'
import type { IdentityDeps } from '../identity.ts'
import { everLoggedIn } from '../store.ts'
import type { Invitation, Stored } from './store.ts'
import { lockInvitation, updateCodeMark } from './store.ts'

/** Eight letters and digits, to be told by phone. */
const BYTES = 5

type Invited = Pick<Invitation, 'audience' | 'name' | 'invitedBy'>

/**
 * Whether the person needs a code of another admin than the one who sees the link, who could become that person otherwise. Not while
 * no other admin has ever had a login, as in the first days. An admin who was disabled counts for a week, as for all that takes two, unless no
 * one has a login.
 */
export async function takesCode(
  app: { sandbox: boolean; clock: Clock; marks: Marks },
  db: Queryable,
  { audience, name, invitedBy }: Invited,
): Promise<boolean> {
  if (app.sandbox || audience !== 'operator') return false
  const { enabled, gone } = await countedAdmins(app, db)
  const withLogin = await everLoggedIn(db)
  if (withLogin.size === 0) return false
  const others = [...gone, ...enabled.filter((one) => withLogin.has(one.name))]
  return others.some((one) => one.name !== name && one.name !== invitedBy)
}

/** The code of the open invitation of a person, shown once, to another admin than the one who invited. A new one replaces it. */
export async function giveInvitationCode(
  app: IdentityDeps,
  actor: Actor,
  name: string,
): Promise<{ name: string; code: string; expiresAt: Date }> {
  return authorized(app, actor, 'operator.invite', async (tx, audit) => {
    const invitation = await lockInvitation(tx, name, app.clock.now())
    if (!invitation)
      throw new Refusal('NOT_FOUND', `${name} has no open invitation. Invite the person: vezne operator invite ${name}`)
    if (invitation.invitedBy === actorName(actor))
      throw new Refusal('INVALID_STATE', `You have invited ${name} and saw the link: another admin gives the code.`)
    await mustBeOfPerson(app, tx, wordOf(invitation))
    const code = base32(app.random.bytes(BYTES))
    await updateCodeMark(tx, invitation.id, await codeMark(app.marks, invitation, code))
    await audit(`operator:${name}`, { after: { invitationCode: true, invitedBy: invitation.invitedBy } })
    return { name, code: code.match(/.{4}/g)?.join('-').toLowerCase() ?? code, expiresAt: invitation.expiresAt }
  })
}

/** Who invited: the code is for another admin to give. */
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
  throw new Refusal('INVALID_STATE', 'The code does not fit. Another admin than the one who sent the link gives it.')
}

/** The code is not stored: its mark is. */
function codeMark(marks: Marks, { id, tokenHash }: Invitation, code: string): Promise<string> {
  return marks.of(`login_invitations/${id}/code`, { tokenHash, code })
}
