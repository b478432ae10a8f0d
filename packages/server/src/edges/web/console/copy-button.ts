import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { SharedWords } from './words-tr.ts'

/** Shown by the script: without it there is nothing that could copy. */
export function copyButton({ copy, copied }: Pick<SharedWords, 'copy' | 'copied'>, text: string): Html {
  return html`<button type="button" class="button small plain" hidden data-copy="${text}" data-copied="${copied}">
    ${copy}
  </button>`
}
