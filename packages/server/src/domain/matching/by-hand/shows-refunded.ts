import type { Tx } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { StoredLine } from '../../statements/index.ts'
import { ENTERED_BY_HAND, findLine, isEnteredLine } from '../../statements/index.ts'

/** A line that shows an entered one stays so once its money was sent back: without it no one knows that the money came. */
export async function mustNotShowRefunded(tx: Tx, line: StoredLine): Promise<void> {
  const { id, state, reason, correctsLineId } = line
  if (state !== 'dismissed' || correctsLineId === null || (reason !== ENTERED_BY_HAND && reason !== 'same_money'))
    return
  const entered = await findLine(tx, correctsLineId)
  if (entered?.reason !== 'refund_unexplained' || !(await isEnteredLine(tx, correctsLineId))) return
  throw refuse('line_shows_refunded', { line: id, entered: correctsLineId })
}
