import { istanbul } from '../../kernel/istanbul.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { DAY_MS } from '../../platform/time/clock.ts'
import { operatorFits } from './mark-people.ts'
import type { Role } from './rights.ts'
import { DECIDING, isAdminWithMoney } from './rights.ts'
import type { Operator } from './store.ts'
import { listOperators } from './store.ts'

type Deps = { sandbox: boolean; clock: Clock; marks: Marks }

/** As long as a proposal may wait. */
const WEEK_MS = 7 * DAY_MS

const isAdmin = ({ roles }: Operator) => roles.includes('admin')

/**
 * Admins of a live deployment. One who was disabled counts for a week, or one could disable the others and go on alone; not one who
 * never had a login, as after a typing error. Whose row was changed in SQL counts as an admin, or that would make one alone.
 */
export async function countedAdmins(
  { sandbox, clock, marks }: Deps,
  db: Queryable,
): Promise<{ enabled: Operator[]; gone: Operator[] }> {
  const people = sandbox ? [] : await listOperators(db)
  const fits = await Promise.all(people.map((one) => operatorFits(marks, one)))
  const enabled = people.filter((one, at) => !fits[at] || (isAdmin(one) && one.disabledAt === null))
  const gone = people.filter((one, at) => fits[at] && isAdmin(one) && wasDisabled(one, clock.now()))
  return { enabled, gone }
}

const wasDisabled = ({ disabledAt, hadLogin }: Operator, now: Date) =>
  disabledAt !== null && hadLogin && now.getTime() - disabledAt.getTime() <= WEEK_MS

/** Whether a second admin has to approve what gives a person power: not while there is one admin only. */
export async function secondAdmin(app: Deps, db: Queryable): Promise<{ needed: boolean; gone: Operator[] }> {
  const { enabled, gone } = await countedAdmins(app, db)
  return { needed: enabled.length > 0 && enabled.length + gone.length > 1, gone: enabled.length === 1 ? gone : [] }
}

/** The same, refused while there is no one who could approve it. */
export async function takesSecondAdmin(app: Deps, db: Queryable): Promise<boolean> {
  const { needed, gone } = await secondAdmin(app, db)
  const last = gone.toSorted((a, b) => Number(a.disabledAt) - Number(b.disabledAt)).at(-1)
  if (!last?.disabledAt) return needed
  const { day } = istanbul(new Date(last.disabledAt.getTime() + WEEK_MS))
  throw refuse('second_admin_disabled', { name: last.name, day })
}

export const decides = (roles: readonly string[]) => DECIDING.some((role) => roles.includes(role))

/** What a person may have now: roles that were written in SQL are none. */
export async function heldRoles({ marks }: { marks: Marks }, person: Operator): Promise<Role[]> {
  return (await operatorFits(marks, person)) ? person.roles : []
}

/** Whether these roles give more than the person has, or leave fewer than two admins. Less is one admin's work. */
export async function rolesTakeTwo(
  app: Deps,
  db: Queryable,
  person: Operator | null,
  roles: readonly string[],
): Promise<boolean> {
  const held = person ? await heldRoles(app, person) : []
  if (isAdminWithMoney(roles) && !isAdminWithMoney(held) && !app.sandbox) return mustHaveTwoAdmins(app, db)
  const others = (await listOperators(db)).filter(
    (one) => isAdmin(one) && one.disabledAt === null && one.name !== person?.name,
  )
  const isMore = decides(roles.filter((role) => !held.includes(role as Role)))
  const isLastButOne = person !== null && isAdmin(person) && !roles.includes('admin') && others.length < 2
  return (isMore || isLastButOne) && takesSecondAdmin(app, db)
}

/** On the first day, too. */
async function mustHaveTwoAdmins(app: Deps, db: Queryable): Promise<true> {
  const { enabled } = await countedAdmins(app, db)
  if (enabled.length >= 2) return true
  throw refuse('admin_with_money_takes_two')
}
