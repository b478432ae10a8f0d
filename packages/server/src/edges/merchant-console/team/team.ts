import type { InvitedUser, listLogins, listSessions, Session } from '../../../domain/identity/index.ts'
import type { MerchantRole } from '../../../domain/people/index.ts'
import { decidesMore, MERCHANT_ROLES } from '../../../domain/people/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { worded } from '../../web/console/codes/codes.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { invitedUsers } from '../../web/console/logins/invited-users.ts'
import { sessionsTable } from '../../web/console/logins/sessions.ts'
import { LOGIN_WORDS } from '../../web/console/logins/words.ts'
import { cardTable, minute } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Page, Viewer } from '../page.ts'
import { TEAM_WORDS } from './words.ts'

type Facts = {
  me: Session
  users: Awaited<ReturnType<typeof listLogins>>
  invited: InvitedUser[]
  sessions: Awaited<ReturnType<typeof listSessions>>
}

export function teamPage(viewer: Viewer, facts: Facts): Page {
  const words = TEAM_WORDS[viewer.language]
  const { sessions, inviteHint, staff } = LOGIN_WORDS[viewer.language]
  const fields = html`<label class="field"
      >${words.email} <input type="email" name="email" required maxlength="254" autocomplete="off"
    /></label>
    <label class="field">${words.role} ${roleSelect(viewer, 'support', { explained: true })}</label>`
  const invited = invitedUsers(viewer, {
    invited: facts.invited,
    staffName: () => staff,
    ask: ({ id }) => ({ path: `/team/invitations/${id}/code`, fields: html`` }),
  })
  const main = html`<h1>${viewer.words.team}</h1>
    <p class="lead">${words.lead}</p>
    <div class="cards">
      <section class="card" aria-labelledby="users">
        <h2 id="users" class="first">${words.users}</h2>
        ${usersTable(viewer, facts)} ${invited}
        <div class="acts">${decisionForm(viewer, 'merchant.invite', '/team', fields, words.invite)}</div>
        <p class="hint">${inviteHint}</p>
      </section>
      <section class="card" aria-labelledby="sessions">
        <h2 id="sessions" class="first">${sessions}</h2>
        ${sessionsTable(viewer, facts.me, facts.sessions, ({ id }) => `/team/sessions/${id}/end`)}
        <p class="hint">${words.ownLead} <a href="${viewer.root}/own">${viewer.words.own}</a></p>
      </section>
    </div>`
  return { title: viewer.words.team, section: 'team', main }
}

function roleSelect(
  { language, words: { codes } }: Viewer,
  chosen: string,
  { explained = false, roles = MERCHANT_ROLES }: { explained?: boolean; roles?: readonly MerchantRole[] },
): Html {
  const words = TEAM_WORDS[language]
  return html`<select name="role" aria-label="${words.role}">
    ${roles.map((role) => option(role, explained ? `${codes.roles[role]}: ${words.roles[role]}` : codes.roles[role], role === chosen))}
  </select>`
}

function usersTable(viewer: Viewer, { users, me }: Facts): Html {
  const words = TEAM_WORDS[viewer.language]
  return cardTable(
    words.users,
    [words.email, words.role, words.since, ''].map((label) => ({ label })),
    users.map(({ id, name, roles, createdAt }) => {
      const isMe = id === me.loginId
      const held = roles[0] ?? ''
      // In live a role that decides more takes an invitation.
      const mayBecome = MERCHANT_ROLES.filter((role) => viewer.sandbox || !decidesMore(role, held))
      const mayChange = viewer.may('login.role') && !isMe && mayBecome.length > 1
      const role = decisionForm(
        viewer,
        'login.role',
        `/team/users/${id}/role`,
        roleSelect(viewer, held, { roles: mayBecome }),
        words.change,
        'plain',
      )
      return {
        href: null,
        cells: [
          html`${plainName(name)} ${isMe && html`<span class="mild">(${words.you})</span>`}`,
          mayChange ? html`<div class="inline">${role}</div>` : html`${worded(viewer.words.codes.roles, held)}`,
          minute(createdAt),
          isMe
            ? html``
            : decisionForm(viewer, 'login.disable', `/team/users/${id}/disable`, html``, words.disable, 'danger'),
        ],
      }
    }),
  )
}
