import type { Actor } from '../../../kernel/actor.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { openAudit } from '../../audit/index.ts'
import { authorize } from '../../people/index.ts'
import type { Audience, IdentityDeps } from '../identity.ts'
import { plusSeconds } from '../identity.ts'
import { deleteOldFailures } from '../failures/store.ts'
import { deleteInvitations } from '../invitations/store.ts'
import { deleteChallenges } from '../passkeys/store.ts'
import { deleteSessions, revoke, selectOwner, selectSessions } from './store.ts'

export async function logOut(app: IdentityDeps, session: { id: string }): Promise<void> {
  await app.db.oneStatement((tx) => revoke(tx, { sessionId: session.id }, app.clock.now()))
}

/** Sessions that are valid now: of a login, of a merchant's users, or of an audience. */
export function listSessions(
  { db, clock }: IdentityDeps,
  only: { audience?: Audience; name?: string; loginId?: string; merchantId?: string },
) {
  return selectSessions(db, only, clock.now())
}

/** One's own, or with the right that of another person. */
export async function revokeSession(app: IdentityDeps, actor: Actor, id: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    const owner = await selectOwner(tx, id)
    const audit = isOwn(actor, owner)
      ? openAudit(app, tx, actor, 'session.revoke')
      : await authorize(app, tx, actor, 'session.revoke', owner?.merchantId ? { usersOf: owner.merchantId } : {})
    if (!owner) throw refuse('session_unknown', { session: id })
    await revoke(tx, { sessionId: id }, app.clock.now())
    await audit(`session:${id}`, { after: { revoked: true, loginId: owner.loginId } })
  })
}

function isOwn(actor: Actor, owner: Awaited<ReturnType<typeof selectOwner>>): boolean {
  if (actor.kind === 'merchant_user') return actor.login === owner?.loginId
  return actor.kind === 'operator' && owner?.audience === 'operator' && owner.name === actor.name
}

const DAY = 86_400
/** Ended sessions are kept this long for questions about who was logged in. */
const KEEP_DAYS = 30

/** Deletes what has ended. Returns the number of rows. */
export async function pruneLogins({ db, clock }: Pick<IdentityDeps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  return db.transaction(async (tx) => {
    const failures = await deleteOldFailures(tx, plusSeconds(now, -DAY))
    const invitations = await deleteInvitations(tx, plusSeconds(now, -KEEP_DAYS * DAY))
    const challenges = await deleteChallenges(tx, now)
    return failures + invitations + challenges + (await deleteSessions(tx, plusSeconds(now, -KEEP_DAYS * DAY)))
  })
}
