import type { Action } from '../../../domain/people/index.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { Viewer } from './routes.ts'

/** A form with one button. Disabled for a person whose roles do not include the decision. `key`: goes to the button. */
export function decisionForm(
  viewer: Pick<Viewer<unknown>, 'root' | 'csrf' | 'may'>,
  action: Action,
  path: string,
  fields: Html,
  label: string,
  look = '',
  key = '',
): Html {
  return form(
    viewer,
    path,
    fields,
    html`<button
      class="button small ${look}"
      ${key !== '' && html`data-key="${key}"`}
      ${!viewer.may(action) && html`disabled`}
    >
      ${label}
    </button>`,
  )
}

/** A form about what is the person's own, which every role has. `named`: what is read out, where several have the same label. */
export function ownForm(
  viewer: Pick<Viewer<unknown>, 'root' | 'csrf'>,
  path: string,
  fields: Html,
  label: string,
  look = '',
  named = label,
): Html {
  return form(viewer, path, fields, html`<button class="button small ${look}" aria-label="${named}">${label}</button>`)
}

function form({ root, csrf }: Pick<Viewer<unknown>, 'root' | 'csrf'>, path: string, fields: Html, button: Html): Html {
  return html`<form method="post" action="${root}${path}">
    <input type="hidden" name="csrf" value="${csrf}" />
    ${fields} ${button}
  </form>`
}
