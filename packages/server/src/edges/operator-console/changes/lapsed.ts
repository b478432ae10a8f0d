import type { KindName, ShownChange } from '../../../domain/changes/index.ts'
import { KINDS } from '../../../domain/changes/index.ts'
import { whoMay } from '../../../domain/people/index.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Why } from '../lapsed-mark.ts'

/** Those of these changes that can only be rejected, and why: of a person who lost the right, or written in SQL. */
export async function lapsedChanges(app: OperatorDeps, changes: ShownChange[]): Promise<[string, Why][]> {
  const may = await whoMay(app, app.db.pages)
  const lapsed = changes.filter(
    ({ kind, proposedBy }) =>
      isOfStaff(proposedBy) && !may(proposedBy, KINDS[kind as KindName]?.action ?? 'change.approve'),
  )
  return [
    ...lapsed.map(({ id }): [string, 'noLongerMay'] => [id, 'noLongerMay']),
    ...changes.filter(({ isForged }) => isForged).map(({ id }): [string, 'noMark'] => [id, 'noMark']),
  ]
}

const isOfStaff = (proposedBy: string) => !proposedBy.startsWith('merchant:')
