import assert from 'node:assert/strict'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import type { KindName, TermsOf } from '../../packages/server/src/domain/proposals/index.ts'
import { approveProposal, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { acceptInvitation, giveInvitationCode, listLogins } from '../../packages/server/src/domain/identity/index.ts'
import { listOperators } from '../../packages/server/src/domain/people/index.ts'
import { cheap, operatorWithLogin } from './logins.ts'
import { startService } from './service.ts'

export const ADMINS = ['ada.aksoy', 'bora.boz', 'cem.can'] as const
export const [ada, bora, cem] = ADMINS.map(operatorActor) as [Actor, Actor, Actor]
export const TWO = { why: 'two_people_needed' }
export const HAS_LOGIN = { why: 'operator_has_login' }
export const password = 'yepyeni bir parola cümlesi'

/** As in live; the sandbox's clock can be moved. */
export async function deployment(...admins: string[]) {
  const service = await startService()
  const app = cheap(service.app, false)
  const sandbox = cheap(service.app)
  for (const name of admins) await operatorWithLogin(sandbox, name, ['admin'])
  const rolesOf = async (name: string) => (await listOperators(app.db)).find((one) => one.name === name)?.roles
  const hasLogin = async (name: string) =>
    (await listLogins(app.db, { audience: 'operator' })).find((one) => one.name === name)
  async function propose<Name extends KindName>(kind: Name, terms: TermsOf<Name>, actor = ada) {
    const asked = await makeProposal(app, actor, kind, terms, { reason: 'hired in ticket 14' })
    return asked.state === 'open' ? asked.proposal : assert.fail(`it is ${asked.state}`)
  }
  const byTwo = async <Name extends KindName>(kind: Name, terms: TermsOf<Name>) => {
    const { id, seenSha256 } = await propose(kind, terms)
    return approveProposal(app, bora, id, seenSha256)
  }
  /** One sends the link, the other tells the code. */
  const accept = async (token: string, name: string, chosen = password) =>
    acceptInvitation(app, { token, password: chosen, code: (await giveInvitationCode(app, bora, name)).code })
  return { service, app, sandbox, rolesOf, hasLogin, propose, byTwo, accept }
}
