import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { Viewer } from './routes.ts'
import type { SharedWords } from './words-tr.ts'

/** A part of a live page: the script brings it up to date. Without a script it stays as it is. */
export function livePart(name: string, inside: Html): Html {
  return html`<div data-part="${name}">${inside}</div>`
}

/**
 * A list to decide on. What is decided elsewhere stays in its place with a note, and so does what has changed: nothing moves under
 * the pointer, and no one approves what was not on the screen.
 */
export function liveList({ words }: Viewer<SharedWords>, name: string, inside: Html): Html {
  return html`<div data-part="${name}" data-gone="${words.gone}" data-changed="${words.changedMeanwhile}">
    ${inside}
  </div>`
}
