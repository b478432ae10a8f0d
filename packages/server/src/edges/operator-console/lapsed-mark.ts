import type { Html } from '../web/html.ts'
import { html } from '../web/html.ts'
import type { Viewer } from './page.ts'

/** Why a proposal can only be rejected: its person has lost the right, or Vezne did not write it. */
export type Why = 'noLongerMay' | 'noMark'
export type Lapsed = ReadonlyMap<string, Why>

/** After the name of a person whose word does not count. */
export const lapsedMark = ({ words }: Viewer, why: Why | undefined): Html | false =>
  why !== undefined && html` <b class="state bad">${words[why]}</b>`
