import type { ChangeRequest, KindName } from '../../../domain/changes/index.ts'
import { forgedChanges, KINDS } from '../../../domain/changes/index.ts'
import { whoMay } from '../../../domain/people/index.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Why } from '../lapsed-mark.ts'

/** As many as a page shows. */
const MAX_OPEN = 100

/** Those of these changes that can only be rejected, and why: of a person who lost the right, or written in SQL. */
export async function lapsedChanges(app: OperatorDeps, changes: ChangeRequest[]): Promise<[string, Why][]> {
  const { pages } = app.db
  const may = await whoMay(app, pages)
  const lapsed = changes.filter(
    ({ kind, proposedBy }) =>
      isOfStaff(proposedBy) && !may(proposedBy, KINDS[kind as KindName]?.action ?? 'change.approve'),
  )
  const forged = await forgedChanges({ ...app, db: pages }, MAX_OPEN)
  return [
    ...lapsed.map(({ id }): [string, 'noLongerMay'] => [id, 'noLongerMay']),
    ...forged.map((id): [string, 'noMark'] => [id, 'noMark']),
  ]
}

const isOfStaff = (proposedBy: string) => !proposedBy.startsWith('merchant:')
