import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { disableLogin, listLogins } from '../identity/index.ts'
import {
  addOperator,
  checkNewOperator,
  checkRoles,
  heldRoles,
  lockOperators,
  readRoles,
  setRoles,
  takesSecondAdmin,
} from '../people/index.ts'
import type { ProposalKind } from './proposal-kind.ts'

type Person = { name: string }
type WithRoles = Person & { roles: readonly string[] }

const OF_PERSON = {
  targetOf: ({ name }: Person) => `operator:${name}`,
  merchantOf: () => null,
  lockFirst: (tx: Tx) => lockOperators(tx),
}

const inOrder = (_app: unknown, { name, roles }: WithRoles) => Promise.resolve({ name, roles: readRoles(roles) })

export const OPERATOR_ADD: ProposalKind<WithRoles, void> = {
  ...OF_PERSON,
  action: 'operator.add',
  normalise: inOrder,
  async describe(app, db, { name, roles }) {
    const { roles: given, takesTwo } = await checkNewOperator(app, db, name, roles)
    return {
      rows: [
        { field: 'name', as: 'text', before: null, after: name },
        { field: 'roles', as: 'list', before: [], after: given },
      ],
      alone: !takesTwo,
    }
  },
  apply: (app, actor, { name, roles }) => addOperator(app, actor, name, roles),
}

export const OPERATOR_ROLES: ProposalKind<WithRoles, void> = {
  ...OF_PERSON,
  action: 'operator.change',
  normalise: inOrder,
  async describe(app, db, { name, roles }) {
    const { before, roles: given, takesTwo } = await checkRoles(app, db, name, roles)
    return {
      rows: [{ field: 'roles', as: 'list', before: await heldRoles(app, before), after: given }],
      alone: !takesTwo,
    }
  },
  apply: (app, actor, { name, roles }) => setRoles(app, actor, name, roles),
}

/** Ends a login, so that the person can be invited to a new one. Who invites could log in as that person. */
export const OPERATOR_RESET: ProposalKind<Person, void> = {
  ...OF_PERSON,
  action: 'login.disable',
  async describe(app, db, { name }) {
    const { createdAt } = await loginOf(db, name)
    return {
      rows: [{ field: 'login', as: 'time', before: createdAt.toISOString(), after: null }],
      alone: !(await takesSecondAdmin(app, db)),
    }
  },
  apply: async (app, actor, { name }) => disableLogin(app, actor, (await loginOf(app.db, name)).id),
}

async function loginOf(db: Queryable, name: string) {
  const login = (await listLogins(db, { audience: 'operator' })).find((one) => one.name === name)
  if (login) return login
  throw refuse('operator_without_login', { name })
}
