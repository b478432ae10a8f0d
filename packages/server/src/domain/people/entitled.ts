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
  return entitledOf(app, await lockActive(tx, names), action)
}

/** All who may take this decision now, to show it. */
export async function entitledPeople(app: Deps, db: Queryable, action: Action): Promise<Set<string>> {
  const active = (await listOperators(db)).filter(({ disabledAt }) => disabledAt === null)
  return entitledOf(app, active, action)
}

async function entitledOf({ marks }: Deps, people: Operator[], action: Action): Promise<Set<string>> {
  const may = people.filter(({ roles }) => mayTake(roles, action))
  // Roles that were written in SQL are none.
  const fits = await Promise.all(may.map((one) => operatorFits(marks, one)))
  return new Set(may.filter((_, at) => fits[at]).map(({ name }) => name))
}
