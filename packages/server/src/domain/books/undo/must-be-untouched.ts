import { isPerson } from '../../../kernel/actor.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import {
  decisionsOf,
  isProposal,
  mustNameNoOpenPayout,
  mustNotShowRefunded,
  waitingProposal,
} from '../../matching/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { entriesOfLines } from '../journal/store.ts'

/** Because of which line an import is not undone. */
export function lineOf({ message }: Refusal): string | null {
  return /\bline ([0-9a-f]{24})\b/i.exec(message)?.[1] ?? null
}

type Decision = Awaited<ReturnType<typeof decisionsOf>>[number]
type Entry = Awaited<ReturnType<typeof entriesOfLines>>[number]

/** A proposal that was rejected or taken back decided nothing, and a line that people dismissed books nothing. */
export async function mustBeUntouched(tx: Tx, lines: StoredLine[]): Promise<void> {
  const ids = lines.map(({ id }) => id)
  const entries = Map.groupBy(await entriesOfLines(tx, ids), ({ lineId }) => lineId)
  const decisions = Map.groupBy(await decisionsOf(tx, ids), ({ lineId }) => lineId)
  for (const line of lines) {
    mustBeFree(line)
    const [about, decided] = [entries.get(line.id) ?? [], decisions.get(line.id) ?? []]
    mustNotWait(line, about, decided)
    if (!isDismissed(line)) mustBeUndecided(line, about, decided)
    await mustNotShowRefunded(tx, line)
    await mustNameNoOpenPayout(tx, line)
  }
}

function mustBeFree({ id, state, depositId, withdrawalId, journalId }: StoredLine): void {
  const transaction = depositId ?? withdrawalId
  if (journalId !== null)
    throw new Refusal(
      'INVALID_STATE',
      `The import cannot be undone: line ${id} belongs to journal entry ${journalId}. If the bank does not count the line, two people reverse that first: vezne journal reverse ${journalId}, then dismiss the line: vezne line dismiss ${id}`,
    )
  if (state === 'matched')
    throw new Refusal(
      'INVALID_STATE',
      `The import cannot be undone: line ${id} is matched to ${transaction}. If the bank does not count the line, two people take the match back first: vezne journal propose unmatch, then dismiss the line: vezne line dismiss ${id}`,
    )
  if (transaction !== null)
    throw new Refusal(
      'INVALID_STATE',
      `The import cannot be undone: line ${id} is held for ${transaction}. If the bank does not count the line, free it first: vezne line suspend ${id}, then two people dismiss it: vezne line dismiss ${id}`,
    )
}

function mustNotWait({ id }: StoredLine, entries: Entry[], decisions: Decision[]): void {
  const entry = entries.find(({ state }) => state === 'proposed')
  if (entry)
    throw new Refusal(
      'INVALID_STATE',
      `The import cannot be undone: line ${id} has a proposal of ${entry.proposedBy} that waits (${entry.id}). It is rejected or taken back first: vezne journal reject ${entry.id} --why TEXT`,
    )
  const word = waitingProposal(decisions)
  if (word)
    throw new Refusal(
      'INVALID_STATE',
      `The import cannot be undone: line ${id} waits for a second person, after ${word.decidedBy}. A second person says the same, or it is taken back first: vezne line dismiss ${id} --end`,
    )
}

const isDismissed = ({ state, reason }: StoredLine) =>
  state === 'dismissed' && (reason === 'dismissed' || reason === 'same_money')

function mustBeUndecided({ id }: StoredLine, entries: Entry[], decisions: Decision[]): void {
  const posted = entries.find(({ state }) => state === 'posted')
  const decided = decisions.find((one) => isPerson(one.decidedBy) && !isProposal(one) && !BOOKS_NOTHING.has(one.why))
  const who = posted?.proposedBy ?? decided?.decidedBy
  if (who !== undefined)
    throw new Refusal(
      'INVALID_STATE',
      `The import cannot be undone: line ${id} was decided by ${who}. If the bank does not count the line, two people dismiss it first: vezne line dismiss ${id}`,
    )
}

/** Of an entry that was posted the journal tells. */
const BOOKS_NOTHING: ReadonlySet<string> = new Set(['journal_proposed', 'proposal_ended'])
