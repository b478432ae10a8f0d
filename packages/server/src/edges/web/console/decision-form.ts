import type { Action } from '../../../domain/people/index.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { Viewer } from './routes.ts'

/** A form with one button. Disabled for a person whose roles do not include the decision. `key`: goes to the button. */
export function decisionForm(
  { root, csrf, may }: Pick<Viewer<unknown>, 'root' | 'csrf' | 'may'>,
  action: Action,
  path: string,
  fields: Html,
  label: string,
  look = '',
  key = '',
): Html {
  return html`<form method="post" action="${root}${path}">
    <input type="hidden" name="csrf" value="${csrf}" />
    ${fields}
    <button class="button small ${look}" ${key !== '' && html`data-key="${key}"`} ${!may(action) && html`disabled`}>
      ${label}
    </button>
  </form>`
}
