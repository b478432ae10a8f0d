import type { Action } from '../../../domain/people/index.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { Viewer } from './routes.ts'

type Texts = { label: string; hint: string; button: string }

/** A form for one file. Its token and other fields come first, as `readUpload` wants them; a file may be dropped on it. */
export function uploadForm(
  { root, csrf, may }: Pick<Viewer<unknown>, 'root' | 'csrf' | 'may'>,
  action: Action,
  path: string,
  { label, hint, button }: Texts,
  fields: Html = html``,
): Html {
  const disabled = !may(action) && html`disabled`
  return html`<form class="upload" method="post" enctype="multipart/form-data" action="${root}${path}" data-drop>
    <input type="hidden" name="csrf" value="${csrf}" />
    ${fields}
    <label class="field">${label}<input type="file" name="file" required ${disabled} /></label>
    <button class="button small" ${disabled}>${button}</button>
    <p class="hint">${hint}</p>
  </form>`
}
