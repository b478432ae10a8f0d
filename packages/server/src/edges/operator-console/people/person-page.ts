import type { listSessions, Session, StaffMember } from '../../../domain/identity/index.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { sessionsTable } from '../../web/console/logins/sessions.ts'
import { LOGIN_WORDS } from '../../web/console/logins/words.ts'
import { minute } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import { settingForm, whyField } from '../setting-form.ts'
import { factorBadge, lastLogin, roleChecks, roleWords, stateOf } from './parts.ts'
import { WORDS } from './words.ts'

/** `byTwo`: another admin approves what gives a person power. */
type Facts = { me: Session; person: StaffMember; sessions: Awaited<ReturnType<typeof listSessions>>; byTwo: boolean }

/** A person of the staff. What is one's own is changed by another admin. */
export function personPage(viewer: Viewer, { me, person, sessions, byTwo }: Facts): Page {
  const { root, words: shared } = viewer
  const words = WORDS[viewer.language]
  const { name, disabledAt } = person
  const isOther = name !== me.name
  const main = html`<h1>${name}</h1>
    <p class="lead">
      ${stateOf(viewer, person)} ${words.added}
      ${minute(person.createdAt)}${disabledAt && html` · ${words.disabledAt} ${minute(disabledAt)}`}
      ${viewer.may('audit.read') && html` · <a href="${root}/audit?actor=${name}">${words.decisions}</a>`}
    </p>
    <div class="columns">
      <section class="card" aria-labelledby="roles">
        <h2 id="roles">${words.roles}</h2>
        ${disabledAt === null && isOther ? rolesForm(viewer, person, byTwo) : html`<p>${roleWords(viewer, person.roles)}</p>`}
      </section>
      <section class="card" aria-labelledby="login">
        <h2 id="login">${words.login}</h2>
        <dl class="facts">
          <dt>${words.factor}</dt>
          <dd>${factorBadge(viewer, person)}</dd>
          <dt>${words.lastLogin}</dt>
          <dd>${lastLogin(viewer, person)}</dd>
        </dl>
        ${disabledAt === null && isOther && loginForms(viewer, person, byTwo)}
        ${!isOther && html`<p class="hint spaced">${words.ofOthers} <a href="${root}/own">${shared.own}</a></p>`}
      </section>
    </div>
    <h2>${LOGIN_WORDS[viewer.language].sessions}</h2>
    ${sessionsTable(viewer, me, sessions, ({ id }) => (isOther ? `/people/${name}/sessions/${id}/end` : `/own/sessions/${id}/end`))}
    <p class="more"><a href="${root}/people">${words.back}</a></p>`
  return { title: `${name} · ${shared.people}`, section: 'people', main }
}

/** Bound to the roles that are shown. */
function rolesForm(viewer: Viewer, { name, roles }: StaffMember, byTwo: boolean): Html {
  const words = WORDS[viewer.language]
  const fields = html`<input type="hidden" name="seen" value="${roles.join(' ')}" />${roleChecks(viewer, roles)}
    ${byTwo && whyField(words.reason)}`
  return html`<p class="hint">${words.rolesLead} ${byTwo && words.rolesByTwo}</p>
    ${settingForm(viewer, { action: 'operator.change', path: `/people/${name}/roles`, label: words.changeRoles, fields })}`
}

/** One admin invites who has no login. Of others two admins end the login first. */
function inviteForm(viewer: Viewer, { name, login }: StaffMember, byTwo: boolean): Html {
  const words = WORDS[viewer.language]
  if (!login || !byTwo) {
    const [label, lead] = login ? [words.invite, words.inviteLead] : [words.inviteFirst, words.inviteFirstLead]
    return html`<summary>${label}</summary>
      <p class="hint">${lead}</p>
      <div class="acts">
        ${decisionForm(viewer, 'operator.invite', `/people/${name}/invite`, html``, label, 'plain')}
      </div>`
  }
  const fields = whyField(words.reason)
  return html`<summary>${words.reset}</summary>
    <p class="hint">${words.resetLead}</p>
    ${settingForm(viewer, { action: 'login.disable', path: `/people/${name}/reset`, label: words.reset, fields })}`
}

/** The admin who has seen the link does not get the code. */
function codeForm(viewer: Viewer, { name, invitation }: StaffMember): Html | null {
  if (!invitation?.needsCode) return null
  const words = WORDS[viewer.language]
  const { giveCode, codeAgain } = LOGIN_WORDS[viewer.language]
  if (invitation.invitedBy === viewer.name) return html`<p class="hint spaced">${words.codeOfOther}</p>`
  return html`<p class="hint spaced">${words.codeAsk(invitation.invitedBy)} ${invitation.hasCode && codeAgain}</p>
    <div class="acts">
      ${decisionForm(viewer, 'operator.invite', `/people/${name}/code`, html``, giveCode, 'plain')}
    </div>`
}

function loginForms(viewer: Viewer, person: StaffMember, byTwo: boolean): Html {
  const words = WORDS[viewer.language]
  const { name } = person
  return html`${codeForm(viewer, person)}
    <details>${inviteForm(viewer, person, byTwo)}</details>
    <details class="danger-zone">
      <summary>${words.disable}</summary>
      <p class="hint">${words.disableLead}</p>
      <div class="acts">
        ${decisionForm(viewer, 'operator.disable', `/people/${name}/disable`, html``, words.disable, 'danger')}
      </div>
    </details>`
}
