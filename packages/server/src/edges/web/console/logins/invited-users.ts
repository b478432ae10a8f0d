import type { InvitedUser } from '../../../../domain/identity/index.ts'
import type { Html } from '../../html.ts'
import { html, plainName } from '../../html.ts'
import { worded } from '../codes/codes.ts'
import { decisionForm } from '../decision-form.ts'
import { minute } from '../parts.ts'
import type { Viewer } from '../routes.ts'
import type { SharedWords } from '../words-tr.ts'
import { LOGIN_WORDS } from './words.ts'

type Facts = {
  invited: InvitedUser[]
  /** Who of the staff invited, as this console says it. */
  staffName: (one: InvitedUser) => string
  /** Where its code is asked for, and with which fields. */
  ask: (one: InvitedUser) => { path: string; fields: Html }
}

/** Users of a merchant who have not used their invitation yet. Who may gets the code here. */
export function invitedUsers(viewer: Viewer<SharedWords>, { invited, staffName, ask }: Facts): Html {
  const words = LOGIN_WORDS[viewer.language]
  if (invited.length === 0) return html``
  const rows = invited.map((one) => {
    const by = one.inviter === null ? staffName(one) : plainName(one.inviter)
    return html`<li>
      <span
        ><span class="id">${plainName(one.name)}</span>
        <span class="mild"
          >${worded(viewer.words.codes.roles, one.role)} · ${words.invitedBy} ${by} · ${words.validUntil}
          ${minute(one.expiresAt)}</span
        >
        ${one.needsCode && codeState(words, one)}</span
      >
      ${one.needsCode && one.mayGive && codeForm(viewer, ask(one))}
    </li>`
  })
  return html`<h3>${words.invitedUsers}</h3>
    <ul class="rows">
      ${rows}
    </ul>`
}

function codeState(words: (typeof LOGIN_WORDS)['tr'], { hasCode, mayGive, inviter }: InvitedUser): Html {
  const hint = mayGive ? hasCode && words.codeAgain : inviter === null ? words.codeOfStaff : words.codeOfTeam
  return html`<span class="state ${hasCode ? 'good' : 'busy'}">${hasCode ? words.codeGiven : words.waitsForCode}</span>
    ${hint && html`<br /><span class="mild">${hint}</span>`}`
}

function codeForm(viewer: Viewer<SharedWords>, { path, fields }: ReturnType<Facts['ask']>): Html {
  return decisionForm(viewer, 'merchant.code', path, fields, LOGIN_WORDS[viewer.language].giveCode, 'plain')
}
