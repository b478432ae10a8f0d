import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { operatorFits } from './mark-people.ts'
import type { Action } from './rights.ts'
import { mayTake } from './rights.ts'
import type { Operator } from './store.ts'
import { listOperators, lockActive } from './store.ts'

type Deps = { marks: Marks }

/**
 * Those of these people who may take this decision now: what the others said before does not count. A change of their roles waits for
 * the end of this transaction.
 */
export async function lockEntitled(app: Deps, tx: Tx, names: string[], action: Action): Promise<Set<string>> {
  const people = await withMark(app, await lockActive(tx, names))
  return new Set(people.filter(({ roles }) => mayTake(roles, action)).map(({ name }) => name))
}

/** Who may take which decision at this moment, to show it. */
export async function whoMay(app: Deps, db: Queryable): Promise<(name: string, action: Action) => boolean> {
  const rolesOf = new Map((await active(app, db)).map(({ name, roles }) => [name, roles]))
  return (name, action) => mayTake(rolesOf.get(name) ?? [], action)
}

/** All who may take this decision at this moment. */
export async function entitledPeople(app: Deps, db: Queryable, action: Action): Promise<string[]> {
  return (await active(app, db)).filter(({ roles }) => mayTake(roles, action)).map(({ name }) => name)
}

async function active(app: Deps, db: Queryable): Promise<Operator[]> {
  return withMark(
    app,
    (await listOperators(db)).filter(({ disabledAt }) => disabledAt === null),
  )
}

/** Roles that were written in SQL are none. */
async function withMark({ marks }: Deps, people: Operator[]): Promise<Operator[]> {
  const fits = await Promise.all(people.map((one) => operatorFits(marks, one)))
  return people.filter((_, at) => fits[at])
}
