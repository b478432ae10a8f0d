import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { SharedWords } from './words-tr.ts'

/** Shown only where the script runs: without it there is nothing that could copy. `named`: what is read out, where a page has several. */
export function copyButton({ copy, copied }: Pick<SharedWords, 'copy' | 'copied'>, text: string, named?: string): Html {
  return html`<button
    type="button"
    class="button small plain"
    data-copy="${text}"
    data-copied="${copied}"
    ${named !== undefined && html`aria-label="${named}"`}
  >
    ${copy}
  </button>`
}
