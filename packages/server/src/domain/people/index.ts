import type { Actor } from '../../kernel/actor.ts'
import { RESERVED_NAMES } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import type { Authority } from './authorize.ts'
import { authorize } from './authorize.ts'
import { insertOperator, listOperators, lockOperators, updateDisabled } from './store.ts'

export { authorize, authorized } from './authorize.ts'
export type { Authority } from './authorize.ts'
export { listOperators, lockActive } from './store.ts'

type Deps = Authority & { db: Db; clock: Clock }

/**
 * Adds a person of the operator's staff. Decisions keep the name for ever, so it is never reused.
 * While no operator is active, one can be added by an unattributed actor, in live too.
 */
export async function addOperator(app: Deps, actor: Actor, name: string): Promise<void> {
  if (!/^[a-z][a-z0-9._-]{1,39}$/.test(name))
    throw invalidField('name', 'must be like ayse.yilmaz: 2 to 40 of a-z 0-9 . _ -')
  if (RESERVED_NAMES.has(name)) throw invalidField('name', `must be the name of a person; ${name} is reserved`)
  await app.db.transaction(async (tx) => {
    await lockOperators(tx)
    const isFirst = (await listOperators(tx)).every(({ disabledAt }) => disabledAt !== null)
    if (!isFirst || actor.kind !== 'unattributed') await authorize(app, tx, actor)
    if (!(await insertOperator(tx, name, app.clock.now())))
      throw new Refusal('INVALID_STATE', `There is an operator ${name} already.`)
  })
}

export async function disableOperator(app: Deps, actor: Actor, name: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    // Without this lock, two people who disable each other at the same time would deadlock.
    await lockOperators(tx)
    await authorize(app, tx, actor)
    if (!(await updateDisabled(tx, name, app.clock.now())))
      throw new Refusal('NOT_FOUND', `There is no operator ${name} who may decide. See: vezne operator list`)
  })
}
