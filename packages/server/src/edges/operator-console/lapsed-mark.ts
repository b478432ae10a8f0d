import type { Html } from '../web/html.ts'
import { html } from '../web/html.ts'
import type { Viewer } from './page.ts'

/** Proposals whose person has lost the right to make them: they can only be rejected. */
export type Lapsed = ReadonlySet<string>

/** After the name of a person whose word does not count any more. */
export const lapsedMark = ({ words }: Viewer): Html => html` <b class="state bad">${words.noLongerMay}</b>`
