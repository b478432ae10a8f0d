import type { StaffMember } from '../../../domain/identity/index.ts'
import {
  giveInvitationCode,
  inviteOperator,
  listSessions,
  listStaff,
  revokeSession,
} from '../../../domain/identity/index.ts'
import { disableOperator, secondAdmin } from '../../../domain/people/index.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { codePage } from '../../web/console/logins/code-page.ts'
import { invitedPage } from '../../web/console/logins/invited-page.ts'
import { LOGIN_WORDS } from '../../web/console/logins/words.ts'
import type { Shown } from '../../web/console/routes.ts'
import { ask } from '../proposals/routes.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { peoplePage } from './list-page.ts'
import { personPage } from './person-page.ts'
import { WORDS } from './words.ts'

const back = '/people/:name'
const outcomes = (language: 'tr' | 'en') => ({ ...WORDS[language].said, ...LOGIN_WORDS[language].said })

export const PEOPLE: Section = {
  views: [
    { path: '/people', show: list },
    { path: back, show: one },
  ],
  forms: [
    { path: '/people/add', action: 'operator.add', back: '/people', decide: add },
    { path: '/people/:name/roles', action: 'operator.change', back, decide: changeRoles },
    { path: '/people/:name/invite', action: 'operator.invite', back, decide: inviteAgain },
    { path: '/people/:name/code', action: 'operator.invite', back, decide: giveCode },
    { path: '/people/:name/reset', action: 'login.disable', back, decide: reset },
    { path: '/people/:name/disable', action: 'operator.disable', back, decide: disable },
    { path: '/people/:name/sessions/:id/end', action: 'session.revoke', back, decide: endSession },
  ],
  said: { tr: outcomes('tr'), en: outcomes('en') },
}

const nameOf = ({ params }: Asked) => params['name'] ?? ''

async function list(app: OperatorDeps, { viewer }: Asked): Promise<Shown> {
  const db = app.db.pages
  return { page: peoplePage(viewer, await listStaff({ ...app, db }), (await secondAdmin(app, db)).needed) }
}

async function mustFind(app: OperatorDeps, asked: Asked): Promise<StaffMember> {
  const person = (await listStaff({ ...app, db: app.db.pages })).find(({ name }) => name === nameOf(asked))
  if (!person) throw refuse('operator_unknown', { name: nameOf(asked) })
  return person
}

async function one(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const person = await mustFind(app, asked)
  const sessions = await listSessions(app, { audience: 'operator', name: person.name })
  const byTwo = (await secondAdmin(app, app.db.pages)).needed
  return { page: personPage(asked.viewer, { me: asked.session, person, sessions, byTwo }) }
}

/** Two decisions. Who was added and not invited can be invited on the person's page. */
async function add(app: OperatorDeps, asked: Asked): Promise<Shown | string> {
  const name = asked.fields.get('name')?.trim() ?? ''
  const became = await ask(app, asked, 'operator.add', { name, roles: asked.fields.getAll('role') })
  return became === 'changeMade' ? invite(app, asked, name) : became
}

async function invite(app: OperatorDeps, { viewer, actor }: Asked, name: string): Promise<Shown> {
  const { path, needsCode } = await inviteOperator(app, actor, name)
  const words = WORDS[viewer.language]
  const there = { href: '/people', label: words.back, section: 'people' }
  const codeHint = needsCode && words.needsCode
  return { page: invitedPage(viewer, there, { name, url: app.publicUrl() + path, codeHint }) }
}

async function giveCode(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { name } = await mustBeOther(app, asked)
  const there = { href: `/people/${name}`, label: name, section: 'people' }
  return { page: codePage(asked.viewer, there, await giveInvitationCode(app, asked.actor, name)) }
}

/** One's own roles and login are changed by someone else. */
async function mustBeOther(app: OperatorDeps, asked: Asked): Promise<StaffMember> {
  if (nameOf(asked) === asked.session.name) throw new Refusal('INVALID_STATE', WORDS[asked.viewer.language].ofOthers)
  return mustFind(app, asked)
}

async function changeRoles(app: OperatorDeps, asked: Asked): Promise<string> {
  const { name, roles } = await mustBeOther(app, asked)
  if (asked.fields.get('seen') !== roles.join(' ')) throw new Refusal('INVALID_STATE', asked.viewer.words.changedSince)
  const became = await ask(app, asked, 'operator.roles', { name, roles: asked.fields.getAll('role') })
  return became === 'changeMade' ? 'roles_changed' : became
}

async function inviteAgain(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { name } = await mustBeOther(app, asked)
  return invite(app, asked, name)
}

async function reset(app: OperatorDeps, asked: Asked): Promise<string> {
  const { name } = await mustBeOther(app, asked)
  const became = await ask(app, asked, 'operator.reset', { name })
  return became === 'changeMade' ? 'login_reset' : became
}

async function disable(app: OperatorDeps, asked: Asked): Promise<string> {
  const { name } = await mustBeOther(app, asked)
  await disableOperator(app, asked.actor, name)
  return 'person_disabled'
}

async function endSession(app: OperatorDeps, asked: Asked): Promise<string | null> {
  const sessions = await listSessions(app, { audience: 'operator', name: nameOf(asked) })
  if (!sessions.some(({ id }) => id === asked.id)) return null
  await revokeSession(app, asked.actor, asked.id)
  return 'session_ended'
}
