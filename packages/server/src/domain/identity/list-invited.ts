import type { Actor } from '../../kernel/actor.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { takesCode } from './invitations/codes.ts'
import { openInvitations } from './invitations/store.ts'
import { inviterOf, mayGive } from './invitations/user-givers.ts'
import { everyUser } from './store.ts'

type Deps = { db: Queryable; clock: Clock; sandbox: boolean; marks: Marks }

export type InvitedUser = Awaited<ReturnType<typeof listInvitedUsers>>[number]

/** Users of a merchant who have not used their invitation yet. `inviter`: null if it was the staff. `mayGive`: the reader, the code. */
export async function listInvitedUsers(app: Deps, reader: Actor, merchantId: string) {
  const { db, clock } = app
  const open = (await openInvitations(db, clock.now())).filter((one) => one.merchantId === merchantId)
  const users = open.length === 0 ? [] : await everyUser(db, merchantId)
  return Promise.all(
    open.map(async (one) => ({
      ...{ id: one.id, name: one.name, role: one.role ?? '', invitedBy: one.invitedBy, expiresAt: one.expiresAt },
      ...{ inviter: inviterOf(users, one), needsCode: await takesCode(app, db, one), hasCode: one.codeMark !== null },
      mayGive: mayGive(reader, users, one),
    })),
  )
}
