import type { Queryable } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { listOperators } from '../people/index.ts'
import { selectInvitedStaff } from './invitations/store.ts'
import { selectStaffLogins } from './sessions/store.ts'

type Deps = { db: Queryable; clock: Clock; sandbox: boolean }

/** `login` is null for a person who has none, or who may not decide any more. */
export type StaffMember = Awaited<ReturnType<typeof listStaff>>[number]

/** The operator's staff with their logins, those who may not decide any more last. */
export async function listStaff({ db, clock, sandbox }: Deps) {
  const [people, logins, invited] = [
    await listOperators(db),
    new Map((await selectStaffLogins(db, { sandbox })).map((login) => [login.name, login])),
    new Map((await selectInvitedStaff(db, clock.now())).map(({ name, expiresAt }) => [name, expiresAt])),
  ]
  const staff = people.map((person) => ({
    ...person,
    login: logins.get(person.name) ?? null,
    invitedUntil: person.disabledAt === null ? (invited.get(person.name) ?? null) : null,
  }))
  return staff.toSorted((a, b) => Number(a.disabledAt !== null) - Number(b.disabledAt !== null))
}
