import type { Action } from '../../../domain/people/index.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { actButton, fieldsFor } from './decision-form.ts'
import type { Viewer } from './routes.ts'

/**
 * `sending`: with it large files are sent in parts, each within the time that a request may take, and their progress is shown.
 * `several`: the form takes more than one file.
 */
type Texts = { label: string; hint: string; button: string; sending?: string; several?: boolean }

/** A form for files. Its token and other fields come first, as `readUpload` wants them; files may be dropped on it. */
export function uploadForm(
  viewer: Pick<Viewer<unknown>, 'root' | 'csrf' | 'may' | 'needs'>,
  action: Action,
  path: string,
  { label, hint, button, sending, several = false }: Texts,
  fields: Html = html``,
): Html {
  return html`<form
    class="upload"
    method="post"
    enctype="multipart/form-data"
    action="${viewer.root}${path}"
    ${viewer.may(action) && html`data-drop`}
    ${sending !== undefined && html`data-parts`}
  >
    <input type="hidden" name="csrf" value="${viewer.csrf}" />
    ${fieldsFor(
      viewer,
      action,
      html`${fields}<label class="field"
          >${label}<input type="file" name="file" required ${several && html`multiple`}
        /></label>`,
    )}
    ${actButton(viewer, action, button)}
    ${sending !== undefined && html`<progress max="1" value="0" aria-label="${sending}" hidden></progress>`}
    ${viewer.may(action) && html`<p class="hint">${hint}</p>`}
  </form>`
}
