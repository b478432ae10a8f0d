import {
  decisionsOf,
  dismissLine,
  endLineProposal,
  forgedAmong,
  lineProposals,
  restoreLine,
  waitingProposal,
} from '../../../domain/matching/index.ts'
import type { whoMay } from '../../../domain/people/index.ts'
import { findLine } from '../../../domain/statements/index.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked } from '../kind.ts'
import type { Why } from '../lapsed-mark.ts'

/** Words of one person about lines that wait for a second, and whose word does not count any more. */
export async function readLineProposals(app: OperatorDeps, may: Awaited<ReturnType<typeof whoMay>>, limit: number) {
  const { pages } = app.db
  const words = await lineProposals(pages, limit)
  const shown = await Promise.all(
    words.map(async (word) => {
      const line = await findLine(pages, word.lineId)
      return line ? [{ word, line }] : []
    }),
  )
  const forged = await forgedAmong({ ...app, db: pages }, words)
  const lapsed: [string, Why][] = [
    ...words
      .filter(({ decidedBy }) => !may(decidedBy, 'line.dismiss'))
      .map(({ lineId }): [string, Why] => [lineId, 'noLongerMay']),
    ...forged.map((lineId): [string, Why] => [lineId, 'noMark']),
  ]
  return { shown: shown.flat(), lapsed }
}

export async function dismissToo(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  const { state } = await dismissLine(app, actor, id, fields.get('why') ?? '', fields.getAll('notPayout'))
  return state === 'dismissed' ? 'lineDismissed' : 'lineDismissalProposed'
}

export async function restoreToo(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  const { state } = await restoreLine(app, actor, id, fields.get('why') ?? '')
  return state === 'dismissed' ? 'lineRestoreProposed' : 'lineRestored'
}

export async function endProposal(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const word = waitingProposal(await decisionsOf(app.db, [id]))
  await endLineProposal(app, actor, id, fields.get('why') ?? '')
  return word?.decidedBy === viewer.name ? 'entryWithdrawn' : 'entryRejected'
}
