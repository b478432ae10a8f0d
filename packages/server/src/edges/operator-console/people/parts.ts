import type { StaffMember } from '../../../domain/identity/index.ts'
import { ROLES } from '../../../domain/people/index.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { worded } from '../../web/console/codes/codes.ts'
import { age, minute } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { WORDS } from './words.ts'

export function factorBadge({ language }: Viewer, { login }: StaffMember): Html {
  const words = WORDS[language]
  if (!login) return html`–`
  return html`<span class="state ${login.hasFactor ? 'good' : ''}">${login.hasFactor ? words.on : words.off}</span>`
}

export function lastLogin({ language, now, words: shared }: Viewer, { login, invitation }: StaffMember): Html {
  const words = WORDS[language]
  if (invitation) return html`<span class="mild">${words.invitedUntil}</span> ${minute(invitation.expiresAt)}`
  if (!login) return html`<span class="mild">${words.noLogin}</span>`
  if (!login.lastLoginAt) return html`<span class="mild">${words.notLately}</span>`
  return html`${minute(login.lastLoginAt)} <span class="mild">· ${age(login.lastLoginAt, now, shared.age)}</span>`
}

export function stateOf({ language }: Viewer, { disabledAt }: StaffMember): Html {
  const words = WORDS[language]
  return html`<span class="state ${disabledAt === null ? 'good' : ''}"
    >${disabledAt === null ? words.active : words.disabled}</span
  >`
}

export function roleWords({ words: { codes } }: Viewer, roles: readonly string[]): string {
  return roles.map((role) => worded(codes.roles, role)).join(', ')
}

export function roleChecks({ language, words: { codes } }: Viewer, chosen: readonly string[]): Html {
  const { roles, roleHints } = WORDS[language]
  return html`<fieldset class="checks all">
    <legend class="hint">${roles}</legend>
    ${ROLES.map(
      (role) =>
        html`<label
          ><input type="checkbox" name="role" value="${role}" ${chosen.includes(role) && html`checked`} /><span
            >${codes.roles[role]} <span class="mild">${roleHints[role]}</span></span
          ></label
        >`,
    )}
  </fieldset>`
}
