import type { StoredLine } from '../../../domain/statements/index.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { minute } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { DESK_WORDS } from './desk-words.ts'
import { signed } from './page.ts'

/** Lines of the bank that may correct a line, and wait for a decision. */
export function correctionNotes({ language, root }: Viewer, corrections: StoredLine[]): Html[] {
  return corrections.map(
    (one) =>
      html`<p class="say bad">
        ${DESK_WORDS[language].corrected}
        <a href="${root}/matching/${one.id}">${signed(one)}, ${minute(one.bookedAt)}</a>
      </p>`,
  )
}
