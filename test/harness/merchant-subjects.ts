import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { App } from '../../packages/server/src/compose.ts'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { inviteMerchantUser, listInvitedUsers, listLogins } from '../../packages/server/src/domain/identity/index.ts'
import { keepUpload } from '../../packages/server/src/domain/uploads/index.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { actorName, merchantUserActor } from '../../packages/server/src/kernel/actor.ts'
import { proposeInstruction } from './instructions.ts'
import { cheap, merchantUser } from './logins.ts'

const PAYMENT = { iban: 'TR620006200029500006291296', amount: '1,00' }

/** What the forms of the merchant console are about. `staff`: an operator, who proposes so that every user may approve. */
export function merchantSubjects(app: App, staff: Actor) {
  let [users, addresses] = [0, 0]
  const csv = (domain: string) => `u-${app.ids.next()};Payee of ${domain};${PAYMENT.iban};${PAYMENT.amount}`
  async function addLogin(merchantId: string, name: string, role: string): Promise<string> {
    await merchantUser(cheap(app), merchantId, name, role)
    const logins = await listLogins(app.db, { audience: 'merchant', merchantId })
    return logins.find((one) => one.name === name)?.id ?? assert.fail('no login')
  }
  /** Of each merchant one user proposes, so that every other may approve. */
  const proposers = new Map<string, Promise<string>>()
  function proposerOf(merchantId: string, domain: string): Promise<string> {
    const known = proposers.get(merchantId) ?? addLogin(merchantId, `proposer@${domain}`, 'finance')
    proposers.set(merchantId, known)
    return known
  }
  /** And one owner invites, so that every other may give the code. */
  const inviters = new Map<string, Promise<string>>()
  async function inviterOf(merchantId: string, domain: string): Promise<Actor> {
    const known = inviters.get(merchantId) ?? addLogin(merchantId, `inviter@${domain}`, 'owner')
    inviters.set(merchantId, known)
    return merchantUserActor(merchantId, await known, 'owner')
  }
  return {
    csv,
    addInstruction: async (merchantId: string, domain: string): Promise<string> => {
      const id = app.ids.next()
      const cells = { ...PAYMENT, accountName: `Payee of ${domain}`, processId: `p-${id}` }
      const proposal = { id, source: null, currency: 'TRY', rows: [{ line: 1, cells }] }
      const proposer = merchantUserActor(merchantId, await proposerOf(merchantId, domain), 'finance')
      return (await proposeInstruction(app, proposer, merchantId, proposal)).id
    },
    /** Of the user with this name, and of no other. */
    addUpload: async (merchantId: string, domain: string, name: string): Promise<string> => {
      const logins = await listLogins(app.db, { audience: 'merchant', merchantId })
      const login = logins.find((one) => one.name === name)?.id ?? assert.fail('no login')
      const content = Readable.from([Buffer.from(csv(domain))])
      const key = { owner: actorName(merchantUserActor(merchantId, login, '')), purpose: 'withdrawals' }
      return (await keepUpload(app, key, { name: `${domain}.csv`, content })).id
    },
    addUser: (merchantId: string, domain: string) => addLogin(merchantId, `user${++users}@${domain}`, 'support'),
    addInvitation: async (merchantId: string, domain: string): Promise<string> => {
      const inviter = await inviterOf(merchantId, domain)
      const user = { email: `invited${++users}@${domain}`, role: 'support' }
      const { name } = await inviteMerchantUser(app, inviter, merchantId, user)
      const invited = await listInvitedUsers(app, inviter, merchantId)
      return invited.find((one) => one.name === name)?.id ?? assert.fail('no invitation')
    },
    addProposal: async (merchantId: string): Promise<string> => {
      const add = [`198.51.100.${++addresses}`]
      const asked = await makeProposal(app, staff, 'merchant.networks', { merchantId, add })
      return asked.state === 'open' ? asked.proposal.id : assert.fail('no proposal')
    },
  }
}
