import type { Actor } from '../../kernel/actor.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Action } from './rights.ts'
import { mayTake, MERCHANT_RIGHTS, merchantMayTake, RIGHTS } from './rights.ts'
import { lockOperator } from './store.ts'

/** What the authorization check needs to know about the deployment. */
export type Authority = { sandbox: boolean }

/** Who may decide besides an operator. */
type Allowed = {
  /** The decision must record a person's name, even in a sandbox. */
  named?: true
  /** This merchant, for its own data: by its signature, or a user of its console who has the right. */
  merchantId?: string
  /** Only users of this merchant's console who have the right. */
  usersOf?: string
  /** This automatic task. */
  task?: 'restore' | 'inbox'
}

/** Runs a decision of people, in a transaction that begins with authorizing the actor. */
export function authorized<Result>(
  app: Authority & { db: Db },
  actor: Actor,
  action: Action,
  decide: (tx: Tx) => Promise<Result>,
  allowed: Allowed = {},
): Promise<Result> {
  return app.db.transaction(async (tx) => {
    await authorize(app, tx, actor, action, allowed)
    return decide(tx)
  })
}

/** Refuses an actor who may not make this decision. Runs a query only for an operator. */
export async function authorize(
  { sandbox }: Authority,
  tx: Tx,
  actor: Actor,
  action: Action,
  allowed: Allowed = {},
): Promise<void> {
  switch (actor.kind) {
    case 'operator':
      return mustDecide(tx, actor.name, action)
    case 'unattributed':
      if (sandbox && !allowed.named) return
      throw new Refusal('VALIDATION_ERROR', 'Say who decides: --as NAME. See: vezne operator list', {
        details: [{ field: 'as', problem: 'is missing' }],
      })
    case 'merchant':
      if (actor.merchantId === allowed.merchantId) return
      throw new Refusal('NOT_FOUND', 'This is not for a merchant to decide, or it is not of this merchant.')
    case 'merchant_user':
      return mustBeUser(actor, action, allowed)
    case 'system':
      if (actor.task === allowed.task) return
      throw new Error(`Automatic work (${actor.task}) may not take a decision of people.`)
  }
}

type MerchantUser = Extract<Actor, { kind: 'merchant_user' }>

/** The role is that of the session, which was read for this request. */
function mustBeUser({ merchantId, role }: MerchantUser, action: Action, allowed: Allowed): void {
  if (merchantId !== allowed.merchantId && merchantId !== allowed.usersOf)
    throw new Refusal('NOT_FOUND', 'This is not for a merchant to decide, or it is not of this merchant.')
  if (merchantMayTake(role, action)) return
  const roles = MERCHANT_RIGHTS[action]?.join(' or ')
  throw new Refusal('NOT_FOUND', `The role ${role} may not do this (${action})${roles ? `: it takes ${roles}` : ''}.`)
}

/** Disabling the operator waits until this decision is committed, so that none is made afterwards. */
async function mustDecide(tx: Tx, name: string, action: Action): Promise<void> {
  const known = await lockOperator(tx, name)
  if (!known) throw new Refusal('NOT_FOUND', `There is no operator ${name}. Add one: vezne operator add ${name}`)
  if (known.disabledAt !== null) throw new Refusal('NOT_FOUND', `${name} may not decide any more.`)
  if (mayTake(known.roles, action)) return
  throw new Refusal(
    'NOT_FOUND',
    `${name} may not do this (${action}): it takes the role ${RIGHTS[action].join(' or ')}. An admin gives roles: vezne operator roles ${name} --role ROLE`,
  )
}
