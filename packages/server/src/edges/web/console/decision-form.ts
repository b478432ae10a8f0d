import type { Action } from '../../../domain/people/index.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { Viewer } from './routes.ts'

type Sender = Pick<Viewer<unknown>, 'root' | 'csrf' | 'may' | 'needs'>

/** A form with one button, for a person whose roles include the decision. To others it is closed. `key`: goes to the button. */
export function decisionForm(
  viewer: Sender,
  action: Action,
  path: string,
  fields: Html,
  label: string,
  look = '',
  key = '',
): Html {
  const button = actButton(viewer, action, label, look, key !== '' && html`data-key="${key}"`)
  return form(viewer, path, fieldsFor(viewer, action, fields), button)
}

/** The button of a decision. A person without its role sees which one it takes. */
export function actButton(
  { may, needs }: Pick<Sender, 'may' | 'needs'>,
  action: Action,
  label: string,
  look = '',
  more: Html | false = false,
): Html {
  if (may(action)) return html`<button class="button small ${look}" ${more}>${label}</button>`
  return html`<span class="barred"
    ><button class="button small" ${more} disabled>${label}</button> <small>${needs(action)}</small></span
  >`
}

/** Fields of a form. Who may not send it cannot fill them; with `shows` they are seen all the same, because they have values. */
export function fieldsFor({ may }: Pick<Sender, 'may'>, action: Action, fields: Html, shows = false): Html {
  return may(action) ? fields : html`<fieldset class="closed ${shows && 'shown'}" disabled>${fields}</fieldset>`
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
