import type { StaffMember } from '../../../domain/identity/index.ts'
import { withoutLogin } from '../../../domain/identity/index.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { age, cardTable, minute } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import { settingForm, whyField } from '../setting-form.ts'
import { factorBadge, lastLogin, roleChecks, roleWords, stateOf } from './parts.ts'
import { WORDS } from './words.ts'

/** Who may decide and has no login: its first user decides. */
function waiting({ language, now, words: shared }: Viewer, staff: StaffMember[]): Html | false {
  const people = withoutLogin(staff).map(({ name, since }) => `${name} (${age(since, now, shared.age)})`)
  return people.length > 0 && html`<p class="note">${WORDS[language].waiting(people.join(', '))}</p>`
}

/** `byTwo`: another admin approves who may decide. */
export function peoplePage(viewer: Viewer, staff: StaffMember[], byTwo: boolean): Page {
  const { root, name: me, words: shared } = viewer
  const words = WORDS[viewer.language]
  const columns = [words.name, words.roles, words.factor, words.lastLogin, shared.status, words.added]
  const rows = staff.map((person) => {
    const href = `${root}/people/${person.name}`
    return {
      href,
      cells: [
        html`<a href="${href}">${person.name}</a
          >${person.name === me && html` <span class="mild">(${words.you})</span>`}`,
        html`${roleWords(viewer, person.roles)}`,
        factorBadge(viewer, person),
        lastLogin(viewer, person),
        stateOf(viewer, person),
        minute(person.createdAt),
      ],
    }
  })
  const fields = html`<label class="field"
      >${words.name}<input
        name="name"
        required
        maxlength="40"
        pattern="[a-z][a-z0-9._\\-]+"
        title="${words.nameHint}"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
      /><small>${words.nameHint}</small></label
    >
    ${roleChecks(viewer, [])} ${byTwo && whyField(words.reason)}`
  const main = html`<h1>${shared.people}</h1>
    <p class="lead">${words.lead}</p>
    ${waiting(viewer, staff)}
    ${cardTable(
      shared.people,
      columns.map((label) => ({ label })),
      rows,
    )}
    <h2>${words.add}</h2>
    <section class="card">
      <p class="hint">${words.addHint} ${byTwo && words.addByTwo}</p>
      ${settingForm(viewer, { action: 'operator.add', path: '/people/add', label: words.add, fields })}
    </section>`
  return { title: shared.people, section: 'people', main }
}
