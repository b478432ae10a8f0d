import { UNATTRIBUTED } from '../../kernel/actor.ts'
import { base32 } from '../../platform/crypto/totp.ts'
import { addOperator, listOperators, ROLES } from '../people/index.ts'
import type { Audience, IdentityDeps } from './identity.ts'
import { acceptInvitation } from './invitations/accept.ts'
import { inviteMerchantUser, inviteOperator } from './invitations/invite.ts'
import { findLogin } from './mark-logins.ts'

export type DemoLogin = { audience: Audience; name: string; password: string }

const OPERATORS = { 'demo.operator': ROLES, 'demo.approver': ['viewer', 'approver'] }
const OWNER = 'demo@shop.example'

/** Logins of a sandbox for both consoles. Those that are known from an earlier start keep their passwords. */
export async function prepareDemoLogins(
  app: IdentityDeps,
  merchantId: string,
  known: readonly DemoLogin[],
): Promise<DemoLogin[]> {
  if (!app.sandbox) throw new Error('Demo logins are for a sandbox only.')
  const people = await listOperators(app.db)
  const logins: DemoLogin[] = []
  for (const [name, roles] of Object.entries(OPERATORS)) {
    const person = people.find((one) => one.name === name)
    if (person && person.disabledAt !== null) continue
    if (!person) await addOperator(app, UNATTRIBUTED, name, roles)
    const invite = () => inviteOperator(app, UNATTRIBUTED, name)
    logins.push(await keepOrSet(app, known, { audience: 'operator', name }, invite))
  }
  const invite = () => inviteMerchantUser(app, UNATTRIBUTED, merchantId, { email: OWNER, role: 'owner' })
  logins.push(await keepOrSet(app, known, { audience: 'merchant', name: OWNER }, invite))
  return logins
}

async function keepOrSet(
  app: IdentityDeps,
  known: readonly DemoLogin[],
  { audience, name }: Omit<DemoLogin, 'password'>,
  invite: () => Promise<{ token: string }>,
): Promise<DemoLogin> {
  const kept = known.find((one) => one.audience === audience && one.name === name)
  if (kept && (await findLogin(app, app.db, audience, name))) return kept
  const { token } = await invite()
  const password = base32(app.random.bytes(15))
    .toLowerCase()
    .replaceAll(/(.{6})\B/g, '$1-')
  await acceptInvitation(app, { token, password })
  return { audience, name, password }
}
