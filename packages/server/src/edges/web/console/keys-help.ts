import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { SharedWords } from './words-tr.ts'

type KeyWords = Pick<SharedWords, 'keysTitle' | 'keysOff'> & { keys: [key: string, does: string][] }

/** All keys, and the switch that turns them off; the script reads it. */
export function keysHelp({ keysTitle, keys, keysOff }: KeyWords): Html {
  return html`<details class="keys">
    <summary>${keysTitle} <kbd>?</kbd></summary>
    <dl>
      ${keys.map(
        ([key, does]) =>
          html`<div>
            <dt><kbd>${key}</kbd></dt>
            <dd>${does}</dd>
          </div>`,
      )}
    </dl>
    <label class="choice"><input type="checkbox" id="keys-off" />${keysOff}</label>
  </details>`
}
