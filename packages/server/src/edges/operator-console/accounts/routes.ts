import { accountsInForce } from '../../../domain/banks/index.ts'
import { changeAccountState } from '../../../domain/deposits/index.ts'
import { accountsOverview } from '../../../domain/overview/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, Form, OperatorDeps, Section } from '../kind.ts'
import { said } from '../said.ts'
import { accountsPage } from './page.ts'

const STATES = ['active', 'paused', 'draining', 'blocked'] as const

export const ACCOUNTS: Section = {
  views: [{ path: '/accounts', show: accounts }],
  forms: STATES.map(accountForm),
  said: said('accountChanged'),
}

async function accounts(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const wanted = { bank: text('bank'), state: text('state'), done: text('done') }
  return { page: accountsPage(viewer, wanted, await accountsOverview(app)) }
}

/** Only if the account is still in the state that the person saw. */
function accountForm(state: (typeof STATES)[number]): Form {
  return {
    path: `/accounts/:id/${state}`,
    action: 'account.state',
    needsProof: state !== 'blocked',
    back: '/accounts',
    decide: async (app, { viewer, actor, id, fields }) => {
      const account = (await accountsInForce(app)).find((one) => one.id === id)
      if (account?.state !== fields.get('state')) throw new Refusal('INVALID_STATE', viewer.words.changedSince)
      const why = state === 'blocked' ? (fields.get('why') ?? '') : null
      await changeAccountState(app, actor, id, state, why)
      return { redirect: `/accounts?said=accountChanged&done=${id}` }
    },
  }
}
