import type { KindName, ShownProposal } from '../../../domain/proposals/index.ts'
import { KINDS } from '../../../domain/proposals/index.ts'
import { whoMay } from '../../../domain/people/index.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { OperatorDeps } from '../kind.ts'
import type { Viewer } from '../page.ts'

/** Those of these proposals that can only be rejected, and why: of a person who lost the right, or written in SQL. */
export async function lapsedProposals(app: OperatorDeps, proposals: ShownProposal[]): Promise<[string, Why][]> {
  const may = await whoMay(app, app.db.pages)
  const lapsed = proposals.filter(
    ({ kind, proposedBy }) =>
      isOfStaff(proposedBy) && !may(proposedBy, KINDS[kind as KindName]?.action ?? 'proposal.approve'),
  )
  return [
    ...lapsed.map(({ id }): [string, 'noLongerMay'] => [id, 'noLongerMay']),
    ...proposals.filter(({ isForged }) => isForged).map(({ id }): [string, 'noMark'] => [id, 'noMark']),
  ]
}

const isOfStaff = (proposedBy: string) => !proposedBy.startsWith('merchant:')

/** Why a proposal can only be rejected: its person has lost the right, or Vezne did not write it. */
type Why = 'noLongerMay' | 'noMark'
export type Lapsed = ReadonlyMap<string, Why>

/** After the name of a person whose word does not count. */
export const lapsedMark = ({ words }: Viewer, why: Why | undefined): Html | false =>
  why !== undefined && html` <b class="state bad">${words[why]}</b>`
