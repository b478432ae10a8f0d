import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import { updateDisabled, insertOperator, listOperators } from './store.ts'

export { listOperators } from './store.ts'

/** Author names of automatic and unattributed decisions, which no person may have. */
const RESERVED_NAMES = new Set(['matcher', 'operator'])

/** Adds a person of the operator's staff. Decisions keep the name for ever, so it is never reused. */
export async function addOperator({ db, clock }: { db: Db; clock: Clock }, name: string): Promise<void> {
  if (!/^[a-z][a-z0-9._-]{1,39}$/.test(name))
    throw invalidField('name', 'must be like ayse.yilmaz: 2 to 40 of a-z 0-9 . _ -')
  if (RESERVED_NAMES.has(name)) throw invalidField('name', `must be the name of a person; ${name} is reserved`)
  const added = await db.transaction((tx) => insertOperator(tx, name, clock.now()))
  if (!added) throw new Refusal('INVALID_STATE', `There is an operator ${name} already.`)
}

export async function disableOperator({ db, clock }: { db: Db; clock: Clock }, name: string): Promise<void> {
  await mustBeOperator(db, name)
  await db.transaction((tx) => updateDisabled(tx, name, clock.now()))
}

export async function mustBeOperator(db: Queryable, name: string): Promise<void> {
  const known = (await listOperators(db)).find((operator) => operator.name === name)
  if (known && known.disabledAt === null) return
  throw new Refusal(
    'NOT_FOUND',
    known ? `${name} may not decide any more.` : `There is no operator ${name}. Add one: vezne operator add ${name}`,
  )
}
