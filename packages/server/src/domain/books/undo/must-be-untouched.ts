import { isPerson } from '../../../kernel/actor.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import { decisionsOf, mustNameNoOpenPayout, mustNotShowRefunded } from '../../matching/index.ts'
import { lineSubject, mustBeFree as mustHaveNoProposal } from '../../people/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { entriesOfLines } from '../journal/store.ts'

/** Because of which line an import is not undone. */
export function lineOf({ said }: Refusal): string | null {
  const { line, subject } = said?.facts ?? {}
  if (typeof line === 'string') return line
  return typeof subject === 'string' ? subject.replace(/^line:/, '') : null
}

type Decision = Awaited<ReturnType<typeof decisionsOf>>[number]
type Entry = Awaited<ReturnType<typeof entriesOfLines>>[number]

/** A line that people dismissed books nothing. */
export async function mustBeUntouched(app: { clock: Clock }, tx: Tx, lines: StoredLine[]): Promise<void> {
  const ids = lines.map(({ id }) => id)
  await mustHaveNoProposal(app, tx, ids.map(lineSubject))
  const entries = Map.groupBy(await entriesOfLines(tx, ids), ({ lineId }) => lineId)
  const decisions = Map.groupBy(await decisionsOf(tx, ids), ({ lineId }) => lineId)
  for (const line of lines) {
    mustBeFree(line)
    const [about, decided] = [entries.get(line.id) ?? [], decisions.get(line.id) ?? []]
    if (!isDismissed(line)) mustBeUndecided(line, about, decided)
    await mustNotShowRefunded(tx, line)
    await mustNameNoOpenPayout(tx, line)
  }
}

function mustBeFree({ id: line, state, depositId, withdrawalId, journalId }: StoredLine): void {
  const kind = depositId === null ? 'withdrawal' : 'deposit'
  const transaction = depositId ?? withdrawalId
  if (journalId !== null) throw refuse('import_line_in_entry', { line, entry: journalId })
  if (state === 'matched') throw refuse('import_line_matched', { line, kind, transaction: transaction ?? '' })
  if (transaction !== null) throw refuse('import_line_held', { line, kind, transaction })
}

const isDismissed = ({ state, reason }: StoredLine) =>
  state === 'dismissed' && (reason === 'dismissed' || reason === 'same_money')

function mustBeUndecided({ id: line }: StoredLine, entries: Entry[], decisions: Decision[]): void {
  const who = entries[0]?.proposedBy ?? decisions.find((one) => isPerson(one.decidedBy))?.decidedBy
  if (who !== undefined) throw refuse('import_line_decided', { line, decidedBy: who })
}
