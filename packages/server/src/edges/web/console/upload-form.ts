import type { Action } from '../../../domain/people/index.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { Viewer } from './routes.ts'

/** `sending`: with it a large file is sent in parts, each within the time that a request may take, and its progress is shown. */
type Texts = { label: string; hint: string; button: string; sending?: string }

/** A form for one file. Its token and other fields come first, as `readUpload` wants them; a file may be dropped on it. */
export function uploadForm(
  { root, csrf, may }: Pick<Viewer<unknown>, 'root' | 'csrf' | 'may'>,
  action: Action,
  path: string,
  { label, hint, button, sending }: Texts,
  fields: Html = html``,
): Html {
  const disabled = !may(action) && html`disabled`
  return html`<form
    class="upload"
    method="post"
    enctype="multipart/form-data"
    action="${root}${path}"
    data-drop
    ${sending !== undefined && html`data-parts`}
  >
    <input type="hidden" name="csrf" value="${csrf}" />
    ${fields}
    <label class="field">${label}<input type="file" name="file" required ${disabled} /></label>
    <button class="button small" ${disabled}>${button}</button>
    ${sending !== undefined && html`<progress max="1" value="0" aria-label="${sending}" hidden></progress>`}
    <p class="hint">${hint}</p>
  </form>`
}
