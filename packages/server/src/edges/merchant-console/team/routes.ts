import {
  changeRole,
  disableLogin,
  giveUserCode,
  inviteMerchantUser,
  listInvitedUsers,
  listLogins,
  listSessions,
  revokeSession,
} from '../../../domain/identity/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { codePage } from '../../web/console/logins/code-page.ts'
import { invitedPage } from '../../web/console/logins/invited-page.ts'
import { LOGIN_WORDS } from '../../web/console/logins/words.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, MerchantDeps, Section } from '../kind.ts'
import { field, own } from '../kind.ts'
import { teamPage } from './team.ts'
import { TEAM_WORDS } from './words.ts'

const BACK = '/team'
const outcomes = (language: 'tr' | 'en') => ({ ...TEAM_WORDS[language].said, ...LOGIN_WORDS[language].said })

export const TEAM: Section = {
  views: [{ path: BACK, show: team }],
  forms: [
    { path: BACK, action: 'merchant.invite', back: BACK, decide: invite },
    { path: '/team/invitations/:id/code', action: 'merchant.code', back: BACK, decide: giveCode },
    { path: '/team/users/:id/role', action: 'login.role', back: BACK, decide: setRole },
    { path: '/team/users/:id/disable', action: 'login.disable', back: BACK, decide: disable },
    // One's own session needs no right; that of another is refused by the decision.
    { path: '/team/sessions/:id/end', back: BACK, decide: endSession },
  ],
  said: { tr: outcomes('tr'), en: outcomes('en') },
}

async function team(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const merchantId = own(asked)
  const [users, invited, sessions] = await Promise.all([
    listLogins(app.db.pages, { audience: 'merchant', merchantId }),
    listInvitedUsers({ ...app, db: app.db.pages }, asked.actor, merchantId),
    listSessions(app, { merchantId }),
  ])
  return { page: teamPage(asked.viewer, { me: asked.session, users, invited, sessions }) }
}

async function invite(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const given = { email: field(asked, 'email'), role: field(asked, 'role') }
  const { name, path, needsCode } = await inviteMerchantUser(app, asked.actor, own(asked), given)
  const { alsoCode, codeOfTeam } = LOGIN_WORDS[asked.viewer.language]
  const codeHint = needsCode && `${alsoCode} ${codeOfTeam}`
  return { page: invitedPage(asked.viewer, there(asked), { name, url: app.publicUrl() + path, codeHint }) }
}

const there = ({ viewer }: Asked) => ({ href: BACK, label: TEAM_WORDS[viewer.language].back, section: 'team' })

async function giveCode(app: MerchantDeps, asked: Asked): Promise<Shown | null> {
  const invited = await listInvitedUsers(app, asked.actor, own(asked))
  const known = invited.find(({ id }) => id === asked.id)
  if (!known) return null
  return { page: codePage(asked.viewer, there(asked), await giveUserCode(app, asked.actor, own(asked), known.name)) }
}

/** Another user of this merchant. One's own login is changed by someone else. */
async function isColleague(app: MerchantDeps, asked: Asked): Promise<boolean> {
  if (asked.id === asked.session.loginId) throw new Refusal('INVALID_STATE', 'Another owner must do this for you.')
  const users = await listLogins(app.db, { audience: 'merchant', merchantId: own(asked) })
  return users.some(({ id }) => id === asked.id)
}

async function setRole(app: MerchantDeps, asked: Asked): Promise<string | null> {
  if (!(await isColleague(app, asked))) return null
  await changeRole(app, asked.actor, asked.id, field(asked, 'role'))
  return 'role_changed'
}

async function disable(app: MerchantDeps, asked: Asked): Promise<string | null> {
  if (!(await isColleague(app, asked))) return null
  await disableLogin(app, asked.actor, asked.id)
  return 'login_disabled'
}

async function endSession(app: MerchantDeps, asked: Asked): Promise<string | null> {
  const known = (await listSessions(app, { merchantId: own(asked) })).find(({ id }) => id === asked.id)
  if (!known) return null
  await revokeSession(app, asked.actor, asked.id)
  return 'session_ended'
}
