import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { decides, listOperators } from '../people/index.ts'
import { takesCode } from './invitations/codes.ts'
import type { Stored } from './invitations/store.ts'
import { openInvitations } from './invitations/store.ts'
import { selectStaffLogins } from './sessions/store.ts'

type Deps = { db: Queryable; clock: Clock; sandbox: boolean; marks: Marks }

/** `login` is null for a person who has none, or who may not decide any more. */
export type StaffMember = Awaited<ReturnType<typeof listStaff>>[number]

/** The operator's staff with their logins, those who may not decide any more last. */
export async function listStaff(app: Deps) {
  const { db, clock, sandbox } = app
  const [people, logins, open] = [
    await listOperators(db),
    new Map((await selectStaffLogins(db, { sandbox })).map((login) => [login.name, login])),
    await openInvitations(db, clock.now()),
  ]
  const invited = new Map(open.filter(({ audience }) => audience === 'operator').map((one) => [one.name, one]))
  const staff = await Promise.all(
    people.map(async (person) => {
      const one = person.disabledAt === null ? invited.get(person.name) : undefined
      return { ...person, login: logins.get(person.name) ?? null, invitation: one ? await shown(app, one) : null }
    }),
  )
  return staff.toSorted((a, b) => Number(a.disabledAt !== null) - Number(b.disabledAt !== null))
}

/** `hasCode`: another admin has given its code. */
async function shown(app: Deps, one: Stored) {
  const { invitedBy, expiresAt, codeMark } = one
  return { invitedBy, expiresAt, needsCode: await takesCode(app, app.db, one), hasCode: codeMark !== null }
}

/** Who may decide and has no login yet: whoever makes that login decides. Since when, oldest first. */
export function withoutLogin(staff: StaffMember[]): { name: string; since: Date; isInvited: boolean }[] {
  return staff
    .filter(({ roles, login, disabledAt }) => decides(roles) && login === null && disabledAt === null)
    .map(({ name, createdAt, invitation }) => ({ name, since: createdAt, isInvited: invitation !== null }))
    .toSorted((a, b) => Number(a.since) - Number(b.since))
}
