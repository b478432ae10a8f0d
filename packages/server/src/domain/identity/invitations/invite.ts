import type { Actor } from '../../../kernel/actor.ts'
import { actorName, UNATTRIBUTED } from '../../../kernel/actor.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { digestOf, newToken } from '../../../platform/crypto/tokens.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import { findMerchant } from '../../merchants/index.ts'
import type { MerchantRole } from '../../people/index.ts'
import type { Audit } from '../../audit/index.ts'
import { openAudit } from '../../audit/index.ts'
import {
  addOperator,
  authorize,
  listOperators,
  lockActive,
  markWord,
  MERCHANT_ROLES,
  secondAdmin,
  takesSecondAdmin,
} from '../../people/index.ts'
import type { Audience, IdentityDeps } from '../identity.ts'
import { plusSeconds } from '../identity.ts'
import { invitationMark } from '../mark-logins.ts'
import { everyUser, listLogins, selectLogin } from '../store.ts'
import { takesCode, wordOf } from './codes.ts'
import type { Invitation } from './store.ts'
import { insertInvitation } from './store.ts'
import { givingUsers, isByStaff } from './user-givers.ts'

/** The token is shown once: only its digest is stored. `path` is where the person chooses a password, with a code of another person if `needsCode`. */
export type Invited = {
  audience: Audience
  name: string
  token: string
  path: string
  expiresAt: Date
  needsCode: boolean
}

const HOURS = 72

/** A login for a person of the staff. One who has a login sets everything up anew with it: while there is no second admin. */
export async function inviteOperator(app: IdentityDeps, actor: Actor, name: string): Promise<Invited> {
  return app.db.transaction(async (tx) => {
    const audit = await authorize(app, tx, actor, 'operator.invite')
    // Refused while no one is there who could give the code.
    await takesSecondAdmin(app, tx)
    return inviteActive(app, tx, actor, name, audit)
  })
}

/** In live only while no operator has a login: afterwards admins invite. */
export async function createAdmin(app: IdentityDeps, name: string): Promise<Invited> {
  await mustBeFirst(app)
  const known = (await listOperators(app.db)).find((one) => one.name === name)
  if (!known) await addOperator(app, UNATTRIBUTED, name, ['admin'])
  if (known && !known.roles.includes('admin')) throw refuse('admin_role_missing', { name })
  return app.db.transaction((tx) =>
    inviteActive(app, tx, UNATTRIBUTED, name, openAudit(app, tx, UNATTRIBUTED, 'operator.invite')),
  )
}

async function mustBeFirst(app: IdentityDeps): Promise<void> {
  if (app.sandbox || !(await hasOperatorLogin(app))) return
  throw refuse('first_login_made')
}

/** From then on `--as NAME` takes a login in live. */
export async function hasOperatorLogin({ db }: Pick<IdentityDeps, 'db'>): Promise<boolean> {
  return (await listLogins(db, { audience: 'operator' })).length > 0
}

async function inviteActive(app: IdentityDeps, tx: Tx, actor: Actor, name: string, audit: Audit): Promise<Invited> {
  if ((await lockActive(tx, [name])).length === 0) throw refuse('operator_not_active', { name })
  await mustBeWithoutLogin(app, tx, name)
  await audit(`operator:${name}`, { after: { invited: true } })
  return insert(app, tx, actor, { audience: 'operator', name, merchantId: null, role: null })
}

/** Who invites sees the link: with it one admin could become any person of the staff. */
export async function mustBeWithoutLogin(app: IdentityDeps, tx: Tx, name: string): Promise<void> {
  if (!(await selectLogin(tx, 'operator', name)) || !(await secondAdmin(app, tx)).needed) return
  throw refuse('operator_has_login', { name })
}

/** A login for the merchant console, by an admin or by an owner of the merchant. One who has a login sets everything up anew. */
export async function inviteMerchantUser(
  app: IdentityDeps,
  actor: Actor,
  merchantId: string,
  { email: given, role }: { email: string; role: string },
): Promise<Invited> {
  const email = given.trim().toLowerCase()
  return app.db.transaction(async (tx) => {
    const audit = await authorize(app, tx, actor, 'merchant.invite', { usersOf: merchantId })
    await findMerchant({ db: tx }, merchantId)
    if (!/^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,180}\.[^\s@\p{C}]{2,}$/u.test(email))
      throw refuseField('email', 'email_malformed')
    if (!MERCHANT_ROLES.includes(role as MerchantRole))
      throw refuseField('role', 'not_one_of', { known: MERCHANT_ROLES })
    const known = await selectLogin(tx, 'merchant', email)
    if (known && known.merchantId !== merchantId) throw takenElsewhere()
    await audit(`merchant:${merchantId}`, { after: { invited: true, role } })
    const invited = await insert(app, tx, actor, { audience: 'merchant', name: email, merchantId, role })
    if (invited.needsCode) await mustHaveGiver(app, tx, merchantId, { name: email, invitedBy: actorName(actor) })
    return invited
  })
}

/** Refused while no one is there who could give the code. */
async function mustHaveGiver(
  app: IdentityDeps,
  tx: Tx,
  merchantId: string,
  invited: Pick<Invitation, 'name' | 'invitedBy'>,
): Promise<void> {
  if (givingUsers(await everyUser(tx, merchantId), invited).length > 0) return
  if (isByStaff(invited)) await takesSecondAdmin(app, tx)
  else throw refuse('invitation_code_without_giver', { name: invited.name })
}

export const takenElsewhere = () => refuse('user_email_taken')

async function insert(
  app: IdentityDeps,
  tx: Tx,
  actor: Actor,
  invitation: Pick<Invitation, 'audience' | 'name' | 'merchantId' | 'role'>,
): Promise<Invited> {
  const now = app.clock.now()
  const token = newToken(app)
  const { audience, name } = invitation
  const expiresAt = plusSeconds(now, HOURS * 3600)
  const made = {
    id: app.ids.next(),
    tokenHash: digestOf(token),
    invitedBy: actorName(actor),
    createdAt: now,
    expiresAt,
  }
  const row = { ...invitation, ...made }
  await insertInvitation(tx, { ...row, mark: await invitationMark(app.marks, row) })
  await markWord(app, tx, wordOf(row))
  const needsCode = await takesCode(app, tx, row)
  return { audience, name, token, path: `/${audience}/invitation/${token}`, expiresAt, needsCode }
}
