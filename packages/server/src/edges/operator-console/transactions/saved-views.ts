import type { SavedView } from '../../../domain/overview/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { ownForm } from '../../web/console/decision-form.ts'
import type { Viewer } from '../page.ts'
import { WORDS } from './words.ts'

const MAX_NAME = 60

/** The person's views as links, and below them the forms. `address`: of the list as it is shown, to which the forms return. */
export function savedViews(viewer: Viewer, views: SavedView[], address: string): Html {
  const { root, language } = viewer
  const words = WORDS[language]
  const name = html`<label class="field"
    >${words.viewName}<input name="name" required maxlength="${MAX_NAME}"
  /></label>`
  return html`${
      views.length > 0 &&
      html`<nav aria-label="${words.views}">
        <ul class="kinds">
          ${views.map(
            ({ name, query }) =>
              html`<li>
                <a href="${root}/transactions?${query}" ${query === address && html`aria-current="page"`}
                  >${plainName(name)}</a
                >
              </li>`,
          )}
        </ul>
      </nav>`
    }
    <details class="views">
      <summary>${words.saveView}</summary>
      <div class="card">
        <p class="hint">${words.viewHint}</p>
        <div class="acts">${ownForm(viewer, `/transactions/views?${address}`, name, words.save)}</div>
        ${
          views.length > 0 &&
          html`<ul class="plain-list">
            ${views.map((view) => removable(viewer, view, address))}
          </ul>`
        }
      </div>
    </details>`
}

function removable(viewer: Viewer, { id, name }: SavedView, address: string): Html {
  const words = WORDS[viewer.language]
  const [path, label] = [`/transactions/views/${id}/remove?${address}`, words.removeNamed(plainName(name))]
  return html`<li>
    <span>${plainName(name)}</span>
    ${ownForm(viewer, path, html``, words.remove, 'plain', label)}
  </li>`
}
